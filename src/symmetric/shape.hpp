// Who has which part of a triangle and which rows of the panels: the pure half of a product with a triangle.
//
// The order of the triangle is cut into classes, its cells (a, b) belong to positions, and the columns of the
// panels are cut into parts; rank = position, part. A position holds its cells and the rows of the panels in
// the classes that its cells touch: on a symmetric pattern about sqrt(2 P) classes of P pairs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "factor/symmetric_search.hpp"
#include "layout/layout.hpp"
#include "symmetric/problem.hpp"

namespace cairn::symmetric {

// Rows of a panel that a position has: a part of the map of the rows or of the columns of the triangle.
struct Face {
  int map = 0;  // 0: of the rows (and columns, where they are cut alike), 1: of the columns
  int part = 0;
  Index rows = 0;
  Index first = 0;  // row in the panel of the position, which has its faces one below the other
  friend bool operator==(const Face&, const Face&) = default;
};

// A cell of the triangle, how it is multiplied and where it lies.
struct Block {
  int row_part = 0, column_part = 0;
  Way way = {};
  Index offset = 0;
  Index leading_dimension = 1;
};

class Shape {
 public:
  // Contiguous classes, cells as the pattern deals them, and the columns of the panels cut by a map.
  static Shape of_pattern(const Problem& problem, const factor::SymmetricCells& cells,
                          const layout::IndexMap& parts);
  // Cells as a matrix has them: the triangle stays where it is. None where it lies on no mesh, is replicated or
  // not by columns.
  static std::optional<Shape> in_place(const Problem& problem, const layout::Layout& triangle);

  // Of a product: every rank computes what a grid gives it of the result, from rows dealt by one map and columns of the
  // panels dealt by another; it gets the rows (and of a symmetric triangle the columns) of the triangle it needs for that.
  static Shape of_grid(const Problem& problem, const layout::IndexMap& rows, const layout::IndexMap& parts);
  // The same as the result is dealt: it stays where it is. None where it lies on no mesh or is replicated.
  static std::optional<Shape> result_in_place(const Problem& problem, const layout::Layout& result);

  int positions() const noexcept { return positions_; }
  int parts() const noexcept { return parts_.parts(); }
  int ranks() const noexcept { return positions_ * parts(); }
  bool stays() const noexcept { return stays_; }       // the triangle, where it is
  bool is_seated() const noexcept { return seated_; }  // on ranks that are given
  const std::string& pattern() const noexcept { return pattern_; }

  const layout::IndexMap& map(int which) const { return which == 0 ? rows_ : columns_; }
  const layout::IndexMap& part_map() const noexcept { return parts_; }
  int maps() const noexcept { return alike_ ? 1 : 2; }
  // The map of the columns, by number.
  int column_map() const noexcept { return alike_ ? 0 : 1; }

  // Cells of a position, those outside the triangle left out; offsets of a packed copy.
  const std::vector<Block>& blocks(int position) const { return blocks_[static_cast<std::size_t>(position)]; }
  Index block_elements(int position) const;
  // The cells on the i-th holder of each, for all i; of one part of the panels, in memory of its own.
  std::vector<layout::Layout> triangle_layouts(int part) const;
  // Elements of the triangle in the cells of a position.
  Index triangle_elements(int position) const { return elements_[static_cast<std::size_t>(position)]; }
  // Multiplications of a position a column of the panels.
  Index work(int position) const { return work_[static_cast<std::size_t>(position)]; }
  // The rows of panels that its cells are multiplied with, or add to; in order of map and part, one below the other.
  enum class Use : std::uint8_t { read, written };
  std::vector<Face> faces(const Problem& problem, int position, Use use) const;
  static Index rows_of(const std::vector<Face>& faces);

  // Where a position and a part sit; by default rank = position + positions * part.
  int rank(int position, int part) const {
    return ranks_[static_cast<std::size_t>(position + positions_ * part)];
  }
  struct Seat {
    int position, part;
  };
  std::optional<Seat> seat(int rank) const;
  void sit_on(std::vector<int> ranks) { ranks_ = std::move(ranks); }

  Index fingerprint() const;

 private:
  Shape(layout::IndexMap rows, layout::IndexMap columns, layout::IndexMap parts)
      : rows_(std::move(rows)),
        columns_(std::move(columns)),
        parts_(std::move(parts)),
        alike_(rows_ == columns_) {}
  void add_cell(const Problem& problem, int position, int row_part, int column_part, const Way& way);
  void set_positions(int positions);
  void sit_in_order();

  layout::IndexMap rows_, columns_, parts_;
  bool alike_ = false, stays_ = false, seated_ = false;
  int positions_ = 1;
  std::string pattern_;
  std::vector<std::vector<Block>> blocks_;
  std::vector<Index> elements_, work_;
  std::vector<int> ranks_;
};

// Of the cell of these two parts: how many of its elements are in the triangle.
Index elements_inside(Triangle triangle, const layout::IndexMap& rows, int row_part,
                      const layout::IndexMap& columns, int column_part);

}  // namespace cairn::symmetric
