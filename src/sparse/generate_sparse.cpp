#include "sparse/generate_sparse.hpp"

#include "sparse/blocks.hpp"

namespace cairn::sparse {
namespace {

struct Cell {
  Index begin = 0, size = 0;
  std::vector<Local> at;  // where its indices lie in the block
};
std::vector<Cell> cells_at(const Cut& cut, int place) {
  std::vector<Cell> cells;
  for (int c = 0; c < cut.cells(); ++c) {
    if (cut.cell_place(c) != place || cut.cell_begin(c) == cut.cell_end(c)) continue;
    Cell cell{cut.cell_begin(c), cut.cell_end(c) - cut.cell_begin(c), {}};
    const Index first = cut.local_of(cell.begin);
    for (Index x = 0; x < cell.size; ++x) cell.at.push_back(static_cast<Local>(first + x));
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace

template <Scalar T>
DistSparse<T> generate_sparse(const Generator& generator, const SparseLayout& layout, int rank) {
  require(generator.rows == layout.rows() && generator.columns == layout.columns(),
          "the generator makes a {} x {} matrix, expected {} x {}", generator.rows, generator.columns,
          layout.rows(), layout.columns());
  DistSparse<T> x{layout, empty_block<T>(layout, rank)};
  const auto at = layout.position_of(rank);
  if (!at) return x;
  const std::vector<Cell> rows = cells_at(layout.row_cut(), at->row_place);
  const std::vector<Cell> columns = cells_at(layout.column_cut(), at->column_place);
  std::vector<PlacedEntries<T>> pieces;
  for (const Cell& r : rows)
    for (const Cell& c : columns)
      pieces.push_back({entries_of(generate<T>(generator, {r.begin, c.begin, r.size, c.size})), r.at, c.at});
  x.local = assemble<T>(x.local.rows, x.local.columns, pieces);
  return x;
}

#define CAIRN_GENERATE(T) \
  template DistSparse<T> generate_sparse<T>(const Generator&, const SparseLayout&, int);
CAIRN_FOR_EACH_SCALAR(CAIRN_GENERATE)
#undef CAIRN_GENERATE

}  // namespace cairn::sparse
