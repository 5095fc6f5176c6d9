// Dense Matrix Market files, read and written by all ranks at once.
#pragma once

#include "io/dense_file.hpp"
#include "io/matrix_market_header.hpp"

namespace cairn::io {

// Collective. Each rank counts the numbers in an even stretch of the text, then parses those that start
// there; from there they go to even shares, are completed where the file holds a half, and redistributed to
// m. Work memory beside a piece: about twice a p-th of the matrix, with symmetry three times. O(p) counts.
template <Scalar T>
void read_matrix_market(comm::CommView comm, const std::string& operation, const File& file,
                        const MatrixMarketHeader& header, Index file_bytes, const layout::MatrixView<T>& m,
                        const Transfer& how);

// Bytes of the whole file that write_matrix_market writes. Every number has the same width, so that each rank
// knows where its own belong.
template <Scalar T>
Index matrix_market_bytes(Index rows, Index columns);

// Collective. Numbers are written with the digits that give the same bits when they are read.
template <Scalar T>
void write_matrix_market(comm::CommView comm, const std::string& operation, const File& file,
                         const layout::MatrixView<const T>& m, const Transfer& how);

}  // namespace cairn::io
