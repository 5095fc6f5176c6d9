#include "cli/spy.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/xml_text.hpp"
#include "cli/svg.hpp"
#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

constexpr double longest_spy = 230;  // pixels

Spy empty_spy(Index rows, Index columns) {
  Spy spy;
  spy.rows = rows;
  spy.columns = columns;
  // Cells as square as the matrix is not: the longer side has most of them.
  const Index longest = std::max({rows, columns, Index{1}});
  const auto side = [&](Index x) { return std::min(x, std::max<Index>(1, Spy::cells * x / longest)); };
  spy.high = rows == 0 || columns == 0 ? 0 : side(rows);
  spy.wide = rows == 0 || columns == 0 ? 0 : side(columns);
  spy.entries.assign(static_cast<std::size_t>(spy.high * spy.wide), 0);
  spy.owner.assign(spy.entries.size(), -1);
  return spy;
}

struct SpyFrame {
  double x, y, cell_width, cell_height;
};

std::string cell_rect(const SpyFrame& f, Index i, Index j, const std::string& fill, double opacity,
                      const std::string& title) {
  // Edges in hundredths, as they are printed: where a cell ends the next one begins, and no line shows between them.
  const auto edge = [](double origin, Index count, double side) {
    return std::round(100 * (origin + static_cast<double>(count) * side));
  };
  const double left = edge(f.x, j, f.cell_width), right = edge(f.x, j + 1, f.cell_width);
  const double top = edge(f.y, i, f.cell_height), bottom = edge(f.y, i + 1, f.cell_height);
  return fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" shape-rendering=\"crispEdges\" "
      "fill=\"{}\" "
      "fill-opacity=\"{:.2f}\"><title>{}</title></rect>\n",
      left / 100, top / 100, (right - left) / 100, (bottom - top) / 100, fill, opacity, title);
}

// Every entry is seen: the emptiest cell that has one is not white; logarithmic above.
double shade(Index entries, Index most) {
  if (most <= 1) return 1;
  return 0.2 + 0.8 * std::log1p(static_cast<double>(entries - 1)) / std::log1p(static_cast<double>(most - 1));
}

std::string frame_rect(const SpyFrame& f, const Spy& spy) {
  return fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" stroke=\"#999\" "
      "stroke-width=\"0.7\"/>\n",
      f.x, f.y, std::max(1.0, static_cast<double>(spy.wide) * f.cell_width),
      std::max(1.0, static_cast<double>(spy.high) * f.cell_height));
}

std::string draw_cells(const Spy& spy, const SpyFrame& f, bool by_owner) {
  const Index most = spy.entries.empty() ? 0 : *std::ranges::max_element(spy.entries);
  std::string body;
  for (Index j = 0; j < spy.wide; ++j)
    for (Index i = 0; i < spy.high; ++i) {
      const auto at = static_cast<std::size_t>(i + spy.high * j);
      if (spy.entries[at] == 0) continue;
      const std::string title =
          fmt::format("rows {}.., columns {}..: {} entries, most of them on rank {}", i * spy.rows / spy.high,
                      j * spy.columns / spy.wide, spy.entries[at], spy.owner[at]);
      body += by_owner ? cell_rect(f, i, j, rank_colour(spy.owner[at]), 1, title)
                       : cell_rect(f, i, j, "#1d3557", shade(spy.entries[at], most), title);
    }
  return body + frame_rect(f, spy);
}

}  // namespace

template <Scalar T>
Spy spy_on(comm::CommView comm, const sparse::DistSparse<T>& a) {
  Spy spy = empty_spy(a.layout.rows(), a.layout.columns());
  const auto size = spy.entries.size();
  std::vector<Index> mine(size, 0), sums(size, 0), best(size, 0);
  for (const auto& t : sparse::global_triples(a, comm.rank()))
    ++mine[static_cast<std::size_t>(spy.cell(t.row, t.column))];
  comm::allreduce<Index>(comm, std::span<const Index>(mine), std::span<Index>(sums), comm::ReduceOp::sum);
  // The most entries and who has them, in one number; of equals the first rank.
  const Index ranks = comm.size();
  for (Index& x : mine) x = x == 0 ? -1 : x * ranks + (ranks - 1 - comm.rank());
  comm::allreduce<Index>(comm, std::span<const Index>(mine), std::span<Index>(best), comm::ReduceOp::max);
  for (std::size_t x = 0; x < size; ++x) {
    spy.total += spy.entries[x] = sums[x];
    spy.owner[x] = best[x] < 0 ? -1 : static_cast<int>(ranks - 1 - best[x] % ranks);
  }
  return spy;
}

template <Scalar T>
Spy spy_whole(const sparse::Csr<T>& a, const sparse::SparseLayout& layout) {
  Spy spy = empty_spy(a.rows, a.columns);
  std::vector<std::map<int, Index>> by_owner(spy.entries.size());
  for (Index i = 0; i < a.rows; ++i)
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p)
      ++by_owner[static_cast<std::size_t>(spy.cell(i, a.columns_of[p]))][layout.owner(i, a.columns_of[p])];
  for (std::size_t x = 0; x < by_owner.size(); ++x) {
    Index most = 0;
    for (const auto& [rank, count] : by_owner[x]) {
      spy.entries[x] += count;
      if (count > most) spy.owner[x] = rank;
      most = std::max(most, count);
    }
    spy.total += spy.entries[x];
  }
  return spy;
}

std::string spy_svg(const std::string& name, const Spy& spy) {
  const double longest = static_cast<double>(std::max({spy.rows, spy.columns, Index{1}}));
  const double width = longest_spy * static_cast<double>(spy.columns) / longest,
               height = longest_spy * static_cast<double>(spy.rows) / longest;
  const double cell_width = spy.wide == 0 ? 0 : width / static_cast<double>(spy.wide),
               cell_height = spy.high == 0 ? 0 : height / static_cast<double>(spy.high);
  const double second = 10 + longest_spy + 30;
  return fmt::format(
      "{}<text x=\"10\" y=\"20\" font-size=\"14\">{}: {} x {}, {} entries</text>\n"
      "<text x=\"10\" y=\"{:.0f}\" font-size=\"11\">by density: darker has more</text>\n"
      "<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"11\">by owner, in colours</text>\n{}{}</svg>\n",
      svg_open(2 * longest_spy + 50, height + 56), xml_escaped(name), spy.rows, spy.columns, spy.total,
      height + 46, second, height + 46, draw_cells(spy, {10, 30, cell_width, cell_height}, false),
      draw_cells(spy, {second, 30, cell_width, cell_height}, true));
}

#define CAIRN_SPY(T)                                                    \
  template Spy spy_on<T>(comm::CommView, const sparse::DistSparse<T>&); \
  template Spy spy_whole<T>(const sparse::Csr<T>&, const sparse::SparseLayout&);
CAIRN_FOR_EACH_SCALAR(CAIRN_SPY)
#undef CAIRN_SPY

}  // namespace cairn::cli
