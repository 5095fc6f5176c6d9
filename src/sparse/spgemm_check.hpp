// Is C the product? Freivalds for plus-times, recomputed rows for other semirings.
#pragma once

#include "check/verdict.hpp"
#include "sparse/dist_sparse.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {

// Collective; A, B and C in any layouts; the same answer on every rank.
// plus-times: C x = A (B x) for `rounds` random x of +-1; an error of one entry above twice its row's
// tolerance is always found, several in one row cancel with probability 2^-rounds. The tolerance of row i is
// relative_tolerance (|A| |B| 1)_i for as many terms as the fullest rows have. Words: O(rounds (filled rows and
// columns)).
// Others: about `rounds` * 64 rows of C are computed again and must be the same, pattern and values. Those
// rows of A and the rows of B they meet move.
template <class T>
check::Verdict check_product(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                             const DistSparse<T>& c, Semiring semiring = Semiring::plus_times,
                             int rounds = 2);

}  // namespace cairn::sparse
