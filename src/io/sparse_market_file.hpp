// Sparse Matrix Market files, read and written by all ranks at once.
#pragma once

#include "comm/communicator.hpp"
#include "io/file.hpp"
#include "io/sparse_market.hpp"

namespace cairn::io {

// On this rank alone: the head of the open file, packed with gzip or not.
SparseMarketHeader read_sparse_market_head(const File& file, bool packed);

// Collective. The entries whose lines begin in this rank's part of the text: a stretch of it, or of a packed
// file every p-th piece. Work memory beside them: one piece.
template <Scalar T>
std::vector<Triple<T>> read_sparse_market(comm::CommView comm, const std::string& operation, const File& file,
                                          const SparseMarketHeader& header, bool packed);

// Collective. `entries_in_all`: of all ranks. Each rank's text stands behind that of the rank before; packed,
// each is a gzip member of its own.
template <Scalar T>
void write_sparse_market(comm::CommView comm, const std::string& operation, const std::string& path,
                         Index rows, Index columns, std::span<const Triple<T>> entries, bool packed);

}  // namespace cairn::io
