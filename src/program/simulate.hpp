// A Program on a Machine: when each action starts and ends if a message costs alpha, a word beta and an
// operation gamma.
#pragma once

#include "bounds/machine.hpp"
#include "program/program.hpp"
#include "program/trace.hpp"

namespace cairn::program {

struct Step {
  int action = 0;  // of the Program
  double start = 0;
  double end = 0;
  comm::Counters moved = {};
};

struct Timeline {
  std::vector<Step> steps;  // one an action, in the order of the Program
  double seconds = 0;       // when the last one is over
  double communicating = 0;
  double computing = 0;
};

// alpha * messages + beta * words, of the larger direction; a word has 8 bytes.
double seconds(const comm::Counters& moved, const Machine& machine);

// One link and one core: actions of a kind follow each other, communication runs while the core computes, as
// far as the Program's waits allow. The partners are taken to be ready.
Timeline simulate(const Program& program, const Machine& machine);

// The same as a trace: every action, and what the core waits for. There is one link, so one lane of it.
std::vector<TraceEvent> trace_of(const Program& program, const Timeline& line);

}  // namespace cairn::program
