// The constant of the optimisation problem when several covers have the least exponent.
#pragma once

#include "daap/rational.hpp"

namespace cairn::daap {

struct EntropyMinimum {
  RationalVector weights;
  bool exact = false;  // the stationarity conditions hold in exact arithmetic
};

// Minimises sum_j w_j log(w_j / c_j) over w = start + span(basis), w >= 0; start is positive wherever the
// basis moves it. Found by Newton's method, rounded to the nearby rational point on the same plane, and
// proven by prod_j (w_j / c_j)^d_j = 1 for every direction d.
EntropyMinimum minimise_entropy(const RationalVector& start, const RationalMatrix& basis,
                                const RationalVector& factors);

}  // namespace cairn::daap
