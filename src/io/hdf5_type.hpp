// The element types of HDF5 datasets that are matrices. Empty where there is no HDF5.
#pragma once

#ifdef CAIRN_HDF5

#include "io/hdf5_handle.hpp"
#include "io/stored_matrix.hpp"

namespace cairn::io {

struct Hdf5Type {
  ScalarType type = ScalarType::f64;
  ByteOrder byte_order = native_byte_order;
  bool is_plain = true;         // without gaps, the real part first
  std::string real_part = "r";  // names of the members, as h5py writes them
  std::string imaginary_part = "i";
};

// IEEE numbers of 4 or 8 bytes, and pairs of them {r, i}, {re, im} or {real, imag}. Throws IoError for
// others.
Hdf5Type hdf5_type_of(hid_t type);

// The same elements in memory: native numbers, pairs without gaps.
Handle native_type(const Hdf5Type& type);

}  // namespace cairn::io

#endif
