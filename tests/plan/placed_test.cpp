// Plans for matrices that already lie somewhere.
#include <gtest/gtest.h>

#include "gemm/compile.hpp"
#include "gemm/placed_count.hpp"
#include "layout/kinds.hpp"
#include "layout/random_layout.hpp"
#include "plan/plan.hpp"
#include "program/count.hpp"

namespace cairn::plan {
namespace {

using gemm::Matrix;
using layout::Layout;

std::array<Layout, 3> dealt(const gemm::Problem& p, int rows, int columns, Index block) {
  const layout::BlockCyclic how{.process_rows = rows, .process_columns = columns, .mb = block, .nb = block};
  return {layout::block_cyclic(p.m, p.k, how), layout::block_cyclic(p.k, p.n, how),
          layout::block_cyclic(p.m, p.n, how)};
}

comm::Counters moved_by(const gemm::Schedule& s, int rank, int ranks) {
  return program::count(gemm::compile(s, rank, ranks)).total();
}

const Settings fewest_words{.objective = Objective::words};

Plan plan_dealt(const gemm::Problem& p, int rows, int columns, Index block = 64) {
  return plan_multiply(p, dealt(p, rows, columns, block), rows * columns, fewest_words);
}

// A and B come to C: each rank receives a row panel of A and a column panel of B, less what it has.
TEST(PlanOfPlaced, AFlatProductLeavesCInPlace) {
  const gemm::Problem p{.m = 4096, .n = 4096, .k = 256};
  const Plan plan = plan_dealt(p, 4, 4);
  EXPECT_TRUE(stays(plan.best.schedule, Matrix::c));
  EXPECT_EQ(plan.best.totals.words_total, 3 * p.m * p.k + 3 * p.k * p.n);
}

TEST(PlanOfPlaced, ATallProductMovesOnlyB) {
  const gemm::Problem p{.m = 32768, .n = 512, .k = 512};
  const Plan plan = plan_dealt(p, 16, 1);
  EXPECT_TRUE(stays(plan.best.schedule, Matrix::a));
  EXPECT_TRUE(stays(plan.best.schedule, Matrix::c));
  EXPECT_EQ(plan.best.totals.words_total, 15 * p.k * p.n);
}

// Matrices that leave much on few ranks: the fewest words in all are not the fewest for the busiest rank.
TEST(PlanOfPlaced, VolumeIsWhatAllRanksReceive) {
  const gemm::Problem p{.m = 44, .n = 1286, .k = 1035};
  const auto on_rows = [](Index rows, Index columns, Index mb) {
    return layout::block_cyclic(rows, columns,
                                {.process_rows = 16, .process_columns = 1, .mb = mb, .nb = 50});
  };
  const std::array<Layout, 3> matrices{on_rows(p.m, p.k, 75), on_rows(p.k, p.n, 14), on_rows(p.m, p.n, 57)};
  const Plan words = plan_multiply(p, matrices, 16, fewest_words);
  const Plan volume = plan_multiply(p, matrices, 16, {.objective = Objective::volume});
  EXPECT_LT(volume.best.totals.words_total, words.best.totals.words_total);
  EXPECT_GT(volume.best.totals.words_received, words.best.totals.words_received);
  Index received = 0;
  for (int rank = 0; rank < 16; ++rank) received += moved_by(volume.best.schedule, rank, 16).received.words;
  EXPECT_EQ(volume.best.totals.words_total, received);
  // B stays: A goes from one rank to all the others that have rows of B, and all of them send C to one.
  EXPECT_TRUE(stays(volume.best.schedule, Matrix::b));
  const Index rows_of_b_on_rank_0 =
      layout::block_cyclic(p.k, 1, {.process_rows = 16, .mb = 14}).local_rows(0);
  EXPECT_EQ(received, p.m * (p.k - rows_of_b_on_rank_0) + 15 * p.m * p.n);
}

// Thousands of words per rank that the better of two well-known libraries receives on its best process grid.
struct Row {
  Index m, n, k;
  int ranks;
  double thousands;
};

TEST(PlanOfPlaced, FewerWordsThanOthersOnTheBestProcessGrid) {
  const std::vector<Row> rows{
      {2048, 2048, 2048, 4, 2097},  {2048, 2048, 2048, 7, 3595},  {2048, 2048, 2048, 8, 2097},
      {2048, 2048, 2048, 12, 1748}, {2048, 2048, 2048, 16, 1573}, {2048, 2048, 2048, 17, 2908},
      {2048, 2048, 2048, 24, 1398}, {2048, 2048, 2048, 36, 1120}, {512, 512, 32768, 4, 6521},
      {512, 512, 32768, 8, 3899},   {512, 512, 32768, 16, 2222},  {512, 512, 32768, 17, 2108},
      {512, 512, 32768, 36, 1155},  {32768, 512, 512, 4, 197},    {32768, 512, 512, 16, 246},
      {32768, 512, 512, 36, 255},   {4096, 4096, 256, 4, 524},    {4096, 4096, 256, 7, 899},
      {4096, 4096, 256, 16, 393},   {4096, 4096, 256, 17, 987},   {4096, 4096, 256, 36, 291}};
  for (const Row& r : rows) {
    double least = 1e300;
    for (int d = 1; d <= r.ranks; ++d)
      if (r.ranks % d == 0) {
        const Plan plan = plan_dealt({.m = r.m, .n = r.n, .k = r.k}, d, r.ranks / d);
        least = std::min(least, static_cast<double>(plan.best.totals.words_total) / r.ranks / 1000);
      }
    EXPECT_LE(least, r.thousands + 0.5) << r.m << " x " << r.n << " x " << r.k << " on " << r.ranks;
  }
}

// Paper 003, section 6.1: mk (d1 - 1) / p + kn (d0 - 1) / p words per rank with C in place.
TEST(PlanOfPlaced, ElementalWordsWithCInPlaceAreThePapers) {
  for (const auto& [d0, d1] : {std::pair(2, 2), std::pair(2, 3), std::pair(4, 1), std::pair(3, 4)}) {
    const gemm::Problem p{.m = 24 * d0 * d1, .n = 36 * d0 * d1, .k = 12 * d0 * d1};
    const auto placed =
        gemm::in_place(p,
                       {layout::elemental(p.m, p.k, d0, d1), layout::elemental(p.k, p.n, d0, d1),
                        layout::elemental(p.m, p.n, d0, d1)},
                       Matrix::c);
    ASSERT_TRUE(placed.has_value());
    for (int r = 0; r < d0 * d1; ++r)
      EXPECT_EQ(moved_by(*placed, r, d0 * d1).received.words,
                (p.m * p.k * (d1 - 1) + p.k * p.n * (d0 - 1)) / (d0 * d1));
  }
}

Index busier_direction(const gemm::Totals& t) { return std::max(t.words_received, t.words_sent); }

// Random block sizes, grids and sub-matrices, different for each matrix: never more words than with any of
// the three in place that lies on all ranks, which is what a library without redistribution can choose from.
TEST(PlanOfPlaced, NoMoreWordsThanWithAnyMatrixInPlace) {
  test::Random random(11);
  for (int trial = 0; trial < 60; ++trial) {
    const int ranks = test::pick_int(random, 1, 20);
    const gemm::Problem p{.m = test::pick(random, 1, 900),
                          .n = test::pick(random, 1, 900),
                          .k = test::pick(random, 1, 900),
                          .op_a = static_cast<Op>(random() % 3),
                          .op_b = static_cast<Op>(random() % 3)};
    std::array<Layout, 3> matrices;
    for (const Matrix x : gemm::all_matrices)
      matrices[index(x)] = test::pick_block_cyclic(random, stored_rows(p, x), stored_columns(p, x), ranks);
    const Plan plan = plan_multiply(p, matrices, ranks, fewest_words);
    gemm::check(plan.best.schedule, ranks);
    for (const Matrix x : gemm::all_matrices) {
      const auto kept = gemm::in_place(p, matrices, x);
      ASSERT_TRUE(kept.has_value());
      if (kept->grid.ranks() < ranks) continue;  // more work than may be on those that have it
      EXPECT_LE(busier_direction(plan.best.totals), busier_direction(totals_of_placed(*kept, ranks)))
          << "trial " << trial << ", " << name(x) << " in place on " << ranks << " ranks, the plan is "
          << describe(plan.best.schedule);
    }
  }
}

// Where no grid has all ranks at work without slabs, bricks of a tree are filled from the users' matrices, too.
TEST(PlanOfPlaced, TreesWhereTheyCostLess) {
  const gemm::Problem p{.m = 2048, .n = 2048, .k = 2048};
  for (const int ranks : {7, 11, 13})
    for (const auto& matrices :
         {dealt(p, ranks, 1, 64), dealt(p, 1, ranks, 64), dealt(p, ranks, 1, ceil_div(p.m, Index{ranks}))})
      for (const Objective objective : {Objective::time, Objective::words}) {
        Settings settings{.objective = objective, .work_limit = 1.05};  // no room for an idle rank
        const Plan plan = plan_multiply(p, matrices, ranks, settings);
        settings.trees = false;
        const Plan grids = plan_multiply(p, matrices, ranks, settings);
        const bool time = objective == Objective::time;
        EXPECT_TRUE(plan.best.schedule.tree != nullptr) << gemm::describe(plan.best.schedule);
        EXPECT_EQ(plan.idle_ranks(), 0);
        EXPECT_LT(plan.best.work, 1.01);
        EXPECT_LT(time ? plan.best.predicted : static_cast<double>(busier_direction(plan.best.totals)),
                  time ? grids.best.predicted : static_cast<double>(busier_direction(grids.best.totals)))
            << gemm::describe(grids.best.schedule);
        Index received = 0;
        for (int rank = 0; rank < ranks; ++rank)
          received += moved_by(plan.best.schedule, rank, ranks).received.words;
        EXPECT_EQ(plan.best.totals.words_total, received);
      }
}

// A limit is kept, more rounds are taken for it, and what cannot be says what would do.
TEST(PlanOfPlaced, MemoryLimits) {
  const gemm::Problem p{.m = 512, .n = 512, .k = 512};
  const auto matrices = dealt(p, 2, 2, 32);
  Settings settings = fewest_words;
  const Plan ample = plan_multiply(p, matrices, 4, settings);
  settings.memory_bytes = 3 * 512 * 512 * 2 + 1'000'000;  // A, B, C and not all of the faces
  const Plan limited = plan_multiply(p, matrices, 4, settings);
  EXPECT_EQ(ample.best.schedule.rounds.count, 1);
  EXPECT_GT(limited.best.schedule.rounds.count, 1);
  EXPECT_LE(limited.best.memory_bytes, *settings.memory_bytes);
  settings.memory_bytes = 1000;
  try {
    plan_multiply(p, matrices, 4, settings);
    FAIL() << "nothing fits into 1000 bytes";
  } catch (const MemoryError& e) {
    EXPECT_NE(std::string(e.what()).find("memory is 1000 bytes per rank, and the least that was found is"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace cairn::plan
