// Sparse matrices in files: read and written by all ranks at once.
//
//   const io::SparseInfo info = io::probe_sparse(comm, "a.mtx");
//   std::vector<io::Triple<double>> mine = io::read_sparse<double>(comm, "a.mtx");   // a part; then redistribute
//   io::write_sparse<double>(comm, "c.mtx.gz", info.rows, info.columns, mine);
//
// Matrix Market "coordinate" files (.mtx; .gz after it: compressed), and SciPy's .npz (csr, csc). Every call is
// collective. An error on any rank is the same error on every rank; it names the file, the line and the column
// in it (of .npz the member and the byte), and what was expected. Nothing in a file is believed before it is
// checked: no more memory is taken than its entries need.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/scalar.hpp"
#include "comm/communicator.hpp"
#include "io/matrix_market_header.hpp"
#include "io/sparse_triple.hpp"

namespace cairn::io {

enum class SparseFormat { matrix_market, matrix_market_gz, npz };
// By the end of the name. Throws ArgumentError.
SparseFormat sparse_format_of(const std::string& path);

// What is known from the head of a file.
struct SparseInfo {
  SparseFormat format = SparseFormat::matrix_market;
  Index rows = 0;
  Index columns = 0;
  Index stored = 0;  // entries in the file: of a symmetric matrix one half
  ScalarType type = ScalarType::f64;
  Symmetry symmetry = Symmetry::general;
  bool pattern = false;  // no values: they are read as 1
};
// Rank 0 reads the head. Words: a few, from rank 0 to the others.
SparseInfo probe_sparse(comm::CommView comm, const std::string& path);

// The entries that stand in this rank's part of the file, by their places in the matrix counted from 0; of a
// symmetric, skew-symmetric or Hermitian file the other half as well. Every entry is on one rank; they are in
// the order of the file. Complex numbers into a real T are an ArgumentError. Words: none of the entries; O(p)
// counts. Compressed files are unpacked by every rank, and each keeps its part.
template <Scalar T>
std::vector<Triple<T>> read_sparse(comm::CommView comm, const std::string& path);

// The entries of all ranks, in the order of the ranks, each rank's as given; counted from 0, within
// rows x columns. The file appears under its name when it is complete. Numbers have the digits that give the
// same bits when they are read. .npz needs them row after row, from rank to rank as well (ArgumentError
// otherwise). Memory: the text of this rank's entries.
template <Scalar T>
void write_sparse(comm::CommView comm, const std::string& path, Index rows, Index columns,
                  std::span<const Triple<T>> entries);

}  // namespace cairn::io
