// What rounding explains of the difference of two sides of an equation. docs/internals/verify.md has the analysis.
#pragma once

#include <cmath>

#include "check/vectors.hpp"
#include "check/verdict.hpp"

namespace cairn::check {

// tolerance of row i = relative_tolerance * (|A| |B| 1 + |C0| 1)_i for sums of up to k products in up to n columns, and
// a little more for underflow. `growth`: of an algorithm whose bound is this many times that of a classical product. An
// error of one element above twice the tolerance is always found.
template <Scalar T>
double relative_tolerance(Index n, Index k, double growth = 1);

struct Tolerance {
  double relative = 0;         // of the sum of absolute values
  double absolute = 0;         // underflow
  double overflow = INFINITY;  // a row with larger sums may rightly be infinite
};

// For rows scaled by 2^-exponent. `largest` and `least` bound the |factors| of the products.
struct Factors {
  double largest = 1;
  double least = 1;
};
template <Scalar T>
Tolerance tolerance_of(Index n, Index k, double growth = 1, const Factors& factors = {}, int exponent = 0);

// The differences of all rows, scaled by 2^-exponent, beside the sums of absolute values they are compared with. Row i
// of the vectors is row `first` + i of the result.
Verdict judge(const VectorSet& rows, const Tolerance& tolerance, int exponent = 0, Index first = 0);

}  // namespace cairn::check
