// The four scalar types of every operation, as C++ types and as a value known at run time.
#pragma once

#include <string_view>

#include "cairn/types.hpp"

namespace cairn {

template <Scalar T>
using Real = typename ScalarTraits<T>::Real;

template <Scalar T>
constexpr T conj(T x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return std::conj(x);
  else
    return x;
}

std::string_view name(ScalarType type);   // "float", "double", "complex<float>", "complex<double>"
int bytes(ScalarType type);               // of one scalar
double flops_per_voxel(ScalarType type);  // real operations of one multiply and one add
constexpr bool is_complex(ScalarType type) { return type == ScalarType::c32 || type == ScalarType::c64; }
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
