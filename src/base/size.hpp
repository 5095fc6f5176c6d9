// Sizes are 64-bit everywhere; arithmetic on sizes that come from outside and every narrowing is checked.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "cairn/types.hpp"

namespace cairn {

// `value` as a `To`, or an OverflowError that names the quantity: narrow<int>(count, "count of a message").
template <std::integral To, std::integral From>
To narrow(From value, std::string_view name) {
  if (!std::in_range<To>(value))
    fail<OverflowError>("{} is {}, which does not fit a {}-bit integer", name, value, 8 * sizeof(To));
  return static_cast<To>(value);
}

inline Index checked_add(Index a, Index b, std::string_view name) {
  Index sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) fail<OverflowError>("{}: {} + {} exceeds 64 bits", name, a, b);
  return sum;
}

inline Index checked_mul(Index a, Index b, std::string_view name) {
  Index product = 0;
  if (__builtin_mul_overflow(a, b, &product)) fail<OverflowError>("{}: {} * {} exceeds 64 bits", name, a, b);
  return product;
}

// A size as the standard library's containers index, and as formulas compute.
constexpr std::size_t at_index(Index i) { return static_cast<std::size_t>(i); }
constexpr double as_real(Index value) { return static_cast<double>(value); }

// The least q with q * b >= a, for a >= 0 and b > 0.
constexpr Index ceil_div(Index a, Index b) { return a / b + (a % b != 0 ? 1 : 0); }

inline Index require_not_negative(Index value, std::string_view name) {
  require(value >= 0, "{} is {}, expected 0 or more", name, value);
  return value;
}

}  // namespace cairn
