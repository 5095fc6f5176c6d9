// Free layouts: rectangles with owners. The cuts of all rectangles make the cells; each must be covered once.
#include <algorithm>

#include "layout/layout.hpp"

namespace cairn::layout {
namespace {

void check(const Rectangle& r, std::size_t number, Index rows, Index columns, Order order) {
  require(r.first_row >= 0 && r.first_row <= r.end_row && r.end_row <= rows,
          "rectangle {} has rows {} .. {}, expected a range within 0 .. {}", number, r.first_row, r.end_row,
          rows);
  require(r.first_column >= 0 && r.first_column <= r.end_column && r.end_column <= columns,
          "rectangle {} has columns {} .. {}, expected a range within 0 .. {}", number, r.first_column,
          r.end_column, columns);
  require(!r.owners.empty(), "rectangle {} has no owner", number);
  for (std::size_t i = 0; i < r.owners.size(); ++i) {
    require(r.owners[i] >= 0, "owner of rectangle {} is {}, expected 0 or more", number, r.owners[i]);
    require(std::count(r.owners.begin(), r.owners.end(), r.owners[i]) == 1,
            "rectangle {} names owner {} twice", number, r.owners[i]);
  }
  require_not_negative(r.offset, "offset of a rectangle");
  const Index line = order == Order::column_major ? r.end_row - r.first_row : r.end_column - r.first_column;
  require(r.leading_dimension >= std::max<Index>(1, line),
          "leading dimension of rectangle {} is {}, expected at least {}", number, r.leading_dimension,
          std::max<Index>(1, line));
}

bool is_empty(const Rectangle& r) { return r.first_row == r.end_row || r.first_column == r.end_column; }

std::vector<Index> cuts_of(std::span<const Rectangle> rectangles, Index size, Index Rectangle::*first,
                           Index Rectangle::*end) {
  std::vector<Index> cuts{0, size};
  for (const Rectangle& r : rectangles) {
    if (is_empty(r)) continue;
    cuts.push_back(r.*first);
    cuts.push_back(r.*end);
  }
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  if (cuts.size() < 2) cuts.push_back(size);  // an empty dimension has one empty part
  return cuts;
}

std::size_t index_of(const std::vector<Index>& cuts, Index cut) {
  return static_cast<std::size_t>(std::ranges::lower_bound(cuts, cut) - cuts.begin());
}

}  // namespace

Layout Layout::of_rectangles(Index rows, Index columns, std::span<const Rectangle> rectangles, Order order) {
  require_not_negative(rows, "rows");
  require_not_negative(columns, "columns");
  for (std::size_t i = 0; i < rectangles.size(); ++i) check(rectangles[i], i, rows, columns, order);
  const auto row_cuts = cuts_of(rectangles, rows, &Rectangle::first_row, &Rectangle::end_row);
  const auto column_cuts = cuts_of(rectangles, columns, &Rectangle::first_column, &Rectangle::end_column);
  const std::size_t row_parts = row_cuts.size() - 1, column_parts = column_cuts.size() - 1;
  std::vector<Tile> tiles(row_parts * column_parts);
  std::vector<std::size_t> covered_by(tiles.size(), rectangles.size());
  for (std::size_t i = 0; i < rectangles.size(); ++i) {
    const Rectangle& r = rectangles[i];
    if (is_empty(r)) continue;
    for (std::size_t c = index_of(column_cuts, r.first_column); column_cuts[c] < r.end_column; ++c)
      for (std::size_t p = index_of(row_cuts, r.first_row); row_cuts[p] < r.end_row; ++p) {
        const std::size_t at = c * row_parts + p;
        require(covered_by[at] == rectangles.size(), "rectangles {} and {} overlap at element ({}, {})",
                covered_by[at], i, row_cuts[p], column_cuts[c]);
        covered_by[at] = i;
        const Index down = row_cuts[p] - r.first_row, across = column_cuts[c] - r.first_column;
        const Index offset = r.offset + (order == Order::column_major ? down + across * r.leading_dimension
                                                                      : across + down * r.leading_dimension);
        for (const int owner : r.owners) tiles[at].push_back({owner, offset, r.leading_dimension});
      }
  }
  for (std::size_t at = 0; at < tiles.size() && rows > 0 && columns > 0; ++at)
    require(covered_by[at] < rectangles.size(), "no rectangle covers element ({}, {})",
            row_cuts[at % row_parts], column_cuts[at / row_parts]);
  for (Tile& t : tiles)
    if (t.empty()) t = {{0, 0, 1}};  // a matrix without elements
  return of_held_parts(IndexMap::of_cuts(row_cuts), IndexMap::of_cuts(column_cuts), std::move(tiles), order);
}

}  // namespace cairn::layout
