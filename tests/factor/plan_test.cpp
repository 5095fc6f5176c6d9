#include "factor/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn::factor {
namespace {

double cost(const FactorPlan& plan) {
  return plan.settings.goal == Goal::time ? plan.best.seconds : plan.best.mean_words;
}

// Every number of layers and every step by itself: then the best few of so few are counted word by word.
double least_of_all(const FactorProblem& problem, int ranks, FactorSettings settings) {
  double least = INFINITY;
  for (int layers = 1; layers <= 6; ++layers)
    for (const Index step : {64, 128, 256}) {
      settings.layers = layers;
      settings.step = step;
      const FactorPlan plan = plan_factor(problem, ranks, settings);
      if (plan.best.counted) least = std::min(least, cost(plan));
    }
  return least;
}

// Too large to count all candidates: what is counted, in the order of estimates, has the best among it.
TEST(FactorPlan, PassesOverNothingThatIsMuchBetter) {
  for (const Kind kind : {Kind::lu, Kind::cholesky})
    for (const Goal goal : {Goal::time, Goal::words}) {
      const FactorProblem problem{.kind = kind, .rows = 30000, .columns = 30000};
      const FactorSettings settings{.goal = goal, .most_candidates = 1000};
      const FactorPlan plan = plan_factor(problem, 64, settings);
      EXPECT_TRUE(plan.best.counted);
      EXPECT_TRUE(std::ranges::any_of(plan.candidates, [](const FactorCandidate& c) { return !c.counted; }));
      EXPECT_LE(cost(plan), 1.02 * least_of_all(problem, 64, settings))
          << (kind == Kind::lu ? "lu" : "cholesky") << (goal == Goal::time ? " time" : " words");
    }
}

// Nothing is counted here: the plan is made of leading terms, at once.
TEST(FactorPlan, ManyRanks) {
  const FactorPlan plan = plan_factor({.kind = Kind::lu, .rows = 400000, .columns = 400000}, 4096);
  EXPECT_EQ(plan.best.ranks(), 4096);
  EXPECT_GT(plan.best.mean_words, plan.bounds.resident);
}

}  // namespace
}  // namespace cairn::factor
