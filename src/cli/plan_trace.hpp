// The simulated timeline of a plan as a trace.
#pragma once

#include <string>

#include "plan/placed.hpp"

namespace cairn::cli {

// Up to so many ranks all are shown; beyond that rank 0 and the one that receives most words.
inline constexpr int most_simulated_ranks = 64;

// The text of a trace file. Native: ranks of the grid; placed: ranks of the communicator.
std::string simulated_trace_text(const plan::Plan& plan, const bounds::Machine& machine);
std::string simulated_trace_text(const plan::PlacedPlan& plan, const bounds::Machine& machine);

}  // namespace cairn::cli
