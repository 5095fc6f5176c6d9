// Products of matrices that lie on one rank or on few: planned, and counted on the Programs of all ranks.
#include <gtest/gtest.h>

#include "gemm/compile.hpp"
#include "gemm/placed_count.hpp"
#include "layout/kinds.hpp"
#include "layout/random_layout.hpp"
#include "plan/plan.hpp"
#include "program/count.hpp"
#include "support/trials.hpp"

namespace cairn::plan {
namespace {

using gemm::Matrix;
using layout::Layout;

// By the Programs that run.
gemm::Totals brute_force(const gemm::Schedule& s, int ranks) {
  gemm::Totals t{.ranks = ranks};
  for (int rank = 0; rank < ranks; ++rank) {
    const comm::Counters moved = program::count(gemm::compile(s, rank, ranks)).total();
    t.words_total += moved.received.words;
    t.words_received = std::max(t.words_received, moved.received.words);
    t.words_sent = std::max(t.words_sent, moved.sent.words);
    t.messages_received = std::max(t.messages_received, moved.received.messages);
    t.messages_sent = std::max(t.messages_sent, moved.sent.messages);
  }
  return t;
}

void expect_as_counted(const Plan& plan, int ranks, const std::string& where) {
  const gemm::Totals &planned = plan.best.totals, counted = brute_force(plan.best.schedule, ranks);
  EXPECT_TRUE(plan.best.exact) << where;
  EXPECT_EQ(planned.words_total, counted.words_total) << where;
  EXPECT_EQ(planned.words_received, counted.words_received) << where;
  EXPECT_EQ(planned.words_sent, counted.words_sent) << where;
  EXPECT_EQ(planned.messages_received, counted.messages_received) << where;
  EXPECT_EQ(planned.messages_sent, counted.messages_sent) << where;
}

constexpr std::array objectives{Objective::time, Objective::words, Objective::volume};

// A scatter, the product and a gather need 8.5 million words on [2, 2, 2].
TEST(FewOwners, AllOnOneRank) {
  const gemm::Problem p{.m = 2000, .n = 2000, .k = 2000};
  const Layout one = layout::on_one_rank(2000, 2000, 0);
  for (const Objective objective : objectives) {
    const Plan plan = plan_multiply(p, {one, one, one}, 8, {.objective = objective});
    expect_as_counted(plan, 8, std::string(name(objective)));
    EXPECT_LE(plan.best.totals.words_sent, 9'000'000) << name(objective);
    EXPECT_LE(plan.best.totals.words_received, 9'000'000) << name(objective);
    EXPECT_LE(plan.best.work, 1.10) << name(objective);
  }
}

TEST(FewOwners, OneMatrixOnOneRankAndTheOthersInColumns) {
  const gemm::Problem p{.m = 2000, .n = 2000, .k = 2000};
  for (const int ranks : {8, 16}) {
    const Layout columns = layout::column_blocks(2000, 2000, ranks);
    const Plan plan = plan_multiply(p, {layout::on_one_rank(2000, 2000, 0), columns, columns}, ranks, {});
    expect_as_counted(plan, ranks, std::to_string(ranks));
    EXPECT_LE(static_cast<double>(plan.best.totals.words_sent), 2.1 * 4e6) << ranks;
  }
}

// C on one rank is summed by all first: its owner receives it once, not once a layer.
TEST(FewOwners, CIsSummedBeforeItMoves) {
  const gemm::Problem p{.m = 300, .n = 300, .k = 100'000};
  const int ranks = 12;
  const Plan plan = plan_multiply(p,
                                  {layout::column_blocks(p.m, p.k, ranks),
                                   layout::row_blocks(p.k, p.n, ranks), layout::on_one_rank(p.m, p.n, 3)},
                                  ranks, {.objective = Objective::words});
  expect_as_counted(plan, ranks, describe(plan.best.schedule));
  EXPECT_TRUE(plan.best.schedule.placement->sums_first) << describe(plan.best.schedule);
  EXPECT_LE(plan.best.totals.words_received, 2 * p.m * p.n);
}

// Two ranks have half the rows each: what takes about as long is done with half the words.
TEST(PlanOfPlaced, NearTiesGoToFewerWords) {
  const gemm::Problem p{.m = 2000, .n = 2000, .k = 2000};
  const Layout half = layout::block_cyclic(2000, 2000, {.process_rows = 2, .process_columns = 1});
  const Plan plan = plan_multiply(p, {half, half, half}, 2, {});
  EXPECT_LE(plan.best.totals.words_received, 2'100'000) << describe(plan.best.schedule);
}

// The printed busiest rank is that of all ranks.
TEST(PlanOfPlaced, TheBusiestRankIsTheBusiestOfAll) {
  for (int trial = 0; trial < test::trials(50); ++trial) {
    test::Random random(static_cast<std::uint64_t>(trial));
    const int ranks = test::pick_int(random, 1, trial % 4 == 0 ? 256 : 64);
    const gemm::Problem p{.m = test::pick(random, 1, 1500),
                          .n = test::pick(random, 1, 1500),
                          .k = test::pick(random, 1, 1500),
                          .op_a = static_cast<Op>(random() % 3),
                          .op_b = static_cast<Op>(random() % 3)};
    std::array<Layout, 3> matrices;
    for (const Matrix x : gemm::all_matrices)
      matrices[index(x)] = test::pick_block_cyclic(random, stored_rows(p, x), stored_columns(p, x), ranks);
    const Plan plan = plan_multiply(p, matrices, ranks, {.objective = objectives[random() % 3]});
    expect_as_counted(plan, ranks, fmt::format("trial {}: {}", trial, describe(plan.best.schedule)));
  }
}

}  // namespace
}  // namespace cairn::plan
