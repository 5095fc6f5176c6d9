// What a Program moves, computes and holds, without MPI: for one rank, and for the busiest of all ranks of a
// schedule in closed form over the few kinds of ranks there are.
#pragma once

#include <vector>

#include "comm/traffic.hpp"
#include "gemm/schedule.hpp"

namespace cairn::program {
struct Program;
}

namespace cairn::gemm {

// What the Program of one rank moves of one matrix on native layouts, on the very comm::RankSchedules that run.
comm::Counters moved_of(const program::Program& program, Matrix matrix);

// What one rank moves of one matrix, moved_of its Program. Rounds of equal size
// are counted once.
comm::Counters moved(const Schedule& schedule, Matrix matrix, const Coordinates& at);

// Positions among which every figure of the collectives of `matrix` in the fibre of `at` (words and messages,
// sent and received, and sums of them) is the largest, within each of the ranges [0, split) and [split, p).
// Sorted.
std::vector<int> extreme_positions(const Schedule& schedule, Matrix matrix, const Coordinates& at, int split);

// Flops of the largest brick, which is rank 0's.
double brick_flops(const Schedule& schedule);

// Received by all ranks of a grid together: every element of A by all but one of the pn ranks that need it,
// and so on. An Index is exact, a double cannot overflow.
template <class Number>
Number words_of_all(const Problem& p, const Grid& g) {
  if (!p.multiplies()) return 0;
  const auto m = static_cast<Number>(p.m), n = static_cast<Number>(p.n), k = static_cast<Number>(p.k);
  return m * k * static_cast<Number>(g.pn - 1) + k * n * static_cast<Number>(g.pm - 1) +
         m * n * static_cast<Number>(g.pk - 1);
}

// Over all ranks of the grid.
struct Totals {
  Index ranks = 0;           // of the grid
  Index words_total = 0;     // words_of_all
  Index words_received = 0;  // by the busiest rank
  Index words_sent = 0;
  Index messages_received = 0;
  Index messages_sent = 0;
  double flops = 0;      // of the busiest
  Index work_bytes = 0;  // of the one that holds most
};

// Each figure is the largest over all ranks. Ranks differ only in whether their parts and slices are longer
// or shorter, so that a handful stands for all: O(log P) collectives are counted, not P.
Totals totals(const Schedule& schedule);

// totals(schedule).work_bytes alone, and the work memory of rank 0, which is at most that. O(log rounds).
Index native_work_bytes(const Schedule& schedule);
Index native_work_bytes_of_first(const Schedule& schedule);

// One that receives as many words as totals() has for the busiest.
int busiest_rank(const Schedule& schedule);

}  // namespace cairn::gemm
