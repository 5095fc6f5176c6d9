// Is C the product? Freivalds for plus-times, recomputed rows for other semirings.
#pragma once

#include "sparse/dist_sparse.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {

struct SpgemmVerdict {
  bool passed = true;
  Index row = -1;        // of C, the worst; -1: nothing to compare
  double residual = 0;   // there
  double tolerance = 0;  // what rounding explains there
  Index rows = 0;        // compared
};

// Collective; A, B and C in any layouts; the same answer on every rank.
// plus-times: C x = A (B x) for `rounds` random x of +-1; an error of one entry above twice its row's
// tolerance is always found, several in one row cancel with probability 2^-rounds. The tolerance of row i is
// (entries + 4) u (|A| |B| |x|)_i. Words: O(rounds (filled rows and columns)).
// Others: about `rounds` * 64 rows of C are computed again and must be the same, pattern and values. Those
// rows of A and the rows of B they meet move.
template <class T>
SpgemmVerdict check_product(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                            const DistSparse<T>& c, Semiring semiring = Semiring::plus_times, int rounds = 2);

}  // namespace cairn::sparse
