#include "comm/element.hpp"

#include <algorithm>

namespace cairn::comm {
namespace {

template <class T, class F>
void combine_each(const void* a, const void* b, void* out, Index count, F f) {
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(b);
  T* z = static_cast<T*>(out);
  for (Index i = 0; i < count; ++i) z[i] = f(x[i], y[i]);
}

template <class T>
void sum(const void* a, const void* b, void* out, Index count) {
  combine_each<T>(a, b, out, count, [](T x, T y) { return static_cast<T>(x + y); });
}

template <class T>
void max(const void* a, const void* b, void* out, Index count) {
  combine_each<T>(a, b, out, count, [](T x, T y) { return std::max(x, y); });
}

template <class T>
void min(const void* a, const void* b, void* out, Index count) {
  combine_each<T>(a, b, out, count, [](T x, T y) { return std::min(x, y); });
}

template <class T>
constexpr bool is_ordered = std::is_arithmetic_v<T>;

template <class T>
ElementType make_type() {
  ElementType type{.bytes = sizeof(T), .sum = &sum<T>};
  if constexpr (is_ordered<T>) {
    type.max = &max<T>;
    type.min = &min<T>;
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
