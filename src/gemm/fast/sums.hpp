// Several linear combinations of the same inputs as a list of steps of at most two summands each, what they
// have in common computed once. The additions of a bilinear algorithm are three of these: of the blocks of A,
// of the blocks of B, and of the products.
#pragma once

#include <span>
#include <vector>

#include "gemm/fast/rational.hpp"

namespace cairn::gemm::fast {

// Values are numbered: the inputs first, then one for each step.
struct SumStep {
  int x = 0;
  int y = -1;  // none: the step scales x
  Rational cx = 1;
  Rational cy = 0;
};

struct Sums {
  int inputs = 0;
  std::vector<SumStep> steps;
  std::vector<int> outputs;  // the value of each; -1: zero

  int additions() const;
};

// rows[i][j]: the coefficient of input j in output i. Greedy: the pair of values that most outputs share (up
// to a factor) becomes a value, until no pair is shared (Paar's heuristic).
Sums eliminate(std::span<const std::vector<Rational>> rows, int inputs);

}  // namespace cairn::gemm::fast
