// The memory of plans against brute force over all grids and all numbers of rounds.
#include <gtest/gtest.h>

#include "gemm/compile.hpp"
#include "plan/brute_force.hpp"
#include "program/count.hpp"

namespace cairn::plan::test {
namespace {

using gemm::Schedule;

// Bytes of the rank that holds most, from the Programs of all ranks: the longest parts of A, B and C, and the
// most work memory.
Index held(const Schedule& s) {
  Index own = 0, work = 0;
  for (int rank = 0; rank < s.grid.ranks(); ++rank) {
    const program::Program program = gemm::compile(s, rank);
    Index elements = 0;
    for (std::size_t x = 1; x <= 3; ++x) elements += program.array_counts[x];
    own = std::max(own, elements * bytes(s.problem.type));
    work = std::max(work, program::count(program).held_bytes());
  }
  return own + work;
}

Index least_memory(Schedule s, Index ranks, double most_work) {
  Index least = std::numeric_limits<Index>::max();
  const Problem& p = s.problem;
  for_each_grid(ranks, [&](Index x, Index y, Index z) {
    if (brick(p, x, y, z) > most_work) return;
    s.grid = {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
    for (const gemm::Dim along : gemm::all_dims)
      for (Index count = 1; count <= p.size(along); ++count) {
        s.rounds = count == 1 ? Rounds{} : Rounds{along, count};
        least = std::min(least, held(s));
      }
  });
  return least;
}

double allowed_work(const Problem& p, Index ranks, const Settings& settings) {
  if (settings.objective == Objective::time) return 1e300;
  double least = 1e300;
  for_each_grid(ranks, [&](Index x, Index y, Index z) { least = std::min(least, brick(p, x, y, z)); });
  return std::max(least, settings.work_limit * brick(p, 1, 1, 1) / static_cast<double>(ranks)) * (1 + 1e-12);
}

void expect_least(const Problem& p, int ranks, Settings settings) {
  const Schedule like = plan_multiply(p, ranks, settings).best.schedule;
  const Index least = least_memory(like, ranks, allowed_work(p, ranks, settings));
  SCOPED_TRACE(gemm::describe(like) + " of " + std::to_string(ranks) + ", least " + std::to_string(least));
  settings.memory_bytes = least;
  EXPECT_EQ(plan_multiply(p, ranks, settings).best.memory_bytes, least);
  for (const Index less : {least - 1, least / 2, Index{1}}) {
    settings.memory_bytes = less;
    try {
      plan_multiply(p, ranks, settings);
      ADD_FAILURE() << "a plan for " << less << " bytes";
    } catch (const MemoryError& e) {
      EXPECT_EQ(std::string(e.what()), "memory is " + std::to_string(less) +
                                           " bytes per rank, and the least that would do is " +
                                           std::to_string(least));
    }
  }
}

TEST(Memory, LeastIsThatOfAllGridsAndRounds) {
  std::mt19937 random(8);
  const auto number = [&](Index low, Index high) {
    return std::uniform_int_distribution<Index>(low, high)(random);
  };
  for (int trial = 0; trial < 60 && !testing::Test::HasFailure(); ++trial) {
    Problem p = problem(number(1, 24), number(1, 24), number(1, 24));
    p.op_a = trial % 2 == 0 ? Op::none : Op::transpose;
    p.op_b = trial % 3 == 0 ? Op::transpose : Op::none;
    Settings settings;
    settings.trees = false;
    settings.objective = trial % 4 < 2 ? Objective::words : Objective::time;
    expect_least(p, static_cast<int>(number(2, 9)), settings);
  }
}

}  // namespace
}  // namespace cairn::plan::test
