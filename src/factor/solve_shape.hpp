// A triangle of factors that lie as LU leaves them, and the right-hand sides: block t of them, w(t) rows in the order
// of the pivots, is at home on one rank, which has the corner T(t, t) too. The triangle stays where it is; what moves
// are blocks of unknowns and of sums.
#pragma once

#include <memory>
#include <vector>

#include "factor/lu_shape.hpp"

namespace cairn::factor {

class SolveShape {
 public:
  // `order`: row r of the triangle is row order[r] of the shape, whose layers are collected on layer 0. `homes`: a rank
  // for each step; the position that the tournament of LU ends on, if empty. `of_sides`: unknown r belongs to row
  // of_sides[r] of the right-hand sides; as the triangle's, if empty.
  SolveShape(std::shared_ptr<const LuShape> shape, std::vector<Index> order, std::vector<int> homes = {},
             std::vector<Index> of_sides = {});

  const LuShape& shape() const noexcept { return *shape_; }
  const std::vector<Index>& order() const noexcept { return order_; }
  const std::vector<Index>& order_of_sides() const noexcept { return of_sides_.empty() ? order_ : of_sides_; }
  int steps() const noexcept { return shape_->steps(); }
  Index width(int t) const { return shape_->width(t); }
  int home(int t) const { return homes_[static_cast<std::size_t>(t)]; }
  // Where a block begins in the memory of its home.
  Index right_side_offset(int t, Index columns) const {
    return columns * rows_before_[static_cast<std::size_t>(t)];
  }
  Index corner_offset(int t) const { return corners_before_[static_cast<std::size_t>(t)]; }
  Index rows_at_home(int rank) const;
  Index corners_at_home(int rank) const;

  // Rows of block t that a position has, as numbers in the block.
  std::vector<Index> numbers(int q, int t) const;
  // Rows of a position in blocks before t.
  Index first(int q, int t) const { return firsts_[index(q, t)]; }
  Index count(int q, int t) const { return first(q, t + 1) - first(q, t); }

  // Right-hand sides with rows in the order of the pivots (unknowns), and in that of the matrix: there the rows of a
  // block lie by increasing number.
  layout::Layout unknowns_layout(Index columns) const;
  layout::Layout right_sides_layout(Index columns) const;
  // The corners of a matrix in the order of the pivots; the rest is nobody's.
  layout::Layout corners_layout() const;

 private:
  std::size_t index(int q, int t) const {
    return static_cast<std::size_t>(q) * static_cast<std::size_t>(steps() + 1) + static_cast<std::size_t>(t);
  }

  std::shared_ptr<const LuShape> shape_;
  std::vector<Index> order_;
  std::vector<int> homes_;
  std::vector<Index> of_sides_;
  std::vector<Index> firsts_;
  std::vector<Index> rows_before_, corners_before_;  // at the home of each block
};

// Of the grid that a matrix lies on in blocks, all ranks on it; null where it does not, or where the blocks are so small
// or so large that solving there would wait more than it saves.
std::shared_ptr<const LuShape> triangle_shape_of(const layout::Layout& t, int ranks);
// Of a grid of about as many rows as columns, for n x n triangles on so many ranks.
std::shared_ptr<const LuShape> triangle_shape(Index n, int ranks);
std::vector<Index> identity_order(Index n);

}  // namespace cairn::factor
