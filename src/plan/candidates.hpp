// Comparing candidates, whatever the layouts.
#pragma once

#include "plan/plan.hpp"

namespace cairn::plan {

// Received by the busiest rank, or sent where that is more.
Index busiest_words(const Candidate& candidate);

// What is minimised.
double objective_of(const Candidate& candidate, const Settings& settings);

// On the Programs of all ranks: what the run will move and hold.
gemm::Totals counted_totals(const gemm::Schedule& schedule, int ranks);

// By how much a candidate loses, and where most of it.
std::string why_lost(const Candidate& candidate, const Candidate& best, const Settings& settings);

// Counted on all ranks, for matrices that are placed: what the run will move.
void count_all_ranks(Candidate& candidate, int ranks, const Settings& settings);

// Bytes of the rank that holds most, where matrices are placed: its parts of A, B and C and all work memory.
Index memory_of_placed(const gemm::Schedule& schedule, int ranks);

}  // namespace cairn::plan
