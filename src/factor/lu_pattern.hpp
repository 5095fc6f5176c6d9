// Tile patterns for LU: row class x column class -> position of a layer. Every position has a product of a set of
// row classes and a set of column classes, so that its part of the matrix is one dense block.
#pragma once

#include <string>
#include <vector>

#include "base/size.hpp"

namespace cairn::factor {

class LuPattern {
 public:
  // rows x columns positions, each with one class of each.
  static LuPattern grid(int rows, int columns);
  // The grid of somebody else's matrix: owners[a + b rows] is at row a and column b.
  static LuPattern grid_of(int rows, int columns, std::vector<int> owners);
  // Generalised 2D block-cyclic (G-2DBC): about sqrt(P) positions in every row and column, for any P; a grid
  // where P is a product of two near numbers.
  static LuPattern generalised(int positions);
  // Groups of rows with p or p + 1 positions side by side, each as high as it has positions: rectangles of one size that
  // are as near to squares as they can be. A grid where all groups are alike.
  static LuPattern rectangles(int positions);

  int positions() const noexcept { return positions_; }
  int row_classes() const noexcept { return row_classes_; }
  int column_classes() const noexcept { return column_classes_; }
  int at(int a, int b) const { return owner_[static_cast<std::size_t>(a + b * row_classes_)]; }
  const std::vector<int>& rows_of(int q) const { return rows_of_[static_cast<std::size_t>(q)]; }
  const std::vector<int>& columns_of(int q) const { return columns_of_[static_cast<std::size_t>(q)]; }
  // Positions in a row and in a column of the pattern, averaged: words are N^2/(2P) (x + y - 2).
  double positions_per_row() const;
  double positions_per_column() const;
  // After so many steps a column's positions have had their turn: who is first of them changes.
  int turn() const noexcept { return turn_; }
  bool is_grid() const { return row_classes_ * column_classes_ == positions_; }
  const std::string& text() const noexcept { return text_; }  // "2x3", "G5", "2+3"

 private:
  LuPattern(int row_classes, int column_classes, std::vector<int> owner, std::string text, int turn = 0);

  int positions_ = 0, row_classes_, column_classes_, turn_;
  std::vector<int> owner_;
  std::vector<std::vector<int>> rows_of_, columns_of_;
  std::string text_;
};

}  // namespace cairn::factor
