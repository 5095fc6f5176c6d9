// Small dense blocks: copies, sums, and triangles without their other half.
#pragma once

#include <algorithm>

#include "base/scalar.hpp"

namespace cairn::factor {

inline constexpr int matrix_array = 1;  // of a Program: the matrix that is factored, or its factors

// Of so many rows in memory of our own. Columns that lie a multiple of 64 elements apart meet in the same few lines of a
// cache: at N = 4096 on 2 ranks LU took 2 % longer.
constexpr Index leading_dimension_of(Index rows) {
  constexpr Index line = 8;
  return rows >= 256 && rows % 64 == 0 ? rows + line : std::max<Index>(1, rows);
}

// `Copy` says from, from_ld, to, to_ld, rows, columns; offsets into the two arrays.
template <Scalar T, class Copy>
void copy_tile(const T* from, T* to, const Copy& t) {
  for (Index j = 0; j < t.columns; ++j)
    std::copy_n(from + t.from + j * t.from_ld, t.rows, to + t.to + j * t.to_ld);
}
// The other way round, added: what was packed from there to here.
template <Scalar T, class Copy>
void add_tile(const T* packed, T* matrix, const Copy& t) {
  for (Index j = 0; j < t.columns; ++j)
    for (Index i = 0; i < t.rows; ++i) matrix[t.from + j * t.from_ld + i] += packed[t.to + j * t.to_ld + i];
}

// The lower triangle, column after column: n (n + 1) / 2 words.
template <Scalar T>
T* pack_lower(Index n, const T* a, Index lda, T* packed) {
  for (Index j = 0; j < n; ++j) packed = std::copy_n(a + j * (lda + 1), n - j, packed);
  return packed;
}
template <Scalar T>
const T* unpack_lower(Index n, const T* packed, T* a, Index lda) {
  for (Index j = 0; j < n; packed += n - j, ++j) std::copy_n(packed, n - j, a + j * (lda + 1));
  return packed;
}
template <Scalar T>
void add_lower(Index n, const T* packed, T* a, Index lda) {
  for (Index j = 0; j < n; packed += n - j, ++j)
    for (Index i = 0; i < n - j; ++i) a[j * (lda + 1) + i] += packed[i];
}

// Columns `from` and later of a lower triangle become those of the identity; what is above it stays.
template <Scalar T>
void finish_as_identity(Index n, Index from, T* a, Index lda) {
  for (Index j = from; j < n; ++j) {
    std::fill_n(a + j * (lda + 1), n - j, T(0));
    a[j * (lda + 1)] = T(1);
  }
}

}  // namespace cairn::factor
