// What a schedule costs on a machine, phase by phase: a phase is over when its busiest rank is.
#pragma once

#include "bounds/machine.hpp"
#include "gemm/schedule.hpp"

namespace cairn::gemm {

struct PhaseSeconds {
  double gather_a = 0;
  double gather_b = 0;
  double gather = 0;  // exchanges of A, B and C together, where the matrices are placed
  double multiply = 0;
  double combine_c = 0;

  double total() const { return gather_a + gather_b + multiply + combine_c + gather; }
};

// alpha * messages + beta * words of the busiest rank of each collective, counted on the comm::RankSchedules that
// would run, in the fibres with the largest faces (those of rank 0), and gamma * flops of the largest brick.
// No overlap. A word has 8 bytes.
PhaseSeconds phase_seconds(const Schedule& schedule, const Machine& machine);

}  // namespace cairn::gemm
