// Sparse times dense: Y = A X with a tall, thin X (r columns), and Y = A x.
#pragma once

#include "sparse/dense_rows.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {

// Collective. X is k x r and Y m x r, each cut into one range of rows per rank (dense_range), row after row
// in memory. Words received: r numbers for each k that a column of this rank's block meets and another rank
// has, and r for each row that others have sums of; positions of both, a few bits each. Rows of A without
// entries give the semiring's zero.
template <class T>
std::vector<T> multiply_dense(comm::CommView comm, const DistSparse<T>& a, std::span<const T> x, Index r,
                              Semiring semiring = Semiring::plus_times);

}  // namespace cairn::sparse
