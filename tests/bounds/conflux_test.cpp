#include "bounds/conflux.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "bounds/factor.hpp"
#include "bounds/numeric.hpp"

namespace cairn::bounds::factor {
namespace {

using test::relative;

// N, P, M with c whole: P = side^2 c, M = N^2 / side^2.
Blocked make(Index n, Index side, Index c, Index v) {
  return {n, side * side * c, as_real(n) * as_real(n) / as_real(side * side), v};
}
const std::vector<Blocked> cases{make(64, 2, 2, 4),    make(96, 4, 2, 8),  make(100, 4, 1, 7),
                                 make(1000, 8, 4, 16), make(50, 2, 1, 50), make(4096, 16, 4, 33)};

TEST(Conflux, TotalIsTheSumOfItsSteps) {
  for (const Blocked& x : cases) {
    Cost lu, cholesky;
    for (Index t = 1; t <= steps(x); ++t) {
      for (const Line& line : conflux_step(x, t)) lu = lu + line.cost;
      for (const Line& line : confchox_step(x, t)) cholesky = cholesky + line.cost;
    }
    EXPECT_LT(relative(conflux(x).words, lu.words), 1e-12);
    EXPECT_LT(relative(conflux(x).flops, lu.flops), 1e-12);
    EXPECT_LT(relative(confchox(x).words, cholesky.words), 1e-12);
    EXPECT_LT(relative(confchox(x).flops, cholesky.flops), 1e-12);
  }
}

double line_words(const std::vector<Line>& lines, int number) {
  for (const Line& line : lines)
    if (line.number == number) return line.cost.words;
  return -1;
}

// One step played on the grid: words counted element by element, then divided where all share alike.
TEST(Conflux, LinesAreWhatTheGridMoves) {
  struct Grid {
    Index n, side, c, v;
  };
  for (const auto& [n, side, c, v] : {Grid{64, 2, 2, 4}, Grid{96, 4, 2, 8}, Grid{128, 4, 4, 4}}) {
    const Blocked x = make(n, side, c, v);
    EXPECT_DOUBLE_EQ(layers(x), as_real(c));
    EXPECT_DOUBLE_EQ(grid_side(x), as_real(side));
    for (Index t : {Index{1}, Index{3}, n / v}) {
      const auto lines = conflux_step(x, t);
      // Sending A10 for the update: rank (i, j, l) needs the rows of A10 in its block rows and, of its v
      // columns, those of layer l. On average over i it is exactly the formula.
      Index all_rows = 0;
      for (Index i = 0; i < side; ++i)
        for (Index row = t * v; row < n; ++row)
          for (Index column = 0; column < v; ++column) all_rows += (row / v % side == i) && (column % c == 0);
      EXPECT_DOUBLE_EQ(line_words(lines, 8), as_real(all_rows) / as_real(side));
      EXPECT_DOUBLE_EQ(line_words(lines, 10), line_words(lines, 8));
      // Reducing the next block column: c layers of it, spread over all ranks.
      Index layers_words = 0;
      for (Index layer = 0; layer < c; ++layer)
        for (Index row = t * v; row < n; ++row) layers_words += v;
      EXPECT_DOUBLE_EQ(line_words(lines, 1), as_real(layers_words) / as_real(x.ranks));
      EXPECT_DOUBLE_EQ(line_words(lines, 4), as_real(layers_words / c) / as_real(x.ranks));
      // Tournament: a block of v x v for each round of a butterfly over `side` ranks.
      Index rounds = 0;
      for (Index reach = 1; reach < side; reach *= 2) ++rounds;
      EXPECT_DOUBLE_EQ(line_words(lines, 2), as_real(v * v * rounds));
      EXPECT_DOUBLE_EQ(line_words(lines, 3), as_real(v * v + v));
    }
  }
}

double line_flops(const std::vector<Line>& lines, int number) {
  for (const Line& line : lines)
    if (line.number == number) return line.cost.flops;
  return -1;
}

// The loops of one step, operation by operation, divided among the ranks.
TEST(Conflux, FlopsAreLoopsCounted) {
  for (const Blocked& x : {make(64, 2, 2, 4), make(96, 4, 2, 8), make(128, 4, 4, 16)})
    for (Index t : {Index{1}, Index{3}, steps(x)}) {
      const Index v = x.block, r = x.n - t * v;
      Index solve = 0, update = 0, half = 0;
      for (Index i = 0; i < r; ++i) {
        for (Index j = 0; j < v; ++j) solve += 2 * j + 1;  // j multiply-adds and a division
        update += 2 * r * v;
        half += 2 * (i + 1) * v;
      }
      const double p = as_real(x.ranks);
      for (int line : {7, 9}) {
        EXPECT_DOUBLE_EQ(line_flops(conflux_step(x, t), line), as_real(solve) / p);
        EXPECT_DOUBLE_EQ(line_flops(confchox_step(x, t), line), as_real(solve) / p);
      }
      EXPECT_DOUBLE_EQ(line_flops(conflux_step(x, t), 11), as_real(update) / p);
      EXPECT_NEAR(line_flops(confchox_step(x, t), 11), as_real(half) / p, as_real(r * v) / p);
    }
}

// Factoring a block: leading terms of its loops.
TEST(Conflux, FlopsOfACornerAreThoseOfAFactorization) {
  for (Index v : {64, 256, 1024}) {
    Index lu = 0, cholesky = 0;
    for (Index k = 0; k < v; ++k) {
      lu += (v - k - 1) + 2 * (v - k - 1) * (v - k - 1);
      cholesky += (v - k) + (v - k) * (v - k - 1);
    }
    const Blocked x = make(4 * v, 4, 1, v);
    EXPECT_NEAR(line_flops(conflux_step(x, 1), 2) / as_real(2 * lu), 1, 3 / as_real(v));  // two rounds
    EXPECT_NEAR(line_flops(confchox_step(x, 1), 3) / as_real(cholesky), 1, 3 / as_real(v));
  }
}

// COnfCHOX moves what COnfLUX moves but for the pivots (section 7.5).
TEST(Conflux, CholeskyMovesTheSamePanels) {
  for (const Blocked& x : {make(64, 2, 2, 4), make(96, 4, 2, 8), make(1000, 8, 4, 16)})
    for (Index t : {Index{1}, Index{3}, steps(x)}) {
      for (int line : {1, 4, 5, 6, 8, 10})
        EXPECT_DOUBLE_EQ(line_words(confchox_step(x, t), line), line_words(conflux_step(x, t), line));
      Index corner = 0;
      for (Index i = 0; i < x.block; ++i) corner += x.block;
      EXPECT_DOUBLE_EQ(line_words(confchox_step(x, t), 3), as_real(corner));
      EXPECT_EQ(line_words(confchox_step(x, t), 2), -1);  // no tournament
    }
}

// Right-looking on a square grid: each rank receives its rows of every panel column and its columns of every
// panel row, those it owns included.
TEST(Conflux, TwoDimensionalLibrariesReceiveTheirPanels) {
  for (const auto& [n, side] : {std::pair<Index, Index>{1024, 4}, {2048, 8}, {4096, 16}}) {
    double words = 0;
    for (Index k = 0; k < n; ++k)
      for (Index x = k + 1; x < n; ++x) words += 2 * (x % side == 0);
    EXPECT_LT(relative(words_2d_library(n, side * side), words), 2 * as_real(side) / as_real(n));
  }
}

// c layers of the same grid take turns: each rank receives the panels of every c-th column.
TEST(Conflux, LayersTakeTurns) {
  for (const auto& [n, side, c] : {std::tuple<Index, Index, Index>{1024, 4, 2}, {2048, 8, 4}, {4096, 8, 8}}) {
    double words = 0;
    for (Index k = 0; k < n; k += c)
      for (Index x = k + 1; x < n; ++x) words += 2 * (x % side == 0);
    const Blocked x = make(n, side, c, 1);
    EXPECT_LT(relative(words_conflux_leading(n, x.ranks, x.memory), words),
              2 * as_real(side + c) / as_real(n));
  }
}

TEST(Conflux, LeadingTermIsLemmaEight) {
  for (Index n : {1 << 12, 1 << 15, 1 << 18}) {
    const Blocked x = make(n, 8, 4, 4);
    const double leading = words_conflux_leading(n, x.ranks, x.memory);
    const double rest = std::abs(conflux(x).words - leading);
    // All other terms: scatter and reduce are of the order of c N^2/P, pivots of N v log.
    EXPECT_LT(rest, 3.0 * as_real(n) * as_real(n) * layers(x) / as_real(x.ranks) + as_real(n) * 4 * 5);
    // Only the pivots differ: three rounds of 4 x 4 blocks and 4 row numbers in each of N/4 steps.
    EXPECT_LT(relative(conflux(x).words - confchox(x).words, as_real(n) / 4 * (3 * 16 + 4)), 1e-9);
    // A third of the volume N^3 each: LU 2N^3/3 flops, Cholesky N^3/3.
    EXPECT_NEAR(conflux(x).flops * as_real(x.ranks) / std::pow(as_real(n), 3), 2.0 / 3, 0.01);
    EXPECT_NEAR(confchox(x).flops * as_real(x.ranks) / std::pow(as_real(n), 3), 1.0 / 3, 0.01);
  }
}

TEST(Conflux, IsAboveTheBoundByTheStatedFactor) {
  for (Index n : {1 << 14, 1 << 17, 1 << 20}) {
    const Blocked x = make(n, 128, 4, 4);
    const double leading = words_conflux_leading(n, x.ranks, x.memory);
    EXPECT_GT(conflux(x).words, lu_lower_bound(n, x.ranks, x.memory));
    EXPECT_NEAR(leading / lu_lower_bound(n, x.ranks, x.memory), 1.5, 0.03);
  }
}

TEST(Conflux, RowsOfTableTwo) {
  for (Index n : {1 << 12, 1 << 14, 131072}) {
    const Index ranks = 1024;
    const double memory = as_real(n) * as_real(n) / std::pow(1024, 2.0 / 3);  // c = P^(1/3)
    EXPECT_LT(relative(words_2d_library(n, ranks), as_real(n) * as_real(n) / 32), 1e-12);
    EXPECT_LT(relative(words_candmc(n, ranks, memory) / words_conflux_leading(n, ranks, memory), 5), 1e-12);
    // Section 1: up to 7 times the bound for LU, up to 16 for Cholesky.
    const double lu = 2.0 / 3 * words_conflux_leading(n, ranks, memory);
    EXPECT_NEAR(words_candmc(n, ranks, memory) / lu, 7.5, 1e-9);
    EXPECT_NEAR(words_capital(n, ranks, memory) / (lu / 2), 16.875, 1e-9);
  }
  // "More than 15,000 processors" before 5N^3/(P sqrt(M)) is below N^2/sqrt(P) with c = P^(1/3): P = 5^6.
  const auto candmc_is_less = [](Index ranks) {
    const double memory = 1e10 / std::pow(as_real(ranks), 2.0 / 3);
    return words_candmc(100000, ranks, memory) < words_2d_library(100000, ranks);
  };
  EXPECT_FALSE(candmc_is_less(15600));
  EXPECT_TRUE(candmc_is_less(15650));
}

TEST(Conflux, ArgumentsAreChecked) {
  EXPECT_THROW(conflux({64, 4, 10, 4}), ArgumentError);
  EXPECT_THROW(conflux({64, 4, 2048, 65}), ArgumentError);
  EXPECT_THROW(conflux_step(make(64, 2, 1, 4), 17), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds::factor
