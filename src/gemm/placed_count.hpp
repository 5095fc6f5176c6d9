// What all ranks move of matrices that are placed, without their Programs.
#pragma once

#include "comm/traffic.hpp"
#include "gemm/count.hpp"
#include "gemm/placement.hpp"

namespace cairn::gemm {

// program::count(compile(schedule, rank, ranks)).total() of every rank. O(rounds x pairs of ranks that exchange
// something).
std::vector<comm::Counters> count_placed(const Schedule& schedule, int ranks);

// The largest of each figure, and the sum; flops and work memory are left at 0.
Totals totals_of_placed(const Schedule& schedule, int ranks);

}  // namespace cairn::gemm
