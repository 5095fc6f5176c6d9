// The header of a NumPy .npy file, versions 1.0 to 3.0: the magic, two bytes of version, the length of the
// rest (2 bytes, from 2.0 on 4), and a Python dictionary as text. Pure functions of bytes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/stored_matrix.hpp"

namespace cairn::io {

inline constexpr Index npy_prefix_bytes = 12;         // enough to know the length of the header
inline constexpr Index npy_longest_header = 1 << 20;  // of the dictionary; NumPy's own are below 200 bytes

// Bytes of the file that the whole header takes, from its first npy_prefix_bytes (fewer if it has fewer).
// Throws IoError where they are no .npy header of a known version or longer than the file.
Index npy_header_bytes(std::span<const std::byte> head, Index file_bytes);

// An array of any shape and type as its header describes it.
struct NpyArray {
  std::string descr;  // "<f8"
  bool fortran_order = false;
  std::vector<Index> shape;
  Index offset = 0;  // of the first element
};
// Like parse_npy_header; the type and the length of the file are not looked at.
NpyArray parse_npy_array(std::span<const std::byte> header, Index file_bytes);
// What NumPy would write for an array in C order.
std::string make_npy_array_header(const NpyArray& array);

// The matrix that the header describes. 1-D arrays are columns. Throws IoError that names the byte and what
// was expected: other element types, object and structured arrays, other dimensions, text that is no
// dictionary, sizes that exceed the file.
StoredMatrix parse_npy_header(std::span<const std::byte> header, Index file_bytes);

// What NumPy would write (version 1.0, padded to 64 bytes); m.offset does not matter.
std::string make_npy_header(const StoredMatrix& m);

}  // namespace cairn::io
