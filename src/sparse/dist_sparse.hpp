// A distributed sparse matrix: a layout and this rank's block of it.
#pragma once

#include "comm/communicator.hpp"
#include "sparse/local/csr.hpp"
#include "sparse/local/triples.hpp"
#include "sparse/sparse_layout.hpp"

namespace cairn::sparse {

// Row r and column c of `local` are indices r and c of this rank's places. Ranks that own nothing have 0 x 0.
template <class T>
struct DistSparse {
  SparseLayout layout;
  Csr<T> local;
};

// An empty block of the right shape for `rank`.
template <class T>
Csr<T> empty_block(const SparseLayout& layout, int rank);

// Collective. The same matrix in another layout. Words: every entry that has to move, once, packed.
template <class T>
DistSparse<T> convert(comm::CommView comm, const DistSparse<T>& from, const SparseLayout& to);

// Collective. Entries anywhere -> their owners; those that stand twice are added up.
template <class T>
DistSparse<T> from_triples(comm::CommView comm, const SparseLayout& layout,
                           std::span<const Triple<T>> triples);

// Local. This rank's entries by their places in the whole matrix.
template <class T>
std::vector<Triple<T>> global_triples(const DistSparse<T>& a, int rank);

// Collective. The whole matrix on rank `root`, 0 x 0 elsewhere.
template <class T>
Csr<T> gather_sparse(comm::CommView comm, const DistSparse<T>& a, int root = 0);

// Collective. The transpose; its layout is the transposed one: no words move.
template <class T>
DistSparse<T> transpose_sparse(const DistSparse<T>& a);

// Collective. Entries of all ranks together.
template <class T>
Index count_entries(comm::CommView comm, const DistSparse<T>& a);

}  // namespace cairn::sparse
