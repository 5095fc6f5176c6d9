// Objective `words` against brute force, from the definition of what a rank receives.
#include <gtest/gtest.h>

#include <cmath>

#include "plan/brute_force.hpp"

namespace cairn::plan {
namespace {

using namespace test;

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

}  // namespace
}  // namespace cairn::plan
