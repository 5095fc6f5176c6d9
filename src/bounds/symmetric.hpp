// Products with a triangle of order n and panels of k columns, on P ranks: words that some rank must send or
// receive, whatever the algorithm, as long as work is even and nothing is computed twice. Memory-independent.
#pragma once

#include "bounds/cost.hpp"

namespace cairn::bounds::symmetric {

struct TriangleProduct {
  Index n = 0, k = 0;
  int panels = 1;  // different ones that a multiplication touches: 1 of a rank-k update, 2 of the others
  bool symmetric =
      true;  // an element of the triangle stands for its mirror image, too; false: triangular products
  int panels_owned = 1;  // read or written: an even share of each is there before or stays there after
};

// Words of the triangle and of the panels that a rank with an even share of the work touches at least: the least of
// t + panels p. See docs/internals/symmetric.md.
double words_touched(const TriangleProduct& product, Index ranks);
// Less what a rank owns of them; not below 0.
double words(const TriangleProduct& product, Index ranks);

}  // namespace cairn::bounds::symmetric
