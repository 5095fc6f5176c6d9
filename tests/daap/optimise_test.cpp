// The symbolic optimum against an interior-point method on random access structures.
#include "daap/optimise.hpp"

#include <gtest/gtest.h>

#include <random>

#include "daap/intensity.hpp"
#include "daap/numeric_optimum.hpp"
#include "daap/stationary.hpp"
#include "daap/tiles.hpp"

namespace cairn::daap {
namespace {

const std::vector<std::string> names{"a", "b", "c", "d", "e", "f"};

struct Problem {
  std::set<std::string> variables;
  std::vector<Term> terms;
  NumericOptimum::Matrix incidence;
  NumericOptimum::Vector factors;
};

Problem make_problem(std::size_t variables, const std::vector<std::vector<int>>& accesses,
                     const std::vector<int>& factors) {
  Problem problem;
  problem.variables = {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(variables)};
  for (std::size_t j = 0; j < accesses.size(); ++j) {
    Term term;
    term.factor = factors[j];
    NumericOptimum::Vector row(variables, 0.0);
    for (const int t : accesses[j]) {
      term.variables.insert(names[static_cast<std::size_t>(t)]);
      row[static_cast<std::size_t>(t)] = 1;
    }
    problem.terms.push_back(term);
    problem.incidence.push_back(row);
    problem.factors.push_back(factors[j]);
  }
  return problem;
}

Problem random_problem(std::mt19937& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const int variables = pick(1, 5);
  std::vector<std::vector<int>> accesses;
  std::vector<int> factors;
  std::set<int> covered;
  while (static_cast<int>(covered.size()) < variables || static_cast<int>(accesses.size()) < pick(1, 5)) {
    std::vector<int> access;
    for (int t = 0; t < variables; ++t)
      if (pick(0, 1) == 1) access.push_back(t), covered.insert(t);
    accesses.push_back(access);
    factors.push_back(pick(1, 4));
  }
  return make_problem(static_cast<std::size_t>(variables), accesses, factors);
}

double to_number(const GiNaC::ex& expression) {
  return GiNaC::ex_to<GiNaC::numeric>(expression.evalf()).to_double();
}

double log_chi(const TileOptimum& optimum, double log_x) {
  return std::log(to_number(optimum.constant)) + to_double(optimum.sigma) * log_x;
}

TEST(Optimise, MatchesAnInteriorPointMethod) {
  std::mt19937 random(11);
  const Symbols symbols({});
  int exact = 0, leading = 0, rounded = 0;
  for (int round = 0; round < 300; ++round) {
    const Problem problem = random_problem(random);
    WorkBudget budget;
    const TileOptimum optimum = optimise_tile(problem.variables, problem.terms, symbols, budget);
    // At X = e^600 terms of lower order are far below rounding, and the logarithm keeps that in range.
    for (const double log_x : {15.0, 600.0}) {
      const double numeric = NumericOptimum(problem.incidence, problem.factors, log_x).run();
      EXPECT_LE(numeric, log_chi(optimum, log_x) + 1e-6) << "round " << round << " must bound from above";
      if (log_x > 100 || optimum.exact) {
        EXPECT_NEAR(numeric, log_chi(optimum, log_x), optimum.closed_form ? 1e-5 : 1e-3) << "round " << round;
      }
    }
    (optimum.exact ? exact : optimum.closed_form ? leading : rounded) += 1;
  }
  EXPECT_GT(exact, 50);
  EXPECT_GT(leading, 50);
  RecordProperty("exact", exact);
  RecordProperty("leading", leading);
  RecordProperty("rounded", rounded);
}

TEST(Optimise, TilesAttainTheOptimum) {
  std::mt19937 random(13);
  const Symbols symbols({});
  int checked = 0;
  for (int round = 0; round < 300; ++round) {
    const Problem problem = random_problem(random);
    WorkBudget budget;
    const TileOptimum optimum = optimise_tile(problem.variables, problem.terms, symbols, budget);
    if (!optimum.closed_form) continue;
    const GiNaC::ex x = GiNaC::pow(GiNaC::ex(10), 80);
    const auto tiles = tile_sizes(problem.variables, optimum, symbols.partition, symbols, budget);
    double volume = 0, surface = 0;  // log of the product, and part of X
    std::map<std::string, double> logs;
    for (const auto& [name, size] : tiles) {
      logs[name] = std::log(to_number(size.subs(symbols.partition == x)));
      EXPECT_GE(logs[name], -1e-9) << "round " << round << " " << size;
      volume += logs[name];
    }
    for (const Term& term : optimum.terms) {
      double part = std::log(to_number(term.factor)) - 80 * std::log(10.0);
      for (const std::string& name : term.variables) part += logs[name];
      surface += std::exp(part);
    }
    EXPECT_NEAR(volume, log_chi(optimum, 80 * std::log(10.0)), 1e-8) << "round " << round;
    EXPECT_LT(surface, 1 + 1e-6) << "round " << round;
    ++checked;
  }
  EXPECT_GT(checked, 200);
}

// rho = min over X of max over tiles: a scan over X of the numeric optimum, at a fixed M.
TEST(Intensity, MatchesAScanOverX) {
  std::mt19937 random(17);
  const Symbols symbols({});
  int finite = 0;
  for (int round = 0; round < 60; ++round) {
    const Problem problem = random_problem(random);
    WorkBudget budget;
    const TileOptimum optimum = optimise_tile(problem.variables, problem.terms, symbols, budget);
    const Intensity result = intensity(optimum, symbols);
    const double log_m = 300;  // so large that terms of lower order vanish
    double best = INFINITY, best_ratio = 0;
    for (double ratio = 1.02; ratio < 60; ratio *= 1.02) {  // X / M
      const double chi = NumericOptimum(problem.incidence, problem.factors, log_m + std::log(ratio)).run();
      const double log_rho = chi - log_m - std::log(ratio - 1);
      if (log_rho < best) best = log_rho, best_ratio = ratio;
    }
    const double power = to_double(optimum.sigma) - 1;
    const double constant = to_number(result.rho.subs(symbols.memory == 1));
    EXPECT_LE(std::log(constant) + power * log_m, best + 1e-3);
    if (result.unbounded) {
      EXPECT_GT(best_ratio, 50);
      continue;
    }
    ++finite;
    EXPECT_NEAR(std::log(constant) + power * log_m, best, 1e-3);
    EXPECT_NEAR(std::log(best_ratio), std::log(to_number(result.partition.subs(symbols.memory == 1))), 0.03);
  }
  EXPECT_GT(finite, 15);
}

// a b + p a + q b <= X at a small M, where the lower terms matter.
TEST(Stationary, MatchesAScanOverXWithLowerTerms) {
  const Symbols symbols({});
  for (const int p : {1, 3})
    for (const int q : {1, 2}) {
      const Problem problem = make_problem(2, {{0, 1}, {0}, {1}}, {1, p, q});
      const auto full = stationary_tile(problem.variables, problem.terms, symbols);
      ASSERT_TRUE(full.has_value());
      const double memory = 40;
      const double x0 = to_number(full->surface.subs(symbols.memory == memory));
      const double rho = to_number(full->volume.subs(symbols.memory == memory)) / (x0 - memory);
      const auto ratio = [&](double x) {
        return std::exp(NumericOptimum(problem.incidence, problem.factors, std::log(x)).run()) / (x - memory);
      };
      EXPECT_NEAR(ratio(x0) / rho, 1, 1e-7);
      for (const double factor : {0.5, 0.8, 0.95, 1.05, 1.3, 3.0})
        if (x0 * factor > memory) {
          EXPECT_GT(ratio(x0 * factor), rho);
        }
    }
}

TEST(Stationary, NeedsOneTermAnEquation) {
  const Symbols symbols({});
  const Problem column = make_problem(2, {{0, 1}, {0}}, {1, 1});  // every term has a
  EXPECT_FALSE(stationary_tile(column.variables, column.terms, symbols).has_value());
  const Problem cube = make_problem(3, {{0, 1, 2}, {0}, {1}, {2}}, {1, 1, 1, 1});  // two terms lack a
  EXPECT_FALSE(stationary_tile(cube.variables, cube.terms, symbols).has_value());
}

TEST(Optimise, AVariableInEveryAccessStaysAtOne) {
  const Symbols symbols({});
  WorkBudget budget;
  const Problem problem = make_problem(3, {{0, 2}, {1, 2}}, {1, 1});  // a c + b c <= X
  const TileOptimum optimum = optimise_tile(problem.variables, problem.terms, symbols, budget);
  EXPECT_EQ(optimum.sigma, 2);
  EXPECT_TRUE(optimum.constant.is_equal(GiNaC::numeric(1, 4)));
  const auto tiles = tile_sizes(problem.variables, optimum, symbols.partition, symbols, budget);
  EXPECT_TRUE(tiles.at("c").is_equal(1));
  EXPECT_TRUE(tiles.at("a").is_equal(symbols.partition / 2));
}

TEST(Optimise, SeveralCoversOfOneExponent) {
  const Symbols symbols({});
  WorkBudget budget;
  // A ring of four: w = (s, 1-s, s, 1-s) for any s; the constant is best at s = 1/2. With factors 1, 4, 1, 4
  // the stationary point moves to s = 1/5.
  const Problem even = make_problem(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {1, 1, 1, 1});
  const TileOptimum ring = optimise_tile(even.variables, even.terms, symbols, budget);
  EXPECT_TRUE(ring.exact);
  EXPECT_TRUE(ring.constant.is_equal(GiNaC::numeric(1, 16)));
  const Problem uneven = make_problem(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {1, 4, 1, 4});
  const TileOptimum weighted = optimise_tile(uneven.variables, uneven.terms, symbols, budget);
  EXPECT_TRUE(weighted.closed_form);
  EXPECT_EQ(weighted.weights[0], Rational(1) / 5);
}

}  // namespace
}  // namespace cairn::daap
