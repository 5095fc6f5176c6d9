// Objective `time` against brute force, and everything else a plan has: explain, names, limits, the cache.
#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gemm/compile.hpp"
#include "gemm/count.hpp"
#include "plan/brute_force.hpp"
#include "plan/cache.hpp"
#include "program/simulate.hpp"

namespace cairn::plan::test {
namespace {

using gemm::Grid;

// ---- time: all grids, all positions, the schedules themselves --------------------------------------------
double slowest(const gemm::Schedule& s, gemm::Matrix x, const Machine& machine) {
  const gemm::Dim along = missing(x);
  double most = 0;
  for (int position = 0; position < s.grid.extent(along); ++position)
    most = std::max(
        most,
        program::seconds(moved_of(compile(s, rank_at(s.grid, gemm::Coordinates{}.with(along, position))), x),
                         machine));
  return most;
}

double time_of(const gemm::Schedule& s, const Machine& machine) {
  return slowest(s, gemm::Matrix::a, machine) + slowest(s, gemm::Matrix::b, machine) +
         slowest(s, gemm::Matrix::c, machine) +
         machine.gamma * 2 * brick(s.problem, s.grid.pm, s.grid.pn, s.grid.pk);
}

TEST(Time, IsTheOptimumOfAllGrids) {
  std::mt19937 random(3);
  const auto log_uniform = [&](double most) {
    return static_cast<Index>(std::exp(std::uniform_real_distribution<double>(0, std::log(most))(random)));
  };
  for (int trial = 0; trial < 60; ++trial) {
    const Problem p = problem(log_uniform(3000), log_uniform(3000), log_uniform(3000));
    const int ranks = static_cast<int>(log_uniform(60));
    Settings settings;
    settings.candidates = 3;
    settings.trees = false;
    settings.machine.alpha = std::pow(10.0, -static_cast<double>(log_uniform(10)));
    const Plan plan = plan_multiply(p, ranks, settings);
    double least = 1e300;
    for_each_grid(ranks, [&](Index x, Index y, Index z) {
      gemm::Schedule s = plan.best.schedule;
      s.grid = {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
      least = std::min(least, time_of(s, settings.machine));
    });
    SCOPED_TRACE(gemm::describe(plan.best.schedule) + " of " + std::to_string(ranks));
    ASSERT_NEAR(plan.best.seconds.total(), least, 1e-9 * least);
  }
}

TEST(Time, TinyProblemsUseFewRanks) {
  EXPECT_EQ(plan_multiply(problem(4, 4, 4), 64).best.schedule.grid, (Grid{1, 1, 1}));
  EXPECT_GT(plan_multiply(problem(4096, 4096, 4096), 64).best.schedule.grid.ranks(), 60);
}

// ----------------------------------------------------------------------------------------------
TEST(Plan, ExplainListsTheBestAndWhyTheyLost) {
  const Plan plan = plan_multiply(problem(2048, 2048, 2048), 17, words_settings(8));
  ASSERT_EQ(plan.candidates.size(), 8u);
  EXPECT_EQ(plan.candidates.front().schedule, plan.best.schedule);
  EXPECT_EQ(plan.best.why, "chosen: least words");
  for (std::size_t i = 1; i < plan.candidates.size(); ++i) {
    EXPECT_GE(plan.candidates[i].totals.words_received, plan.candidates[i - 1].totals.words_received);
    EXPECT_FALSE(plan.candidates[i].why.empty());
  }
  EXPECT_EQ(plan.idle_ranks(), 1);
  EXPECT_NEAR(plan.bound_words, 1163e3, 1e3);  // the bound of the table
}

TEST(Plan, EmptyProblemsHaveALayout) {
  for (const Problem& p : {problem(0, 10, 10), problem(10, 0, 10), problem(10, 10, 0), problem(0, 0, 0)})
    for (const auto name : algorithm_names()) {
      const Plan plan = plan_named(name, p, 6);
      EXPECT_EQ(plan.best.totals.words_received, 0);
      EXPECT_EQ(plan.bound_words, 0);
      EXPECT_EQ(plan.ratio, 1);
    }
}

TEST(Plan, NamesIncludeTheSearches) {
  EXPECT_EQ(algorithm_names().size(), gemm::fixed_names().size() + 3);
  const Problem p = problem(1000, 900, 800);
  EXPECT_EQ(plan_named("cosma", p, 12).best.schedule, plan_multiply(p, 12, words_settings()).best.schedule);
  EXPECT_EQ(plan_named("auto", p, 12).best.schedule, plan_multiply(p, 12).best.schedule);
  try {
    plan_named("fastest", p, 12);
    FAIL();
  } catch (const ArgumentError& e) {
    for (const auto name : algorithm_names())
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
  }
}

TEST(Plan, BadArgumentsAreNamed) {
  EXPECT_THROW(plan_multiply(problem(-1, 1, 1), 1), ArgumentError);
  EXPECT_THROW(plan_multiply(problem(1, 1, 1), 0), ArgumentError);
  Settings settings;
  settings.work_limit = 0.5;
  EXPECT_THROW(plan_multiply(problem(1, 1, 1), 1, settings), ArgumentError);
  settings = {};
  settings.memory_bytes = 0;
  EXPECT_THROW(plan_multiply(problem(1, 1, 1), 1, settings), ArgumentError);
  EXPECT_THROW(parse_objective("cost"), ArgumentError);
  EXPECT_THROW(plan_schedule({.problem = problem(4, 4, 4), .grid = {2, 2, 2}}, 7), ArgumentError);
}

TEST(Plan, RoundsKeepWithinTheMemory) {
  const Problem p = problem(1000, 1000, 1000);
  const Plan free = plan_multiply(p, 12, words_settings());
  Settings settings = words_settings();
  for (const double part : {0.9, 0.7, 0.5}) {
    settings.memory_bytes = static_cast<Index>(part * static_cast<double>(free.best.memory_bytes));
    const Plan plan = plan_multiply(p, 12, settings);
    EXPECT_LE(plan.best.memory_bytes, *settings.memory_bytes) << gemm::describe(plan.best.schedule);
    EXPECT_GE(plan.best.totals.words_received, free.best.totals.words_received);
  }
  settings.memory_bytes = 1000;
  EXPECT_THROW(plan_multiply(p, 12, settings), MemoryError);
}

TEST(Cache, KeepsTheLastPlans) {
  PlanCache cache(2);
  const Plan first = cache.get("cosma", problem(100, 100, 100), 8);
  EXPECT_EQ(cache.get("cosma", problem(100, 100, 100), 8).best.schedule, first.best.schedule);
  EXPECT_EQ(cache.hits(), 1);
  cache.get("auto", problem(100, 100, 100), 8);
  cache.get("auto", problem(100, 100, 101), 8);
  EXPECT_EQ(cache.size(), 2u);
  cache.get("cosma", problem(100, 100, 100), 8);
  EXPECT_EQ(cache.hits(), 1);
  Settings settings;
  settings.machine.alpha = 1;
  cache.get("cosma", problem(100, 100, 100), 8, settings);
  EXPECT_EQ(cache.hits(), 1);
}

}  // namespace
}  // namespace cairn::plan::test
