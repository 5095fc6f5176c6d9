// A matrix that lies in a file as plain bytes: elements one after the other from an offset on. The body of
// .npy and raw files, and of a contiguous HDF5 dataset.
#pragma once

#include <bit>

#include "base/scalar.hpp"
#include "base/size.hpp"
#include "layout/layout.hpp"

namespace cairn::io {

using layout::Order;

enum class ByteOrder { little, big };
inline constexpr ByteOrder native_byte_order =
    std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big;

struct StoredMatrix {
  Index rows = 0;
  Index columns = 0;
  ScalarType type = ScalarType::f64;
  Order order = Order::column_major;
  ByteOrder byte_order = native_byte_order;
  Index offset = 0;  // of the first element, in bytes

  Index element_bytes() const { return bytes(type); }
  // A line is what lies side by side in the file: a column, or a row of a C-order matrix.
  Index line_length() const { return order == Order::column_major ? rows : columns; }
  Index lines() const { return order == Order::column_major ? columns : rows; }
  Index place_of(Index element) const { return offset + element * element_bytes(); }
  friend bool operator==(const StoredMatrix&, const StoredMatrix&) = default;
};

// Where the matrix ends. Throws IoError where the sizes are negative or exceed 64 bits.
Index end_of(const StoredMatrix& m);
// Throws IoError unless a file of this many bytes can hold the matrix.
void check_fits(const StoredMatrix& m, Index file_bytes);

// Throws ArgumentError if elements of `from` cannot be kept as `to`: a complex number is not a real one.
void check_conversion(ScalarType from, ScalarType to);

// `count` elements as they lie in a file -> T. Real numbers become complex ones, precision may change.
template <Scalar T>
void decode(const std::byte* from, ScalarType type, ByteOrder byte_order, T* to, Index count);

extern template void decode(const std::byte*, ScalarType, ByteOrder, float*, Index);
extern template void decode(const std::byte*, ScalarType, ByteOrder, double*, Index);
extern template void decode(const std::byte*, ScalarType, ByteOrder, std::complex<float>*, Index);
extern template void decode(const std::byte*, ScalarType, ByteOrder, std::complex<double>*, Index);

}  // namespace cairn::io
