// Choosing how to multiply matrices that already lie somewhere: each of them in place, or bricks of any grid,
// cut evenly or as the users' matrices are dealt, on those ranks that have most of what they need. Pure: no
// MPI, the same answer on every rank. docs/internals/placed.md.
#pragma once

#include "gemm/placed.hpp"
#include "plan/plan.hpp"

namespace cairn::plan {

struct PlacedCandidate {
  gemm::Placed placed = {};
  Index words_total = 0;     // received by all ranks, one round
  double words_busiest = 0;  // received by one rank; the mean where `counted` is false
  double messages = 0;       // received by the busiest rank; an estimate where `counted` is false
  bool counted = false;      // on the exchanges of every rank
  double work = 0;           // largest brick over mnk/P
  double seconds = 0;
  Index memory_bytes = 0;  // of the rank that holds most, its parts of A, B and C included; 0: not asked for
  std::string why = {};
};

struct PlacedPlan {
  int ranks = 0;
  PlacedCandidate best = {};
  std::vector<PlacedCandidate> candidates = {};  // best first
};

// Bytes of the rank that holds most: its parts of A, B and C and all work memory.
Index memory_of(const gemm::Placed& placed, int ranks);

// The best for a product whose stored A, B and C are laid out so. Other objectives than
// time: work_limit holds for bricks that follow no matrix. With memory_bytes the fewest rounds that fit;
// MemoryError with the least that was seen where nothing does.
PlacedPlan plan_placed(const gemm::Problem& problem, const std::array<layout::Layout, 3>& matrices, int ranks,
                       const Settings& settings = {});

}  // namespace cairn::plan
