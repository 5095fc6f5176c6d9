#include "factor/moving.hpp"

#include <algorithm>
#include <cmath>

#include "layout/exchange/exchange_count.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn::factor {
namespace {

// Elements of the columns of one position that lie in each part of the columns of a layout.
std::vector<Index> columns_by_part(const LuShape& s, int q, const layout::IndexMap& columns) {
  std::vector<Index> count(at_index(columns.parts()), 0);
  for (int j = 0; j < s.tiles(); ++j) {
    if (!s.has_column(q, j)) continue;
    for (Index x = s.start(j); x < s.start(j + 1);) {
      const layout::Run run = columns.run_at(x);
      const Index end = std::min(run.end, s.start(j + 1));
      count[at_index(run.part)] += end - x;
      x = end;
    }
  }
  return count;
}

}  // namespace

double Moved::seconds(const Machine& machine, ScalarType type) const {
  return machine.alpha * as_real(most_messages) +
         (machine.beta + 2 * machine.copy) * as_real(most_words) * as_real(bytes(type)) / 8;
}

Moved moved(const layout::Layout& from, const layout::Layout& to, int ranks, ScalarType type) {
  Moved m;
  if (from.rows() == 0 || from.columns() == 0) return m;
  const std::vector<layout::Move> moves{{from, to}};
  const Index element = bytes(type), piece = layout::RedistributeOptions{}.piece_words(element);
  for (const comm::Counters& c : layout::count_all(moves, ranks, piece, element)) {
    m.total_words += c.sent.words;
    m.most_words = std::max({m.most_words, c.sent.words, c.received.words});
    m.most_messages = std::max({m.most_messages, c.sent.messages, c.received.messages});
  }
  m.mean_words = as_real(m.total_words) / ranks;
  return m;
}

Moved moved_in_pivot_order(const LuShape& s, const layout::Layout& to, int ranks) {
  Moved m;
  if (s.rows() == 0 || s.columns() == 0) return m;
  std::vector<double> sent(at_index(std::max(ranks, to.last_rank() + 1)), 0), received = sent;
  for (int q = 0; q < s.positions(); ++q) {
    const std::vector<Index> columns = columns_by_part(s, q, to.column_map());
    const double share = as_real(s.local_rows(q)) / as_real(s.rows());
    for (int y = 0; y < to.column_map().parts(); ++y)
      for (int x = 0; x < to.row_map().parts(); ++x) {
        if (to.copies(x, y) == 0) continue;
        const int owner = to.owner(x, y);
        if (owner == q) continue;
        const double words = share * as_real(to.row_map().count(x)) * as_real(columns[at_index(y)]);
        sent[at_index(q)] += words;
        received[at_index(owner)] += words;
      }
  }
  double total = 0;
  for (const double x : sent) total += x;
  m.total_words = std::llround(total);
  m.mean_words = total / ranks;
  m.most_words = std::llround(std::max(*std::ranges::max_element(sent), *std::ranges::max_element(received)));
  m.most_messages = std::min<Index>(ranks, m.most_words);
  return m;
}

bool is_one_block(const layout::Layout& a, int ranks) {
  return ranks == 1 && a.mesh() != nullptr && a.order() == layout::Order::column_major &&
         !a.is_replicated() && a.row_map().parts() == 1 && a.column_map().parts() == 1;
}

std::optional<UserGrid> grid_of_user(const layout::Layout& a, int ranks) {
  if (a.mesh() == nullptr || a.is_replicated() || a.order() != layout::Order::column_major) return {};
  UserGrid grid{a.row_map().parts(), a.column_map().parts(), a.row_map().block(), a.column_map().block(), {}};
  if (grid.row_block == 0 || grid.step == 0 || Index{grid.rows} * grid.columns != ranks) return {};
  if (!a.row_map().deals(grid.row_block) || !a.column_map().deals(grid.step)) return {};
  for (int b = 0; b < grid.columns; ++b)
    for (int r = 0; r < grid.rows; ++r) grid.owners.push_back(a.owner(r, b));
  std::vector<int> sorted = grid.owners;
  std::ranges::sort(sorted);
  for (int q = 0; q < ranks; ++q)
    if (sorted[at_index(q)] != q) return {};
  return grid;
}

}  // namespace cairn::factor
