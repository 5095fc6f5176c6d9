// Searches that know nothing of the formulas they check.
#pragma once

#include <algorithm>
#include <cmath>

#include "bounds/cost.hpp"

namespace cairn::test {

// The argument in [low, high] at which a function with one valley is least.
template <class F>
double argmin(F f, double low, double high) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double x = high - golden * (high - low);
  double y = low + golden * (high - low);
  for (int i = 0; i < 300; ++i) {
    if (f(x) < f(y)) {
      high = y;
    } else {
      low = x;
    }
    x = high - golden * (high - low);
    y = low + golden * (high - low);
  }
  return (low + high) / 2;
}

// Rounds until a word that one rank has has reached all, each rank telling one other in a round.
inline Index rounds_to_reach(Index ranks) {
  Index rounds = 0;
  for (Index reached = 1; reached < ranks; reached *= 2) ++rounds;
  return rounds;
}

// Events that this many updates need with `red` words, phase by phase: the first phase finds nothing in fast
// memory and has 3 red of them, the others 2 red; constant * X^(3/2) updates on X elements.
inline Index count_events(double updates, Index red, double constant) {
  const auto most = [&](Index elements) { return constant * std::pow(as_real(elements), 1.5); };
  Index events = 0;
  for (Index phase = 3 * red; updates > most(3 * red) * (1 - 1e-12); phase = 2 * red) {
    updates -= most(3 * red);
    events += phase;
  }
  Index elements = events > 0 ? red : 0;
  for (; most(elements) < updates * (1 - 1e-12); ++elements) ++events;
  return events;
}

inline double relative(double x, double y) {
  return std::abs(x - y) / std::max({std::abs(x), std::abs(y), 1e-300});
}

}  // namespace cairn::test
