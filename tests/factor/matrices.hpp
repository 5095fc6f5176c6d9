// Matrices whose elements follow from their indices, the same on every rank.
#pragma once

#include <cmath>

#include "base/scalar.hpp"

namespace cairn::test {

// In (-1, 1), from the bits of (i, j, seed).
inline double random_at(Index i, Index j, Index seed) {
  auto x = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL ^
           static_cast<std::uint64_t>(j) * 0xC2B2AE3D27D4EB4FULL ^
           static_cast<std::uint64_t>(seed) * 0x165667B19E3779F9ULL;
  x ^= x >> 33;
  x *= 0xFF51AFD7ED558CCDULL;
  x ^= x >> 33;
  x *= 0xC4CEB9FE1A85EC53ULL;
  x ^= x >> 33;
  return static_cast<double>(x >> 11) * 0x1p-52 - 1;
}

template <Scalar T>
T uniform_at(Index i, Index j, Index seed = 1) {
  const auto re = static_cast<Real<T>>(random_at(i, j, seed));
  if constexpr (ScalarTraits<T>::is_complex)
    return T(re, static_cast<Real<T>>(random_at(i, j, seed + 1000)));
  else
    return re;
}

// Hermitian and positive definite by its diagonal.
template <Scalar T>
T definite_at(Index i, Index j, Index n, Index seed = 1) {
  if (i == j) return T(static_cast<Real<T>>(2 * n));
  return i > j ? uniform_at<T>(i, j, seed) : conj(uniform_at<T>(j, i, seed));
}

}  // namespace cairn::test
