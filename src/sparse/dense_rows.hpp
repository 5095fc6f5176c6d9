// Dense vectors beside sparse matrices: n x r numbers, cut into one range of rows per rank, row after row in
// memory. Rows go to the ranks whose blocks meet them, and sums come back.
#pragma once

#include <functional>
#include <vector>

#include "sparse/dist_sparse.hpp"

namespace cairn::sparse {

// Rows [first, first + count) of `length` on this rank.
struct DenseRange {
  Index first = 0;
  Index count = 0;
};
DenseRange dense_range(comm::CommView comm, Index length);

// Collective. The rows of x that the filled columns of this rank's block of A meet: local column c has its r
// numbers at r * c; the others are not touched (zeros). Words: the filled columns as positions, r numbers for
// each.
template <class T>
std::vector<T> fetch_dense_rows(comm::CommView comm, const DistSparse<T>& a, std::span<const T> x, Index r);

// Collective. partial has r numbers for each row of this rank's block of A; the filled rows are added up (by
// `add`, from `zero` on) on the ranks of the dense ranges. Words: filled rows as positions, r numbers for
// each.
template <class T>
std::vector<T> reduce_dense_rows(comm::CommView comm, const DistSparse<T>& a, std::span<const T> partial,
                                 Index r, T zero, const std::function<T(T, T)>& add);

}  // namespace cairn::sparse
