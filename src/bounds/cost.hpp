// What an algorithm costs one rank.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/size.hpp"
#include "bounds/machine.hpp"

namespace cairn::bounds {

// Along the critical path, for the busiest rank. Words are words received unless a function says otherwise.
struct Cost {
  double words = 0;
  double messages = 0;
  double flops = 0;   // real additions and multiplications
  double memory = 0;  // words that a rank needs at most; 0 where the source does not say
};

// One after the other: costs add, the memory is reused.
constexpr Cost operator+(const Cost& x, const Cost& y) {
  return {x.words + y.words, x.messages + y.messages, x.flops + y.flops, std::max(x.memory, y.memory)};
}

// The same, `times` times.
constexpr Cost operator*(double times, const Cost& x) {
  return {times * x.words, times * x.messages, times * x.flops, x.memory};
}

constexpr double seconds(const Cost& cost, const Machine& machine) {
  return machine.alpha * cost.messages + machine.beta * cost.words + machine.gamma * cost.flops;
}

inline void require_positive(double value, std::string_view name) {
  require(value > 0, "{} is {}, expected more than 0", name, value);
}

inline void require_positive(Index value, std::string_view name) {
  require(value > 0, "{} is {}, expected 1 or more", name, value);
}

}  // namespace cairn::bounds
