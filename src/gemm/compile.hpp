// From a Schedule to the Program of one rank: gathers, multiplies and combines on places that are known, round
// by round. Native layouts and users' layouts are one compiler: a face is the matrix as it lies, a collective
// along a fibre, or an exchange.
#pragma once

#include "gemm/schedule.hpp"
#include "program/program.hpp"

namespace cairn::gemm {

// Arrays 1, 2, 3 are A, B, C on this rank, parameters 0 and 1 alpha and beta. Ranks without a brick have no
// actions on native layouts, and take part in exchanges of placed ones. Exchanges are planned here. `ranks`: of
// the communicator; 0: those of the grid. `leading`: of the memory of placed matrices, 0: the least.
// Pure; O(rounds) actions. Throws ArgumentError for a schedule that does not pass check().
program::Program compile(const Schedule& schedule, int rank, int ranks = 0,
                         const std::array<Index, 3>& leading = {});

// Elements of the work memory on native layouts, the same on all ranks of the grid: the faces of the longest
// parts, with their slots.
Index work_count(const Schedule& schedule);

}  // namespace cairn::gemm
