// The few types every operation of Cairn shares: sizes, the four scalar types, and op(X).
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>

namespace cairn {

// Sizes and indices, everywhere.
using Index = std::int64_t;

// op(X): X, its transpose, its conjugate transpose.
enum class Op { none, transpose, adjoint };

// The half of a square matrix that is read and written.
enum class Triangle { lower, upper };
// Whether the diagonal of a triangle is stored, or all ones and never read.
enum class Diagonal { stored, unit };
// op(T) X = B, or X op(T) = B.
enum class Side { left, right };

// float, double, std::complex<float>, std::complex<double>, as a value known at run time.
enum class ScalarType { f32, f64, c32, c64 };

template <class T>
struct ScalarTraits;

namespace detail {
template <class R, bool Complex, ScalarType Type, char Letter>
struct ScalarTraitsOf {
  using Real = R;
  static constexpr bool is_complex = Complex;
  static constexpr ScalarType type = Type;
  static constexpr char letter = Letter;  // as in BLAS names: s, d, c, z
  // Unit roundoff: half the distance from 1 to the next number.
  static constexpr R roundoff = std::numeric_limits<R>::epsilon() / 2;
  // Real operations of one multiply and one add.
  static constexpr int flops_per_voxel = Complex ? 8 : 2;
};
}  // namespace detail

template <>
struct ScalarTraits<float> : detail::ScalarTraitsOf<float, false, ScalarType::f32, 's'> {};
template <>
struct ScalarTraits<double> : detail::ScalarTraitsOf<double, false, ScalarType::f64, 'd'> {};
template <>
struct ScalarTraits<std::complex<float>> : detail::ScalarTraitsOf<float, true, ScalarType::c32, 'c'> {};
template <>
struct ScalarTraits<std::complex<double>> : detail::ScalarTraitsOf<double, true, ScalarType::c64, 'z'> {};

// One of the four.
template <class T>
concept Scalar = requires {
  { ScalarTraits<T>::letter } -> std::convertible_to<char>;
};

}  // namespace cairn
