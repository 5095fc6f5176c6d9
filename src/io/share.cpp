#include "io/share.hpp"

#include <array>

#include "comm/collectives.hpp"
#include "layout/kinds.hpp"

namespace cairn::io {
namespace {

using layout::Cell;
using layout::Layout;
using layout::Run;

std::vector<Run> runs_of(const layout::IndexMap& map, int part) {
  std::vector<Run> runs;
  map.for_each_run(part, [&](const Run& run) { runs.push_back(run); });
  return runs;
}

}  // namespace

Layout share_layout(Index rows, Index columns, Order order, int ranks) {
  if (order == Order::row_major) return share_layout(columns, rows, Order::column_major, ranks).transposed();
  if (columns == 0 || columns >= ranks) return layout::column_blocks(rows, columns, ranks);
  const int lines = narrow<int>(columns, "columns");
  return layout::blocked(rows, columns, ranks / lines, lines);
}

std::vector<Index> share_cuts(const Layout& share, int ranks) {
  std::vector<Index> cuts{0};
  for (int r = 0; r < ranks; ++r) cuts.push_back(cuts.back() + share.elements(r));
  return cuts;
}

FileBlocks::FileBlocks(const Layout& layout, Index leading_dimension, int rank, Order order, bool once)
    : line_length_(order == Order::column_major ? layout.rows() : layout.columns()) {
  for (const Cell& cell : layout.cells_of(rank, leading_dimension)) {
    if (once && layout.owner(cell.row_part, cell.column_part) != rank) continue;
    std::vector<Run> rows = runs_of(layout.row_map(), cell.row_part);
    std::vector<Run> columns = runs_of(layout.column_map(), cell.column_part);
    if (order == Order::column_major)
      cells_.push_back(
          {std::move(rows), std::move(columns), cell.offset, cell.row_stride, cell.column_stride});
    else
      cells_.push_back(
          {std::move(columns), std::move(rows), cell.offset, cell.column_stride, cell.row_stride});
  }
}

namespace {
Index total(const std::vector<Run>& runs) {
  Index sum = 0;
  for (const Run& r : runs) sum += r.count();
  return sum;
}
}  // namespace

Index FileBlocks::elements() const {
  Index sum = 0;
  for (const Lines& c : cells_) sum += total(c.within) * total(c.across);
  return sum;
}

Index FileBlocks::stretches() const {
  Index sum = 0;
  for (const Lines& c : cells_) {
    const bool whole_lines = c.within.size() == 1 && c.within[0].count() == line_length_;
    sum += static_cast<Index>(c.within.size()) *
           (whole_lines ? static_cast<Index>(c.across.size()) : total(c.across));
  }
  return sum;
}

Access choose_access(comm::CommView comm, const FileBlocks& blocks, const StoredMatrix& stored) {
  const Index bytes = blocks.elements() * stored.element_bytes(), runs = blocks.stretches();
  const Index too_short = runs > 1 && bytes / runs < worthwhile_run_bytes ? 1 : 0;
  const std::array<Index, 2> mine{bytes, too_short};
  std::array<Index, 2> all{};
  comm::allreduce(comm.unchecked(), std::span<const Index>(mine), std::span<Index>(all), comm::ReduceOp::sum);
  const Index file = end_of(stored) - stored.offset;
  return all[1] == 0 && all[0] <= file + file / 2 ? Access::direct : Access::shared;
}

}  // namespace cairn::io
