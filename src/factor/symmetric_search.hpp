// Symmetric tile patterns found by annealing: which position of a layer holds tile (i, j) of a triangle, by the
// classes i mod r and j mod r.
#pragma once

#include <vector>

#include "base/size.hpp"

namespace cairn::factor {

// One position for each unordered pair of classes: cell (a, b) and (b, a) are the same, at a * r + b.
struct SymmetricCells {
  int classes = 1;    // r
  int positions = 1;  // P
  std::vector<int> owner;

  int at(int a, int b) const { return owner[static_cast<std::size_t>(a * classes + b)]; }
  // z: the number of positions per class, averaged. A tile of L goes to z - 1 others.
  double positions_per_class() const;
  // The largest share of cells over the even one; a diagonal cell counts half of two.
  double load_imbalance() const;
};

// Annealing from `seed` on: sum over the positions of the classes they touch, with loads within `slack` of
// even. Deterministic: the same on every machine.
SymmetricCells anneal(int positions, int classes, Index moves, double slack, std::uint64_t seed);

// The best of a few numbers of classes, in less than a second for up to a few hundred positions.
SymmetricCells search_symmetric(int positions);

// Cells (a, b), a > b, are each a position's own: positions = r (r - 1) / 2. Diagonal cells go to the lightest.
SymmetricCells triangle_pairs(int classes);
// The lines of a projective plane of order q = 2, 3, 4, 5, 7: q^2 + q + 1 positions and classes, z = q + 1.
SymmetricCells projective_plane(int order);
// i mod rows, j mod columns: r = lcm(rows, columns), z = rows + columns - 1 where they are equal.
SymmetricCells square_grid(int rows, int columns);
// The same on other ranks: owners[q] has what q would have.
SymmetricCells on_ranks(SymmetricCells cells, const std::vector<int>& owners);

}  // namespace cairn::factor
