#include "io/stored_matrix.hpp"

#include <algorithm>
#include <cstring>

namespace cairn::io {
namespace {

// A real number at `at`, with its bytes turned round if need be.
template <class R>
R real_at(const std::byte* at, bool swapped) {
  std::byte bytes[sizeof(R)];
  std::memcpy(bytes, at, sizeof(R));
  if (swapped) std::reverse(bytes, bytes + sizeof(R));
  R value;
  std::memcpy(&value, bytes, sizeof(R));
  return value;
}

template <Scalar F, Scalar T>
void decode_from(const std::byte* from, bool swapped, T* to, Index count) {
  using R = Real<F>;
  constexpr bool both = ScalarTraits<F>::is_complex;
  if constexpr (both && !ScalarTraits<T>::is_complex) {
    check_conversion(ScalarTraits<F>::type, ScalarTraits<T>::type);
  } else {
    for (Index i = 0; i < count; ++i, from += sizeof(F)) {
      const auto re = static_cast<Real<T>>(real_at<R>(from, swapped));
      if constexpr (both)
        to[i] = T(re, static_cast<Real<T>>(real_at<R>(from + sizeof(R), swapped)));
      else
        to[i] = T(re);
    }
  }
}

}  // namespace

Index end_of(const StoredMatrix& m) {
  require<IoError>(m.rows >= 0 && m.columns >= 0, "the matrix is {} x {}, expected no negative size", m.rows,
                   m.columns);
  require<IoError>(m.offset >= 0, "the data start at byte {}, expected 0 or more", m.offset);
  Index elements = 0, size = 0, end = 0;
  const bool overflow = __builtin_mul_overflow(m.rows, m.columns, &elements) ||
                        __builtin_mul_overflow(elements, m.element_bytes(), &size) ||
                        __builtin_add_overflow(m.offset, size, &end);
  require<IoError>(!overflow,
                   "the matrix is {} x {} of {} from byte {} on, expected at most 2^63 bytes in all", m.rows,
                   m.columns, name(m.type), m.offset);
  return end;
}

void check_fits(const StoredMatrix& m, Index file_bytes) {
  const Index end = end_of(m);
  require<IoError>(end <= file_bytes,
                   "byte {}: the file ends here, expected {} bytes: {} from byte {} on for {} x {} of {}",
                   file_bytes, end, end - m.offset, m.offset, m.rows, m.columns, name(m.type));
}

void check_conversion(ScalarType from, ScalarType to) {
  const auto is_complex = [](ScalarType t) { return t == ScalarType::c32 || t == ScalarType::c64; };
  require(!is_complex(from) || is_complex(to),
          "the file holds {} and the matrix {}, expected a complex type: imaginary parts would be lost",
          name(from), name(to));
}

template <Scalar T>
void decode(const std::byte* from, ScalarType type, ByteOrder byte_order, T* to, Index count) {
  const bool swapped = byte_order != native_byte_order;
  if (count == 0) return;
  if (type == ScalarTraits<T>::type && !swapped)
    std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(count) * sizeof(T));
  else
    dispatch(type, [&]<class F>() { decode_from<F, T>(from, swapped, to, count); });
}

template void decode(const std::byte*, ScalarType, ByteOrder, float*, Index);
template void decode(const std::byte*, ScalarType, ByteOrder, double*, Index);
template void decode(const std::byte*, ScalarType, ByteOrder, std::complex<float>*, Index);
template void decode(const std::byte*, ScalarType, ByteOrder, std::complex<double>*, Index);

}  // namespace cairn::io
