// The grid that moves fewest words among those that fit a memory limit, for thousands of ranks.
#pragma once

#include <limits>

#include "plan/plan.hpp"

namespace cairn::bench {

// Grids with at most 1.10 of an even share of the work, tried from the fewest words on average upwards until
// one fits with some number of rounds; then the fewest rounds that fit. Takes no account of the busiest rank
// until then: plan::plan_multiply does, which takes minutes under a limit where this takes a second. Throws
// MemoryError if none fits. `most_layers`: parts of k at most; 1: the two-dimensional algorithms.
plan::Plan plan_within_memory(const gemm::Problem& problem, int ranks, const plan::Settings& settings,
                              int most_layers = std::numeric_limits<int>::max());

}  // namespace cairn::bench
