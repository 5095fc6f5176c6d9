// The planner against brute force: every grid, looked at by plain loops that share nothing with it.
#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <random>

#include "gemm/collective.hpp"
#include "gemm/simulate.hpp"
#include "plan/cache.hpp"

namespace cairn::plan {
namespace {

using gemm::Grid;
using gemm::Problem;

Problem problem(Index m, Index n, Index k) { return {.m = m, .n = n, .k = k}; }

// ---- words: from the definition -------------------------------------------------------------------------
// Length of part i of n cut into p.
Index length(Index n, Index p, Index i) { return n / p + (i < n % p ? 1 : 0); }

// One of each kind of position of a dimension: its first and last, where parts get shorter, and where the
// slices of either face do. Everything in between is like one of these.
std::vector<Index> kinds_of_positions(Index p, std::initializer_list<Index> cuts) {
  std::vector<Index> all{0, p - 1};
  for (const Index cut : cuts)
    for (Index x = cut - 1; x <= cut + 2; ++x)
      if (x >= 0 && x < p) all.push_back(x);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Words that rank (i, j, l) receives: of A(i,l), m_i x k_l, all columns but its own; likewise B; of C all
// partial sums that reach it: in a ring everything but the slice that the rank before it keeps.
Index received(const Problem& p, Index pm, Index pn, Index pk, Index i, Index j, Index l) {
  const Index m = length(p.m, pm, i), n = length(p.n, pn, j), k = length(p.k, pk, l);
  // A slice is columns of the matrix as it is stored.
  const Index a = p.op_a == Op::none ? m * (k - length(k, pn, j)) : k * (m - length(m, pn, j));
  const Index b = p.op_b == Op::none ? k * (n - length(n, pm, i)) : n * (k - length(k, pm, i));
  const Index c = pk == 1 ? 0 : m * (n - length(n, pk, (l + pk - 1) % pk));
  return a + b + c;
}

Index busiest(const Problem& p, Index pm, Index pn, Index pk) {
  const Index m = length(p.m, pm, 0), k = length(p.k, pk, 0), n = length(p.n, pn, 0);
  const Index cols_a = p.op_a == Op::none ? k : m, cols_b = p.op_b == Op::none ? n : k;
  const auto is = kinds_of_positions(pm, {p.m % pm, cols_b % pm, (cols_b - 1) % pm}),
             js = kinds_of_positions(pn, {p.n % pn, cols_a % pn, (cols_a - 1) % pn}),
             ls = kinds_of_positions(pk, {p.k % pk, n % pk, (n - 1) % pk});
  Index most = 0;
  for (const Index i : is)
    for (const Index j : js)
      for (const Index l : ls) most = std::max(most, received(p, pm, pn, pk, i, j, l));
  return most;
}

// The same over all ranks.
Index busiest_of_all(const Problem& p, Index pm, Index pn, Index pk) {
  Index most = 0;
  for (Index i = 0; i < pm; ++i)
    for (Index j = 0; j < pn; ++j)
      for (Index l = 0; l < pk; ++l) most = std::max(most, received(p, pm, pn, pk, i, j, l));
  return most;
}

template <class F>
void for_each_grid(Index ranks, F&& f) {
  for (Index pm = 1; pm <= ranks; ++pm)
    for (Index pn = 1; pm * pn <= ranks; ++pn)
      for (Index pk = 1; pm * pn * pk <= ranks; ++pk) f(pm, pn, pk);
}

double brick(const Problem& p, Index pm, Index pn, Index pk) {
  return static_cast<double>(length(p.m, pm, 0)) * static_cast<double>(length(p.n, pn, 0)) *
         static_cast<double>(length(p.k, pk, 0));
}

Index fewest_words(const Problem& p, Index ranks, double limit) {
  double least = 1e300;
  for_each_grid(ranks, [&](Index x, Index y, Index z) { least = std::min(least, brick(p, x, y, z)); });
  const double even = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) /
                      static_cast<double>(ranks);
  const double most = std::max(limit * even, least) * (1 + 1e-12);
  Index fewest = std::numeric_limits<Index>::max();
  for_each_grid(ranks, [&](Index x, Index y, Index z) {
    if (brick(p, x, y, z) > most) return;
    // No need to look closer at a grid where one rank already receives more.
    if (received(p, x, y, z, 0, 0, 0) >= fewest) return;
    fewest = std::min(fewest, busiest(p, x, y, z));
  });
  return fewest;
}

Settings words_settings(int candidates = 1) {
  Settings s;
  s.objective = Objective::words;
  s.candidates = candidates;
  return s;
}

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
  std::mt19937 random(2);
  const auto log_uniform = [&](double most) {
    return static_cast<Index>(std::exp(std::uniform_real_distribution<double>(0, std::log(most))(random)));
  };
  for (int trial = 0; trial < 500; ++trial) {
    Problem p = problem(log_uniform(50000), log_uniform(50000), log_uniform(50000));
    p.op_a = trial % 2 == 0 ? Op::none : Op::transpose;
    p.op_b = trial % 3 == 0 ? Op::none : Op::adjoint;
    ASSERT_NO_FATAL_FAILURE(expect_fewest(p, static_cast<int>(log_uniform(100000))));
  }
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

// ---- time: all grids, all positions, the schedules themselves --------------------------------------------
double slowest(const gemm::Schedule& s, gemm::Matrix x, const model::Machine& machine) {
  const gemm::Dim along = missing(x);
  double most = 0;
  for (int position = 0; position < s.grid.extent(along); ++position)
    most = std::max(
        most,
        gemm::seconds(count(compile(s, rank_at(s.grid, gemm::Coordinates{}.with(along, position)))).of(x),
                      machine));
  return most;
}

double time_of(const gemm::Schedule& s, const model::Machine& machine) {
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

// ---- the rest
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
  EXPECT_EQ(algorithm_names().size(), gemm::fixed_names().size() + 2);
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
}  // namespace cairn::plan
