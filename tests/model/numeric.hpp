// Searches that know nothing of the formulas they check.
#pragma once

#include <algorithm>
#include <cmath>

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

inline double relative(double x, double y) {
  return std::abs(x - y) / std::max({std::abs(x), std::abs(y), 1e-300});
}

}  // namespace cairn::test
