// Who holds which tile of a triangle and who needs it when: the pure half of Cholesky. A = L L^H, n x n, in
// tiles of v x v; tile (i, j), i >= j, belongs to the position cells(i mod r, j mod r) of every one of the c
// layers. Rank = layer * positions + position. Step k is applied by the layer that `layer(k)` says.
#pragma once

#include <string>
#include <vector>

#include "factor/layers.hpp"
#include "factor/symmetric_search.hpp"

namespace cairn::factor {

class CholeskyShape {
 public:
  CholeskyShape(Index n, Index step, SymmetricCells cells, int layers);

  Index order() const noexcept { return n_; }
  Index step() const noexcept { return v_; }
  int layers() const noexcept { return layers_; }
  int positions() const noexcept { return cells_.positions; }
  int ranks() const noexcept { return cells_.positions * layers_; }
  int classes() const noexcept { return cells_.classes; }
  // One rank that has the square in one piece, as LAPACK wants it.
  bool is_whole() const noexcept { return ranks() == 1 && classes() == 1; }
  const SymmetricCells& cells() const noexcept { return cells_; }

  int tiles() const noexcept { return tiles_; }  // in a row or column
  Index start(int tile) const { return tile * v_; }
  Index width(int tile) const { return std::min(v_, n_ - tile * v_); }
  int owner(int i, int j) const { return cells_.at(i % cells_.classes, j % cells_.classes); }
  int layer(int step) const { return layer_of_step(step, rotation_, layers_); }
  int rank(int layer, int position) const { return layer * cells_.positions + position; }
  // Layers that have applied a step before this one, other than its own: what they have is added first.
  std::vector<int> contributors(int step) const;

  // Positions, in ascending order, that still have a tile to update with tile (i, k) of L: those of row i and of column i.
  struct Need {
    int position;
    int last;  // of the steps k < last it needs row i for
  };
  const std::vector<Need>& needs(int i) const { return needs_[static_cast<std::size_t>(i)]; }
  bool needs(int position, int i, int step) const;

  // Rows of class a in tiles i > k (or i >= k), and the first of them.
  int first_tile(int a, int from) const { return from + (a - from % classes() + classes()) % classes(); }
  Index class_rows(int a, int from) const;
  // Words of a diagonal tile's triangle.
  Index triangle(int k) const { return width(k) * (width(k) + 1) / 2; }
  std::string text() const;

 private:
  Index n_, v_;
  SymmetricCells cells_;
  int layers_, tiles_, rotation_;
  std::vector<std::vector<Need>> needs_;  // by tile row
};

// The same pattern with loads evened out: cells that several positions could hold without new words (they touch
// both classes) are dealt to the lightest over a few repetitions of the pattern.
SymmetricCells evened(const SymmetricCells& cells, int repetitions);

}  // namespace cairn::factor
