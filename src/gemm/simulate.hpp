// A Program on a Machine: when each operation starts and ends if a message costs alpha, a word beta and an
// operation gamma.
#pragma once

#include "gemm/program.hpp"
#include "model/machine.hpp"

namespace cairn::gemm {

struct Step {
  int operation = 0;  // of the Program
  double start = 0;
  double end = 0;
};

struct Timeline {
  std::vector<Step> steps;  // one an operation, in the order of the Program
  double seconds = 0;       // when the last one is over
  double communicating = 0;
  double computing = 0;
};

// alpha * messages + beta * words, of the larger direction; a word has 8 bytes.
double seconds(const comm::Counters& moved, const model::Machine& machine);

// One link and one core: operations of a kind follow each other, communication runs while the core computes,
// as far as the Program's waits allow. The partners are taken to be ready.
Timeline simulate(const Program& program, const model::Machine& machine);

}  // namespace cairn::gemm
