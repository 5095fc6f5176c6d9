#include "daap/simplex.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "daap/polyhedron.hpp"

namespace cairn::daap {
namespace {

TEST(Simplex, SolvesAKnownProgram) {
  // min x + y + z: a triangle covered by its edges, each edge half.
  WorkBudget budget;
  const auto found = minimise({{1, 1, 1}, {}, {}, {{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}, {1, 1, 1}}, budget);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->value, Rational(3) / 2);
}

TEST(Simplex, FindsInfeasibleAndUnbounded) {
  WorkBudget budget;
  EXPECT_FALSE(minimise({{1}, {{1}}, {-1}, {}, {}}, budget).has_value());
  EXPECT_FALSE(minimise({{0, 0}, {{1, 1}, {1, 1}}, {1, 2}, {}, {}}, budget).has_value());
  EXPECT_THROW(minimise({{-1}, {}, {}, {{1}}, {1}}, budget), ArgumentError);
}

// The optimum of a bounded program is at a corner; in two variables all corners can be tried.
Rational by_corners(const LinearProgram& program) {
  RationalMatrix lines = program.least;
  RationalVector right = program.at_least;
  lines.push_back({1, 0}), right.push_back(0);
  lines.push_back({0, 1}), right.push_back(0);
  Rational best = 1000000;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Rational det = lines[i][0] * lines[j][1] - lines[i][1] * lines[j][0];
      if (cln::zerop(det)) continue;
      const Rational x = (right[i] * lines[j][1] - lines[i][1] * right[j]) / det;
      const Rational y = (lines[i][0] * right[j] - right[i] * lines[j][0]) / det;
      bool inside = true;
      for (std::size_t k = 0; k < lines.size(); ++k)
        inside = inside && lines[k][0] * x + lines[k][1] * y >= right[k];
      if (inside) best = cln::min(best, program.cost[0] * x + program.cost[1] * y);
    }
  return best;
}

TEST(Simplex, AgreesWithAllCorners) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> entry(-4, 6);
  int feasible = 0;
  for (int round = 0; round < 500; ++round) {
    LinearProgram program;
    program.cost = {std::abs(entry(random)), std::abs(entry(random))};
    for (int i = 0; i < 4; ++i) {
      program.least.push_back({entry(random), entry(random)});
      program.at_least.push_back(entry(random));
    }
    WorkBudget budget;
    const auto found = minimise(program, budget);
    const Rational expected = by_corners(program);
    ASSERT_EQ(found.has_value(), expected < 1000000);
    if (!found) continue;
    ++feasible;
    EXPECT_EQ(found->value, expected);
  }
  EXPECT_GT(feasible, 100);
}

TEST(Simplex, StopsWhenTheBudgetIsSpent) {
  WorkBudget budget;
  budget.spend(1000);
  EXPECT_THROW(budget.spend(1u << 30), ArgumentError);
}

TEST(Polyhedron, SeesParityAndOrder) {
  WorkBudget budget;
  const Affine i = Affine::name("i"), j = Affine::name("j");
  EXPECT_FALSE(maybe_feasible({equal(i.times(2), j.times(2) + 1)}, budget));
  EXPECT_TRUE(maybe_feasible({equal(i.times(2), j.times(2) + 4)}, budget));
  EXPECT_FALSE(maybe_feasible({less(i, j), less(j, i)}, budget));
  EXPECT_FALSE(maybe_feasible({less(i, j), less(j, i + 1)}, budget));
  EXPECT_TRUE(maybe_feasible({less(i, j), less(j, i + 2)}, budget));
}

}  // namespace
}  // namespace cairn::daap
