// All grids with at most P ranks, the best few of them.
#pragma once

#include "plan/estimate.hpp"
#include "plan/plan.hpp"

namespace cairn::plan {

struct Found {
  double cost = 0;  // seconds, or words of the busiest rank
  double work = 0;  // voxels of the largest brick
  gemm::Schedule schedule = {};
};

// The `settings.candidates` best schedules, best first; among equals less work, then fewer ranks. `wanted`
// has everything but the grid and the rounds, and a problem that multiplies. Empty where nothing fits the
// memory; `least_memory` is then set to the least that any of them needs.
std::vector<Found> search(const gemm::Schedule& wanted, int ranks, const Settings& settings,
                          Index& least_memory);

// Bytes of the rank that holds most: its parts of A, B and C and its work memory.
Index memory_bytes(const gemm::Schedule& schedule, const gemm::Totals& totals);

}  // namespace cairn::plan
