// What a message is made of, known at run time: the size of an element and how two of them are combined.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/size.hpp"

namespace cairn::comm {

enum class ReduceOp { sum, max, min };

// out[i] := a[i] (op) b[i]; out may be a or b.
using Combine = void (*)(const void* a, const void* b, void* out, Index count);

struct ElementType {
  Index bytes = 1;
  Combine sum = nullptr;  // null where the type cannot be combined so
  Combine max = nullptr;
  Combine min = nullptr;

  Combine combine(ReduceOp op) const { return op == ReduceOp::sum ? sum : op == ReduceOp::max ? max : min; }
};

template <class T>
concept Transferable = std::is_trivially_copyable_v<T>;

// Types that can be reduced; complex numbers have a sum and no order.
template <class T>
inline constexpr bool is_reducible = false;
template <>
inline constexpr bool is_reducible<float> = true;
template <>
inline constexpr bool is_reducible<double> = true;
template <>
inline constexpr bool is_reducible<std::complex<float>> = true;
template <>
inline constexpr bool is_reducible<std::complex<double>> = true;
template <>
inline constexpr bool is_reducible<std::int32_t> = true;
template <>
inline constexpr bool is_reducible<std::int64_t> = true;
template <>
inline constexpr bool is_reducible<std::uint64_t> = true;

template <class T>
concept Reducible = is_reducible<T>;

template <Reducible T>
const ElementType& reducible_type();

template <Transferable T>
const ElementType& element_type() {
  if constexpr (Reducible<T>) {
    return reducible_type<T>();
  } else {
    static const ElementType type{.bytes = sizeof(T)};
    return type;
  }
}

// A span whose element type is known at run time.
struct ConstData {
  const void* data = nullptr;
  Index count = 0;
  const ElementType* type = nullptr;

  ConstData() = default;
  template <Transferable T>
  ConstData(std::span<T> s)  // NOLINT(google-explicit-constructor): every span is data
      : data(s.data()), count(static_cast<Index>(s.size())), type(&element_type<std::remove_const_t<T>>()) {}
};

struct Data {
  void* data = nullptr;
  Index count = 0;
  const ElementType* type = nullptr;

  Data() = default;
  template <Transferable T>
  requires(!std::is_const_v<T>) Data(std::span<T> s)  // NOLINT(google-explicit-constructor)
      : data(s.data()), count(static_cast<Index>(s.size())), type(&element_type<T>()) {}
};

}  // namespace cairn::comm
