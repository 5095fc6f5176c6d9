// Bricks of a sparse product: rank (i, j, l) of [pm, pn, pk] multiplies A(i, l) by B(l, j), and the layers
// add up C(i, j). Where A, B and C lie so that a brick gathers along two fibres and combines along the third.
#pragma once

#include <vector>

#include "sparse/sparse_layout.hpp"

namespace cairn::sparse {

struct SparseGrid {
  int pm = 1;
  int pn = 1;
  int pk = 1;
  int ranks() const { return pm * pn * pk; }
  int rank(int i, int j, int l) const { return i + pm * (j + pn * l); }
  friend bool operator==(const SparseGrid&, const SparseGrid&) = default;
};

struct BrickSeat {
  int i = 0;
  int j = 0;
  int l = 0;
};
BrickSeat seat_in(const SparseGrid& grid, int rank);  // rank < grid.ranks()

struct ProductShape {
  Index m = 0;
  Index n = 0;
  Index k = 0;
  friend bool operator==(const ProductShape&, const ProductShape&) = default;
};

// Which k belong to a layer: one contiguous range, or a share of each of lcm(pm, pn) ranges. In the second
// case a block of a 2D layout has a share of every layer (paper 004, figure 4).
enum class LayerOrder { contiguous, dealt };

// How C(i, j) is shared out to the layers: row_parts x column_parts = pk pieces, piece p (rows fastest) for
// layer layer_of[p].
struct FaceCut {
  int row_parts = 1;
  int column_parts = 1;
  std::vector<int> layer_of;    // empty: layer p
  std::vector<int> row_levels;  // the rows are cut by these factors one after another; empty: at once
  int layer(int part) const { return layer_of.empty() ? part : layer_of[static_cast<std::size_t>(part)]; }
};

struct BrickLayouts {
  SparseGrid grid;
  FaceCut face;
  Cut inner;  // the k of each layer
  // Place l pn + j of A's columns: the share that rank (i, j, l) has of A(i, l). Place l pm + i of B's rows:
  // the share of B(l, j).
  SparseLayout a, b, c;
};

BrickLayouts brick_layouts(const ProductShape& shape, const SparseGrid& grid, const FaceCut& face,
                           LayerOrder order = LayerOrder::contiguous);
FaceCut row_face(int layers);     // pk x 1
FaceCut square_face(int layers);  // as square as pk allows

// The 2D layouts of A and B on (pm row_parts) x (pn column_parts) ranks from which an all-to-all among the
// layers leads to those of a dealt brick_layouts. (C ends in the same.)
struct HomeLayouts {
  SparseLayout a, b;
};
HomeLayouts home_layouts(const ProductShape& shape, const SparseGrid& grid, const FaceCut& face);

}  // namespace cairn::sparse
