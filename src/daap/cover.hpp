// The exponents of the optimisation problem of section 3.2: a fractional cover of the tile variables by the
// input accesses.
//
// For weights w_j >= 0 that cover every variable t, sum_{j contains t} w_j >= 1, the weighted arithmetic-
// geometric mean inequality gives for all tile sizes x_t >= 1 with sum_j c_j prod_{t in j} x_t <= X
//     prod_t x_t <= X^sigma prod_j (w_j / (sigma c_j))^w_j,   sigma = sum_j w_j.
// The best weights minimise the exponent first (a linear program) and the constant among those. They are the
// scaled KKT multipliers: at the optimum, access j takes the part w_j / sigma of X.
#pragma once

#include <optional>
#include <vector>

#include "daap/simplex.hpp"

namespace cairn::daap {

struct CoverProblem {
  RationalMatrix incidence;  // [access][variable], 0 or 1
  RationalVector growth;  // of the size an access may have, as a power of M: 1, or more if c_j falls with M
  std::vector<std::optional<Rational>> factors;  // c_j where it is a rational number
};

struct Cover {
  RationalVector weights;
  bool optimal = true;  // false: weights are a rational point near the optimum, still a valid cover
};

Cover best_cover(const CoverProblem& problem, WorkBudget& budget);

}  // namespace cairn::daap
