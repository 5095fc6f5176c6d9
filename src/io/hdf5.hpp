// HDF5 datasets. The library looks after the structure of the file; the elements of a contiguous dataset are
// plain bytes at a place it names, and every rank moves its own. Only compressed, chunked and other datasets
// are read through the library. Built without it, everything here is an error that says how to get it.
#pragma once

#include <string>

#include "io/dense_file.hpp"

namespace cairn::io {

bool has_hdf5() noexcept;

struct Hdf5Dataset {
  StoredMatrix matrix;
  bool is_plain = false;  // the elements stand as they are from matrix.offset on
  std::string name;
};

// On this rank alone. `dataset` empty: /matrix, or the first dataset of two dimensions. A dataset of one
// dimension is a column. Throws IoError.
Hdf5Dataset probe_hdf5(const std::string& path, const std::string& dataset);

// On this rank alone. Makes the file anew with one dataset and returns where its elements belong.
Index create_hdf5(const std::string& path, const std::string& dataset, const StoredMatrix& matrix);

// On this rank alone: elements first .. first+count-1 of a dataset, counted in C order.
template <Scalar T>
void read_hdf5(const std::string& path, const Hdf5Dataset& dataset, Index first, Index count, T* to,
               const Transfer& how);

}  // namespace cairn::io
