// How far rounding can take a fast product, before it is run.
#pragma once

#include "gemm/fast/steps.hpp"

namespace cairn::gemm::fast {

// The most by which one level multiplies the error of the level below: max over the blocks of C of
// sum_r |c_r| |a_r|_1 |b_r|_1. Strassen 12, Winograd 18, classical k0.
double stability_factor(const Bilinear& algorithm);

// Norm-wise, first order in the roundoff u (half of epsilon), for C := alpha op(A) op(B) + beta C with
// |X| = max |x_ij| (the modulus of complex numbers):
//   |computed - exact|  <=  u (product |alpha| |A| |B|  +  kept |beta| |C|).
// It follows the recipe step by step, whatever the order of its sums. BLAS: product = k (k + 2).
struct ErrorBound {
  double product = 0;
  double kept = 0;
};
ErrorBound error_bound(const LocalProduct& p, ScalarType type);

// Of a schedule between ranks: its steps are levels, then those inside a rank.
ErrorBound error_bound(const FastSchedule& schedule);
double error_growth(const FastSchedule& schedule);

// error_bound of the product over that of BLAS: 1 without levels.
double error_growth(const LocalProduct& p, ScalarType type);

// u of a type: 2^-24 or 2^-53.
double unit_roundoff(ScalarType type);

}  // namespace cairn::gemm::fast
