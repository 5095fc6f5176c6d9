// Objectives `words` and `volume` against brute force, from the definition of what a rank receives.
#include <gtest/gtest.h>

#include "plan/fewest_words.hpp"
#include "support/trials.hpp"

namespace cairn::plan::test {
namespace {

TEST(BruteForce, FewPositionsStandForAll) {
  std::mt19937 random(1);
  const auto number = [&](Index most) { return std::uniform_int_distribution<Index>(1, most)(random); };
  for (int trial = 0; trial < 3000; ++trial) {
    Problem p = problem(number(60), number(60), number(60));
    p.op_a = trial % 2 == 0 ? Op::none : Op::transpose;
    p.op_b = trial % 3 == 0 ? Op::none : Op::adjoint;
    const Index x = number(12), y = number(12), z = number(12);
    ASSERT_EQ(busiest(p, x, y, z), busiest_of_all(p, x, y, z))
        << p.m << " " << p.n << " " << p.k << " on " << x << " " << y << " " << z;
  }
}

void expect_fewest(const Problem& p, int ranks) {
  const Plan plan = plan_multiply(p, ranks, words_settings());
  SCOPED_TRACE(gemm::describe(plan.best.schedule) + " of " + std::to_string(ranks));
  ASSERT_EQ(plan.best.totals.words_received, fewest_words(p, ranks, 1.10));
}

TEST(Words, AreTheOptimumOfAllGrids) {
  for (const Question& q : random_questions(cairn::test::trials(500)))
    ASSERT_NO_FATAL_FAILURE(expect_fewest(q.problem, q.ranks));
}

TEST(Words, AreTheOptimumForPrimesAndAHundredThousand) {
  for (const int ranks : {7, 13, 97, 251, 1021, 4093, 8191, 16381, 32749})
    ASSERT_NO_FATAL_FAILURE(expect_fewest(problem(16384, 16384, 16384), ranks));
  for (const int ranks : {65537, 99991, 100000}) {
    ASSERT_NO_FATAL_FAILURE(expect_fewest(problem(10007, 20011, 5003), ranks));
    ASSERT_NO_FATAL_FAILURE(expect_fewest(problem(100003, 1009, 64), ranks));
  }
  ASSERT_NO_FATAL_FAILURE(expect_fewest(problem(300, 300, 300), 99991));
  ASSERT_NO_FATAL_FAILURE(expect_fewest(problem(512, 512, 1000003), 99991));
  ASSERT_NO_FATAL_FAILURE(expect_fewest(problem(17, 19, 23), 99991));
}

TEST(Volume, IsTheLeastOfAllGrids) {
  std::mt19937 random(3);
  const auto number = [&](Index most) { return std::uniform_int_distribution<Index>(1, most)(random); };
  for (int trial = 0; trial < 300; ++trial) {
    Problem p = problem(number(300), number(300), number(300));
    p.op_a = trial % 2 == 0 ? Op::none : Op::transpose;
    const auto ranks = static_cast<int>(number(60));
    Settings settings = words_settings();
    settings.objective = Objective::volume;
    const Plan plan = plan_multiply(p, ranks, settings);
    ASSERT_EQ(plan.best.totals.words_total, least_volume(p, ranks, 1.10))
        << gemm::describe(plan.best.schedule) << " of " << ranks;
    ASSERT_LE(plan.best.totals.words_total,
              plan_multiply(p, ranks, words_settings()).best.totals.words_total);
  }
}

TEST(Words, WorkLimitIsRespected) {
  for (const int ranks : {5, 7, 17, 31, 100, 1021})
    for (const double limit : {1.0, 1.05, 1.10, 1.5}) {
      Settings settings = words_settings();
      settings.work_limit = limit;
      const Plan plan = plan_multiply(problem(5000, 7000, 3000), ranks, settings);
      ASSERT_EQ(plan.best.totals.words_received, fewest_words(problem(5000, 7000, 3000), ranks, limit));
    }
}

// The dense table of what existing systems reach: its column "ideal", in thousands of words received per
// rank.
struct PeerRow {
  Index m, n, k;
  int ranks;
  Index ideal;
};

TEST(Words, NoMoreThanTheIdealOfTheTable) {
  const std::vector<PeerRow> rows{
      {2048, 2048, 2048, 4, 2097},  {2048, 2048, 2048, 7, 3595},  {2048, 2048, 2048, 8, 1573},
      {2048, 2048, 2048, 12, 1398}, {2048, 2048, 2048, 16, 1311}, {2048, 2048, 2048, 17, 1311},
      {2048, 2048, 2048, 24, 1049}, {2048, 2048, 2048, 36, 816},  {512, 512, 32768, 4, 197},
      {512, 512, 32768, 8, 229},    {512, 512, 32768, 16, 246},   {512, 512, 32768, 17, 246},
      {512, 512, 32768, 36, 255},   {32768, 512, 512, 4, 197},    {32768, 512, 512, 16, 246},
      {32768, 512, 512, 36, 255},   {4096, 4096, 256, 4, 524},    {4096, 4096, 256, 7, 899},
      {4096, 4096, 256, 16, 393},   {4096, 4096, 256, 17, 393},   {4096, 4096, 256, 36, 291}};
  for (const PeerRow& row : rows) {
    const Plan plan = plan_multiply(problem(row.m, row.n, row.k), row.ranks, words_settings());
    SCOPED_TRACE(gemm::describe(plan.best.schedule) + " of " + std::to_string(row.ranks));
    EXPECT_LE(std::llround(plan.mean_words / 1000), row.ideal);
    // The busiest rank has at most a column of each face more.
    EXPECT_LE(static_cast<double>(plan.best.totals.words_received), 1.01 * plan.mean_words);
    EXPECT_GE(plan.ratio, 0.99);
  }
}

TEST(Words, BusiestIsNearTheMeanWhereDimensionsDivide) {
  for (const int ranks : {8, 12, 16, 24, 36, 60, 64, 100, 1000})
    for (const Problem& p : {problem(14400, 14400, 14400), problem(3600, 3600, 360000)}) {
      const Plan plan = plan_multiply(p, ranks, words_settings());
      EXPECT_LE(static_cast<double>(plan.best.totals.words_received), 1.05 * plan.mean_words)
          << gemm::describe(plan.best.schedule);
    }
}

}  // namespace
}  // namespace cairn::plan::test
