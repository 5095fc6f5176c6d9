// The planner's lower bounds never exceed what a grid costs.
#include "plan/estimate.hpp"

#include <gtest/gtest.h>

#include "comm/blocks.hpp"
#include "gemm/cost.hpp"
#include "gemm/random_schedules.hpp"

namespace cairn::plan {
namespace {

using gemm::Grid;
using gemm::Schedule;

struct Question {
  Schedule wanted;
  Machine machine;
  int ranks;
};

Question random_question(gemm::test::RandomSchedules& random) {
  Question q{.wanted = {.problem = random.problem(300)},
             .machine = {},
             .ranks = static_cast<int>(random.number(1, 300))};
  gemm::Problem& p = q.wanted.problem;
  p.m = std::max<Index>(p.m, 1), p.n = std::max<Index>(p.n, 1), p.k = std::max<Index>(p.k, 1);
  q.machine.alpha = random.pick(std::array{1e-9, 1e-7, 2e-6, 1e-4});
  q.wanted.link = {q.machine.alpha, q.machine.beta / 8, random.pick(std::array{0.0, 5e-6})};
  if (random.chance(0.2)) q.wanted.transport = Transport::one_sided;
  if (random.chance(0.2)) q.wanted.collectives = gemm::Collectives::fewest_words;
  return q;
}

double seconds(const Question& q, const Grid& grid) {
  Schedule s = q.wanted;
  s.grid = grid;
  return gemm::phase_seconds(s, q.machine).total();
}

TEST(Estimates, AreNeverAboveTheCost) {
  gemm::test::RandomSchedules random(31);
  for (int trial = 0; trial < 300; ++trial) {
    const Question q = random_question(random);
    const Estimates estimates(q.wanted, q.ranks, q.machine);
    const int pm = static_cast<int>(random.number(1, estimates.most_parts(gemm::Dim::m))),
              pn = static_cast<int>(
                  random.number(1, std::min(std::max(1, q.ranks / pm), estimates.most_parts(gemm::Dim::n))));
    const int most = std::clamp(q.ranks / pm / pn, 1, estimates.most_parts(gemm::Dim::k)),
              fewest = static_cast<int>(random.number(1, most));
    const double least = estimates.least_seconds(pm, pn, fewest, most);
    for (int pk = fewest; pk <= most; ++pk) {
      const Grid grid{pm, pn, pk};
      const double cost = seconds(q, grid);
      ASSERT_LE(least, cost * (1 + 1e-11)) << gemm::describe(q.wanted) << " on " << gemm::describe(grid);
      ASSERT_FALSE(estimates.seconds_exceed(grid, cost * (1 + 1e-11)))
          << gemm::describe(q.wanted) << " on " << gemm::describe(grid);
      ASSERT_TRUE(estimates.seconds_exceed(grid, 0.2 * cost))
          << gemm::describe(q.wanted) << " on " << gemm::describe(grid);
    }
  }
}

TEST(Estimates, WindowsOfDoublingAddUp) {
  for (int p = 1; p <= 70; ++p)
    for (Index units = 0; units <= 150; ++units) {
      const auto parts = comm::Partition::balanced(p, units, 3);
      Index sum = 0;
      for (int d = 1; d < p; d *= 2) sum += parts.offset(comm::blocks_over(d, p));
      ASSERT_EQ(comm::doubling_count(parts), sum) << units << " on " << p;
    }
}

}  // namespace
}  // namespace cairn::plan
