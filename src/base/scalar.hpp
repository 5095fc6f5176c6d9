// The four scalar types of every operation, as C++ types and as a value known at run time.
#pragma once

#include <complex>
#include <concepts>
#include <limits>
#include <string_view>

namespace cairn {

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

template <class T>
concept Scalar = requires {
  { ScalarTraits<T>::letter } -> std::convertible_to<char>;
};

template <Scalar T>
using Real = typename ScalarTraits<T>::Real;

template <Scalar T>
constexpr T conj(T x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return std::conj(x);
  else
    return x;
}

std::string_view name(ScalarType type);  // "float", "double", "complex<float>", "complex<double>"
int bytes(ScalarType type);              // of one scalar
ScalarType parse_scalar_type(std::string_view text);  // s | d | c | z, or a name as printed by name()

// Calls f.template operator()<T>() with the C++ type that belongs to `type`.
template <class F>
decltype(auto) dispatch(ScalarType type, F&& f) {
  switch (type) {
    case ScalarType::f32:
      return f.template operator()<float>();
    case ScalarType::f64:
      return f.template operator()<double>();
    case ScalarType::c32:
      return f.template operator()<std::complex<float>>();
    case ScalarType::c64:
      break;
  }
  return f.template operator()<std::complex<double>>();
}

}  // namespace cairn
