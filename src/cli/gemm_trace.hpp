// The trace of a multiply as the trace of any operation.
#pragma once

#include <vector>

#include "gemm/trace.hpp"
#include "program/trace.hpp"

namespace cairn::cli {

std::vector<program::TraceEvent> general_trace(const std::vector<gemm::TraceEvent>& events);

// Up to so many ranks a simulated timeline shows all; beyond that rank 0 and the one that receives most words.
inline constexpr int most_simulated_ranks = 64;
std::vector<int> simulated_ranks(int ranks, int busiest);

// "rank 3, brick (1, 0, 1)"
std::string brick_name(const gemm::Grid& grid, int rank, int brick);

}  // namespace cairn::cli
