// A Placed multiply on a Machine: when each exchange and each local product of one rank starts and ends.
#pragma once

#include "gemm/placed.hpp"
#include "gemm/simulate.hpp"

namespace cairn::gemm {

struct PlacedStep {
  enum class Kind : std::uint8_t { gather, multiply, combine };
  Kind kind = Kind::gather;
  Index round = 0;
  double start = 0;
  double end = 0;
  comm::Counters moved = {};  // nothing where it multiplies
};

struct PlacedTimeline {
  std::vector<PlacedStep> steps;  // in the order in which they are started
  double seconds = 0;             // when the last one is over
};

// One link and one core, as in simulate() of a Program, on the exchanges that run: the next gather and the
// last combine are under way while a round multiplies if placed.lookahead says so. Packing costs nothing, and
// the partners are taken to be ready. O(rounds) exchange plans.
PlacedTimeline simulate(const Placed& placed, int rank, int ranks, const model::Machine& machine);

}  // namespace cairn::gemm
