// Linear programs over the rationals, solved exactly: the exponents of section 3.2 and all questions about
// iteration domains. Programs are tiny (tens of variables), so a dense tableau with Bland's rule does.
#pragma once

#include <optional>

#include "daap/rational.hpp"

namespace cairn::daap {

// Counts the tableau entries touched, and throws an ArgumentError when there are more than most_simplex_work:
// no program text may keep the analysis busy for long.
class WorkBudget {
 public:
  void spend(std::size_t entries);

 private:
  long long spent_ = 0;
};

// minimise cost . x  subject to  equal x = equal_to,  least x >= at_least,  x >= 0
struct LinearProgram {
  RationalVector cost;
  RationalMatrix equal;
  RationalVector equal_to;
  RationalMatrix least;
  RationalVector at_least;
};

struct LinearOptimum {
  RationalVector x;
  Rational value;
};

// Nothing if no x is feasible. The cost must be bounded below; if it is not, an ArgumentError is thrown.
std::optional<LinearOptimum> minimise(const LinearProgram& program, WorkBudget& budget);

}  // namespace cairn::daap
