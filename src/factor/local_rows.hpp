// The rows of one position of LU, in the order in which they lie in its memory: pivots first, in the order in which
// they were chosen, then those that are left.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "factor/lu_shape.hpp"

namespace cairn::factor {

// Rows of one position that change places, one pair after the other, as LAPACK lists them.
using Swaps = std::vector<std::pair<Index, Index>>;

class LocalRows {
 public:
  LocalRows(const LuShape& shape, int position);

  Index count() const noexcept { return std::ssize(row_); }
  Index taken() const noexcept { return taken_; }  // pivots
  Index left() const noexcept { return count() - taken_; }
  Index row(Index position) const { return row_[static_cast<std::size_t>(position)]; }
  // Pivot rows that this position has move to the front of those left; the swaps that do it, in order, as LAPACK
  // would make them.
  Swaps take(std::span<const Index> pivots);
  // Positions of the rows left that are in these classes, by increasing row.
  std::vector<Index> left_in(std::span<const int> classes) const;
  // The positions of all rows left, as they lie.
  std::vector<Index> left_as_they_lie() const {
    std::vector<Index> positions(static_cast<std::size_t>(left()));
    std::iota(positions.begin(), positions.end(), taken_);
    return positions;
  }
  std::vector<Index> rows_left() const { return {row_.begin() + taken_, row_.end()}; }
  bool has(Index row) const { return first_[class_of(row)] >= 0; }
  Index position(Index row) const { return position_[home(row)]; }

 private:
  std::size_t class_of(Index row) const { return static_cast<std::size_t>(row / block_ % classes_); }
  std::size_t home(Index row) const {
    return static_cast<std::size_t>(first_[class_of(row)] + row / block_ / classes_ * block_ + row % block_);
  }

  Index classes_, block_;
  Index taken_ = 0;
  std::vector<Index> first_;     // by class: where it lay at first; -1: not here
  std::vector<Index> row_;       // by position
  std::vector<Index> position_;  // by where it lay at first
};

}  // namespace cairn::factor
