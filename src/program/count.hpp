// What a Program moves, computes and holds, without MPI.
#pragma once

#include "program/program.hpp"

namespace cairn::program {

struct Counts {
  std::vector<comm::Counters> moved;  // by phase of the Program
  double flops = 0;                   // real multiplications and additions, of products and kernels
  Index work_bytes = 0;               // the work memory
  Index transient_bytes = 0;          // most that communication under way holds besides, at most

  comm::Counters total() const;
  Index held_bytes() const { return work_bytes + transient_bytes; }
};

// Of one rank, on the very schedules and exchanges that run.
Counts count(const Program& program);

// What one phase moves.
comm::Counters moved_in(const Program& program, std::string_view phase);

double flops_of(const Action& action, ScalarType type);

}  // namespace cairn::program
