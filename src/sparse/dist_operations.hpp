// What people do around a product, on distributed matrices. All are collective; wrong arguments are the same
// ArgumentError on every rank.
#pragma once

#include <functional>

#include "sparse/dist_sparse.hpp"
#include "sparse/local/semiring.hpp"
#include "sparse/local/shuffle.hpp"

namespace cairn::sparse {

// Entries of either, those of both combined by the semiring's addition; in A's layout. Words: entries of B that lie
// elsewhere.
template <class T>
DistSparse<T> add_sparse(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                         Semiring semiring);
// Entries of both, combined by the semiring's multiplication; in A's layout. Words: the same.
template <class T>
DistSparse<T> multiply_elements_sparse(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                                       Semiring semiring);

// Local. Entries for which keep(row, column, value) holds, by their places in the whole matrix.
template <class T>
DistSparse<T> select_sparse(const DistSparse<T>& a, int rank,
                            const std::function<bool(Index, Index, const T&)>& keep);

// Entry (r, c) of the result is entry (rows[r], columns[c]); any order, also twice. The lists are the same on every
// rank. In row blocks. Words: entries that are elsewhere, packed.
template <class T>
DistSparse<T> extract_sparse(comm::CommView comm, const DistSparse<T>& a, std::span<const Index> rows,
                             std::span<const Index> columns);

// Entry (i, j) goes to (new_row[i], new_column[j]): permutations, the same on every rank; an empty one changes
// nothing. In the same layout. Words: entries that are elsewhere then, packed.
template <class T>
DistSparse<T> permute_sparse(comm::CommView comm, const DistSparse<T>& a, std::span<const Index> new_row,
                             std::span<const Index> new_column);
// The same by random permutations, which take no memory; `back` undoes it.
template <class T>
DistSparse<T> shuffle_sparse(comm::CommView comm, const DistSparse<T>& a, const Shuffle& rows,
                             const Shuffle& columns, bool back = false);

}  // namespace cairn::sparse
