// Questions about sets of integer points given by affine constraints.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "daap/affine.hpp"
#include "daap/program.hpp"
#include "daap/simplex.hpp"

namespace cairn::daap {

enum class Relation { equal_zero, not_negative };

struct Constraint {
  Affine form;
  Relation relation = Relation::not_negative;
};
using Constraints = std::vector<Constraint>;

inline Constraint equal(const Affine& a, const Affine& b) { return {a - b, Relation::equal_zero}; }
inline Constraint at_least(const Affine& a, const Affine& b) { return {a - b, Relation::not_negative}; }
inline Constraint less(const Affine& a, const Affine& b) { return at_least(b, a + 1); }

// Whether integers may satisfy all constraints. False is certain (no rational point, or an equation whose
// coefficients have a common divisor that its constant lacks); true may err.
bool maybe_feasible(const Constraints& constraints, WorkBudget& budget);

// lower <= variable < upper for every loop, and every parameter >= 1.
Constraints domain_constraints(const std::vector<Loop>& loops, const std::vector<std::string>& parameters);

}  // namespace cairn::daap
