// Throwing errors with formatted text.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "cairn/error.hpp"

namespace cairn {

// fail<ArgumentError>("root is {}, expected 0 <= root < {}", root, size)
template <class E = ArgumentError, class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw E(fmt::format(format, std::forward<Args>(args)...));
}

// require(root < size, "root is {}, expected ...", root)
template <class E = ArgumentError, class... Args>
void require(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) fail<E>(format, std::forward<Args>(args)...);
}

}  // namespace cairn
