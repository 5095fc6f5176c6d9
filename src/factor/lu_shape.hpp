// The pure half of LU: P A = L U, A m x n, in steps of v columns. Row i has class i mod (row classes), or its block
// of rows has where A lies in blocks already; tile column j class j mod (column classes); the pattern says which position of a layer has both. Rank = layer *
// positions + position. Rows are never exchanged between ranks: a step chooses v of those that are left.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "factor/layers.hpp"
#include "factor/lu_pattern.hpp"
#include "factor/tiles.hpp"
#include "layout/layout.hpp"

namespace cairn::factor {

class LuShape {
 public:
  LuShape(Index rows, Index columns, Index step, LuPattern pattern, int layers, Index row_block = 1);

  Index rows() const noexcept { return m_; }
  Index columns() const noexcept { return n_; }
  Index step() const noexcept { return v_; }
  int layers() const noexcept { return layers_; }
  const LuPattern& pattern() const noexcept { return pattern_; }
  int positions() const noexcept { return pattern_.positions(); }
  int ranks() const noexcept { return positions() * layers_; }
  int rank(int layer, int position) const { return layer * positions() + position; }

  // Tile columns: `steps` of them cover min(m, n) columns, the others lie to the right.
  int steps() const noexcept { return steps_; }
  int tiles() const noexcept { return tiles_; }
  Index start(int tile) const { return tile < steps_ ? tile * v_ : std::min(k_ + (tile - steps_) * v_, n_); }
  Index width(int tile) const { return start(tile + 1) - start(tile); }
  int column_class(int tile) const { return tile % pattern_.column_classes(); }
  Index row_block() const noexcept { return row_block_; }
  int row_class(Index row) const { return static_cast<int>(row / row_block_ % pattern_.row_classes()); }
  layout::IndexMap row_map() const {
    return layout::IndexMap::block_cyclic(m_, row_block_, pattern_.row_classes());
  }
  int layer(int step) const { return layer_of_step(step, pattern_.column_classes(), layers_); }
  // Layers other than its own that have something to add at a step: the first one has A.
  std::vector<int> contributors(int step) const;

  Index rows_in_class(int a) const { return row_map().count(a); }
  Index columns_in_class_from(int b, int tile) const;  // in tiles >= tile
  Index local_rows(int q) const;
  // Of a position's part, where it is not in a user's memory.
  Index leading_dimension(int q) const { return leading_dimension_of(local_rows(q)); }
  // Columns of a position in tiles before this one: where the tile begins in its memory.
  Index local_column(int q, int tile) const;
  Index local_columns(int q) const { return local_column(q, tiles()); }
  bool has_column(int q, int tile) const {
    return classes_before(q, column_class(tile) + 1) > classes_before(q, column_class(tile));
  }
  bool has_row_class(int q, int a) const;

  std::string text() const;

 private:
  // Of a position's column classes, those below b.
  int classes_before(int q, int b) const {
    return before_[static_cast<std::size_t>(q) * static_cast<std::size_t>(pattern_.column_classes() + 1) +
                   static_cast<std::size_t>(b)];
  }
  // Columns that a tile lacks to v: the last one of the steps and the last of all may.
  Index lacking(int q, int tile) const { return has_column(q, tile) ? v_ - width(tile) : 0; }

  Index m_, n_, v_, k_;  // k: the smaller of m and n
  LuPattern pattern_;
  int layers_;
  Index row_block_;
  int steps_, tiles_;
  std::vector<int> before_;  // by position and class
};

// A before it is factored, and the factors row by row where the rows of A were: on layer 0. A rank's rows lie class
// after class.
layout::Layout lu_layout(const LuShape& shape);
// The same with rows dealt to the row classes in another way.
layout::Layout lu_layout_of_rows(const LuShape& shape, layout::IndexMap rows);

}  // namespace cairn::factor
