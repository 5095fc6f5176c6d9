// Reading SciPy's .npz files of CSR and CSC matrices: a zip archive of the arrays indptr, indices, data, shape,
// format.
#pragma once

#include <vector>

#include "base/scalar.hpp"
#include "io/file.hpp"
#include "io/sparse_triple.hpp"

namespace cairn::io {

// A vector of numbers in the archive.
struct NpzVector {
  Index begin = 0;         // byte of the file
  Index packed_bytes = 0;  // there
  Index header = 0;        // unpacked bytes before the first number
  Index count = 0;
  char kind = 'f';  // as in NumPy: f, c, i, u, b
  int bytes = 8;    // of a number
  bool packed = false;
  bool swapped = false;  // the other byte order
};

struct NpzHeader {
  Index rows = 0;
  Index columns = 0;
  Index entries = 0;
  bool by_columns = false;  // csc
  NpzVector starts, indices, values;

  Index lines() const { return by_columns ? columns : rows; }   // rows, of csc columns
  Index places() const { return by_columns ? rows : columns; }  // in a line
  ScalarType type() const;                                      // of the values; whole numbers: double
};

// On this rank alone. Throws IoError.
NpzHeader read_npz_header(const File& file);

// On this rank alone: the entries first .. first+count-1 of the file. Reads all of indptr, a piece at a time.
// Throws IoError.
template <Scalar T>
std::vector<Triple<T>> read_npz_part(const File& file, const NpzHeader& header, Index first, Index count);

}  // namespace cairn::io
