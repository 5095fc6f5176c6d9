#include "gemm/placed_tree.hpp"

#include <algorithm>

#include "layout/overlap.hpp"

namespace cairn::gemm {

using layout::IndexMap;
using layout::Layout;
using layout::Order;
using layout::PartCount;

namespace {

// Appends the layers of all bricks of a tree, and returns how many layers there are.
int add_layers(const Tree& tree, int first, std::vector<int>& all) {
  if (tree.is_leaf()) {
    for (int brick = 0; brick < tree.grid().ranks(); ++brick)
      all.push_back(first + coordinates(tree.grid(), brick)[Dim::k]);
    return tree.grid().pk;
  }
  int count = 0;
  for (const Tree& part : tree.parts()) {
    const bool on_top = tree.along() == Dim::k;
    const int more = add_layers(part, on_top ? first + count : first, all);
    count = on_top ? count + more : std::max(count, more);
  }
  return count;
}

// The ends of all sides, as cuts of a whole dimension.
std::vector<Index> cuts_of(const std::vector<PlacedBox>& bricks, Dim d, Index size) {
  std::vector<Index> cuts{0, size};
  for (const PlacedBox& b : bricks) {
    cuts.push_back(b.box[d].begin);
    cuts.push_back(b.box[d].end());
  }
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  if (cuts.size() < 2) cuts.push_back(size);
  return cuts;
}

std::size_t index_of(const std::vector<Index>& cuts, Index cut) {
  return static_cast<std::size_t>(std::ranges::lower_bound(cuts, cut) - cuts.begin());
}

Index count_within(const IndexMap& map, int part, const Interval& range) {
  return map.sub(range.begin, range.count).count(part);
}

std::vector<PartCount> parts_within(const IndexMap& map, const Interval& range) {
  const IndexMap within = map.sub(range.begin, range.count);
  std::vector<PartCount> parts;
  for (int part = 0; part < map.parts(); ++part)
    if (const Index count = within.count(part); count > 0) parts.push_back({part, count});
  return parts;
}

}  // namespace

Layers layers_of(const Tree& tree) {
  Layers layers;
  layers.count = add_layers(tree, 0, layers.of_brick);
  return layers;
}

std::vector<Box> boxes_of_part(const Schedule& s, const std::array<Index, 3>& sizes) {
  Schedule part{.problem = s.problem, .tree = s.tree};
  part.problem.m = sizes[index(Dim::m)];
  part.problem.n = sizes[index(Dim::n)];
  part.problem.k = sizes[index(Dim::k)];
  return boxes_of(part);
}

Layout faces_of_bricks(const Problem& problem, Matrix x, const std::array<Index, 3>& sizes,
                       const std::vector<PlacedBox>& bricks, Order order) {
  const Dim row = row_dim(problem, x), column = col_dim(problem, x);
  const std::vector<Index> row_cuts = cuts_of(bricks, row, sizes[index(row)]),
                           column_cuts = cuts_of(bricks, column, sizes[index(column)]);
  const std::size_t row_parts = row_cuts.size() - 1;
  std::vector<std::vector<layout::Holder>> cells(row_parts * (column_cuts.size() - 1));
  for (const PlacedBox& b : bricks) {
    const Interval &rows = b.box[row], &columns = b.box[column];
    if (rows.count == 0 || columns.count == 0) continue;
    const bool by_columns = order == Order::column_major;
    const Index leading = by_columns ? rows.count : columns.count;
    for (std::size_t c = index_of(column_cuts, columns.begin); column_cuts[c] < columns.end(); ++c)
      for (std::size_t r = index_of(row_cuts, rows.begin); row_cuts[r] < rows.end(); ++r) {
        const Index down = row_cuts[r] - rows.begin, across = column_cuts[c] - columns.begin;
        cells[c * row_parts + r].push_back(
            {b.rank, by_columns ? down + across * leading : across + down * leading, leading});
      }
  }
  return Layout::of_held_parts(IndexMap::of_cuts(row_cuts), IndexMap::of_cuts(column_cuts), std::move(cells),
                               order);
}

Index owned_of_face(const Layout& user, const SharedCell& face, int rank) {
  if (face.count() == 0) return 0;
  Index owned = 0;
  for (const layout::Cell& cell : user.cells_of(rank, 1))
    owned += count_within(user.row_map(), cell.row_part, face.rows) *
             count_within(user.column_map(), cell.column_part, face.cols);
  return owned;
}

void for_each_owner_of_face(const Layout& user, const SharedCell& face,
                            const std::function<void(int, Index)>& f) {
  if (face.count() == 0) return;
  const std::vector<PartCount> rows = parts_within(user.row_map(), face.rows);
  for (const PartCount& column : parts_within(user.column_map(), face.cols))
    for (const PartCount& row : rows)
      for (int copy = 0; copy < user.copies(row.part, column.part); ++copy)
        f(user.owner(row.part, column.part, copy), row.count * column.count);
}

}  // namespace cairn::gemm
