#include "pebble/orders.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "pebble/game.hpp"
#include "pebble/uses.hpp"

namespace cairn::pebble {
namespace {

TEST(Orders, AllNamesGiveLegalOrders) {
  const Problem multiply = multiply_problem(5, 6, 7), lu = lu_problem(7), cholesky = cholesky_problem(7);
  for (const Problem* problem : {&multiply, &lu, &cholesky})
    for (const std::string name : {"ijk", "ikj", "jik", "jki", "kij", "kji", "blocked", "blocked:2",
                                   "blocked:100", "random", "random:9"})
      EXPECT_NO_THROW(require_order(problem->graph, named_order(*problem, name, 20))) << name;
  for (const std::string name : {"listing1", "best-tile", "fitted-tile", "stationary-a"}) {
    EXPECT_NO_THROW(require_order(multiply.graph, named_order(multiply, name, 20))) << name;
    EXPECT_THROW(named_order(lu, name, 20), ArgumentError);
  }
}

TEST(Orders, LoopsRunAsWritten) {
  const Problem problem = multiply_problem(2, 3, 4);
  const Order order = loop_order(problem, "kji");
  std::size_t x = 0;
  for (std::int32_t k = 0; k < 4; ++k)
    for (std::int32_t j = 0; j < 3; ++j)
      for (std::int32_t i = 0; i < 2; ++i) EXPECT_EQ(problem.coordinate(order[x++]), (Coordinate{i, j, k}));
}

TEST(Orders, ListingOneRunsAsWritten) {
  const Index m = 5, n = 7, k = 3, a = 2;
  const Problem problem = multiply_problem(m, n, k);
  const Order order = listing1_order(problem, {a, a});
  std::size_t x = 0;
  for (Index i1 = 0; i1 < m; i1 += a)
    for (Index j1 = 0; j1 < n; j1 += a)
      for (Index r = 0; r < k; ++r)
        for (Index j2 = j1; j2 < std::min(j1 + a, n); ++j2)
          for (Index i2 = i1; i2 < std::min(i1 + a, m); ++i2) {
            const Coordinate& c = problem.coordinate(order[x++]);
            EXPECT_TRUE(c.i == i2 && c.j == j2 && c.k == r);
          }
}

TEST(Orders, ListingOneTileIsTheLargestThatFits) {
  for (Index red = 4; red < 2000; ++red) {
    const Index a = listing1_tile(red).rows;
    EXPECT_LE(a * a + 2 * a, red);
    EXPECT_GT((a + 1) * (a + 1) + 2 * (a + 1), red);
  }
}

// Against every pair of integers, and against the real optimum a = K / (sqrt(K) + 1), b = sqrt(K), K = S - 2
// of max ab / (a + b) subject to ab + a <= K.
TEST(Orders, BestTileIsTheBest) {
  for (Index red = 4; red <= 150; ++red) {
    double best = 0;
    for (Index a = 1; a <= red; ++a)
      for (Index b = 1; b <= red; ++b)
        if (a * b + std::min(a, b) + 2 <= red)
          best = std::max(best, static_cast<double>(a * b) / static_cast<double>(a + b));
    const Tile tile = best_tile(red);
    EXPECT_LE(tile.rows * tile.columns + tile.rows + 2, red);
    const double found =
        static_cast<double>(tile.rows * tile.columns) / static_cast<double>(tile.rows + tile.columns);
    EXPECT_DOUBLE_EQ(found, best) << red;
    const double k = static_cast<double>(red - 2), a = k / (std::sqrt(k) + 1), b = std::sqrt(k);
    EXPECT_NEAR(a * b + a, k, 1e-9);
    EXPECT_LE(found, a * b / (a + b) + 1e-12);
  }
}

// Against every pair of integers.
TEST(Orders, FittedTileLoadsLeast) {
  for (const auto& [m, n] : {std::pair<Index, Index>{10, 10}, {7, 13}, {30, 4}, {1, 9}, {60, 60}})
    for (Index red = 4; red <= 140; red += 3) {
      const auto loads = [m = m, n = n](Index a, Index b) { return ceil_div(n, b) * m + ceil_div(m, a) * n; };
      Index least = loads(1, 1);
      for (Index a = 1; a <= m; ++a)
        for (Index b = 1; b <= n; ++b)
          if (a * b + std::min(a, b) + 2 <= red) least = std::min(least, loads(a, b));
      const Tile tile = fitted_tile(red, m, n);
      EXPECT_EQ(loads(tile.rows, tile.columns), least) << m << " " << n << " " << red;
      EXPECT_LE(tile.rows * tile.columns + std::min(tile.rows, tile.columns) + 2, red);
    }
}

TEST(Orders, FittedTileIsPlayedWithItsLoads) {
  const Index m = 12, n = 15, k = 7;
  const Problem problem = multiply_problem(m, n, k);
  for (const Index red : {6, 11, 20, 33, 50}) {
    const Tile tile = fitted_tile(red, m, n);
    EXPECT_LE(play(problem.graph, listing1_order(problem, tile), red).loads,
              k * (ceil_div(n, tile.columns) * m + ceil_div(m, tile.rows) * n));
  }
}

// The tile really stays red: S pebbles suffice for one pass over A and B a tile, S - 1 do not.
TEST(Orders, BestTileNeedsAllItsPebbles) {
  for (const Tile tile : {Tile{2, 3}, Tile{3, 3}, Tile{3, 5}}) {
    const Index k = 12, red = tile.rows * tile.columns + tile.rows + 2;
    const Problem problem = multiply_problem(tile.rows, tile.columns, k);
    const Order order = listing1_order(problem, tile);
    const Index once = k * (tile.rows + tile.columns);
    EXPECT_EQ(play(problem.graph, order, red).loads, once);
    EXPECT_GT(play(problem.graph, order, red - 1).loads, once);
  }
}

TEST(Orders, RandomOrdersDependOnTheSeedOnly) {
  const Problem problem = lu_problem(8);
  EXPECT_EQ(random_order(problem.graph, 5), random_order(problem.graph, 5));
  EXPECT_NE(random_order(problem.graph, 5), random_order(problem.graph, 6));
}

TEST(Orders, ErrorsNameTheOrder) {
  const Problem problem = multiply_problem(2, 2, 2);
  EXPECT_THROW(named_order(problem, "ijj", 10), ArgumentError);
  EXPECT_THROW(named_order(problem, "random:x", 10), ArgumentError);
  EXPECT_THROW(named_order(problem, "spiral", 10), ArgumentError);
  EXPECT_THROW(named_order(problem, "blocked:0", 10), ArgumentError);
  EXPECT_THROW(best_tile(3), ArgumentError);
}

}  // namespace
}  // namespace cairn::pebble
