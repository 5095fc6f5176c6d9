#include "comm/element.hpp"

#include <algorithm>

namespace cairn::comm {
namespace {

struct Sum {
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x + y);
  }
};
struct Max {
  template <class T>
  T operator()(T x, T y) const {
    return std::max(x, y);
  }
};
struct Min {
  template <class T>
  T operator()(T x, T y) const {
    return std::min(x, y);
  }
};

// `out` is a or b or apart from them: no element depends on another one.
template <class T, class F>
[[gnu::always_inline]] inline void combine_each(const void* a, const void* b, void* out, Index count) {
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(b);
  T* z = static_cast<T*>(out);
#ifndef __clang__
#pragma GCC ivdep
#endif
  for (Index i = 0; i < count; ++i) z[i] = F{}(x[i], y[i]);
}

template <class T, class F>
void combine(const void* a, const void* b, void* out, Index count) {
  combine_each<T, F>(a, b, out, count);
}

#ifdef __x86_64__
// The same loop for processors with wider registers; the same sums to the last bit.
template <class T, class F>
[[gnu::target("avx2")]] void combine_wide(const void* a, const void* b, void* out, Index count) {
  combine_each<T, F>(a, b, out, count);
}
#endif

template <class T, class F>
Combine fastest() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") != 0) return &combine_wide<T, F>;
#endif
  return &combine<T, F>;
}

template <class T>
constexpr bool is_ordered = std::is_arithmetic_v<T>;

template <class T>
ElementType make_type() {
  ElementType type{.bytes = sizeof(T), .sum = fastest<T, Sum>()};
  if constexpr (is_ordered<T>) {
    type.max = fastest<T, Max>();
    type.min = fastest<T, Min>();
  }
  return type;
}

}  // namespace

template <Reducible T>
const ElementType& reducible_type() {
  static const ElementType type = make_type<T>();
  return type;
}

template const ElementType& reducible_type<float>();
template const ElementType& reducible_type<double>();
template const ElementType& reducible_type<std::complex<float>>();
template const ElementType& reducible_type<std::complex<double>>();
template const ElementType& reducible_type<std::int32_t>();
template const ElementType& reducible_type<std::int64_t>();
template const ElementType& reducible_type<std::uint64_t>();

}  // namespace cairn::comm
