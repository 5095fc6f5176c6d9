// Shapes, plans and bounds, without MPI.
#include "symmetric/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bounds/symmetric.hpp"
#include "factor/symmetric_table.hpp"
#include "layout/random_layout.hpp"
#include "symmetric/pieces.hpp"

namespace cairn::symmetric {
namespace {

using test::pick;
using test::Random;

bool is_inside(Triangle t, Index i, Index j) { return t == Triangle::lower ? i >= j : i <= j; }

std::vector<Index> all_of(const layout::IndexMap& map, int part) {
  std::vector<Index> all;
  for (Index i = 0; i < map.size(); ++i)
    if (map.part_of(i) == part) all.push_back(i);
  return all;
}

TEST(Pieces, CoverTheTriangleOnce) {
  for (int round = 0; round < 200; ++round) {
    Random random(static_cast<std::uint64_t>(round));
    const Index n = pick(random, 0, 300);
    const layout::IndexMap rows = layout::IndexMap::block_cyclic(n, pick(random, 1, 70), 3);
    const layout::IndexMap columns = layout::IndexMap::block_cyclic(n, pick(random, 1, 70), 2);
    const int a = test::pick_int(random, 0, 2), b = test::pick_int(random, 0, 1);
    const std::vector<Index> r = all_of(rows, a), c = all_of(columns, b);
    const Triangle triangle = round % 2 == 0 ? Triangle::lower : Triangle::upper;
    std::vector<int> seen(r.size() * c.size(), 0);
    for_each_piece(triangle, r, c, [&](const TrianglePiece& p) {
      EXPECT_TRUE(p.whole || (p.rows <= cut_size && p.columns <= cut_size));
      for (Index j = p.first_column; j < p.first_column + p.columns; ++j)
        for (Index i = p.first_row; i < p.first_row + p.rows; ++i) {
          ++seen[static_cast<std::size_t>(i) + r.size() * static_cast<std::size_t>(j)];
          const Index row = r[static_cast<std::size_t>(i)], column = c[static_cast<std::size_t>(j)];
          if (p.whole) {
            EXPECT_TRUE(is_inside(triangle, row, column) && row != column);
          }
        }
    });
    Index inside = 0;
    for (std::size_t j = 0; j < c.size(); ++j)
      for (std::size_t i = 0; i < r.size(); ++i) {
        inside += is_inside(triangle, r[i], c[j]) ? 1 : 0;
        ASSERT_LE(seen[i + r.size() * j], 1);
        if (is_inside(triangle, r[i], c[j])) {
          ASSERT_EQ(seen[i + r.size() * j], 1);
        }
      }
    EXPECT_EQ(elements_inside(triangle, rows, a, columns, b), inside);
  }
}

std::array<layout::Layout, 3> cyclic_layouts(const Problem& p, int rows, int columns, Index block = 32) {
  std::array<layout::Layout, 3> all;
  const auto extents = stored_extents(p);
  for (std::size_t m = 0; m < 3; ++m)
    all[m] =
        layout::block_cyclic(extents[m].rows, extents[m].columns,
                             {.process_rows = rows, .process_columns = columns, .mb = block, .nb = block});
  if (p.kind == Kind::rank_k) all[1] = {};
  if (p.kind == Kind::triangular) all[2] = {};
  return all;
}

double busiest(const std::vector<comm::Counters>& all) {
  Index most = 0;
  for (const comm::Counters& c : all) most = std::max({most, c.sent.words, c.received.words});
  return static_cast<double>(most);
}

TEST(SymmetricPlan, TheSymmetrySavesWords) {
  for (const int side : {2, 3, 4}) {
    const int ranks = side * side;
    const Index n = 720;
    for (const Kind kind : {Kind::rank_k, Kind::symmetric, Kind::triangular}) {
      const Problem p{.kind = kind, .n = n, .k = n};
      const auto layouts = cyclic_layouts(p, side, side);
      const Plan plan = plan_product(p, layouts, ranks, {.goal = Goal::words});
      const std::vector<comm::Counters> counted = count(plan, layouts);
      Index total = 0;
      for (const comm::Counters& c : counted) total += c.received.words;
      // On the same grid without the symmetry: A along rows, A^T (or B) along columns.
      const double side_share = 1.0 / side, face = n * n * side_share;
      const double other = kind == Kind::rank_k ? 1 - side_share * side_share : 1 - side_share;
      const double general = face * (1 - side_share) + face * other;
      EXPECT_LT(static_cast<double>(total) / ranks, (kind == Kind::rank_k      ? 0.87
                                                     : kind == Kind::symmetric ? 1.02
                                                                               : 0.8) *
                                                        general)
          << describe(p) << ": " << plan.best.pattern << " x " << plan.best.parts;
      EXPECT_GE(busiest(counted), plan.bound_words);
      // The estimate by which plans are chosen is near what they move.
      EXPECT_NEAR(plan.best.mean_words, static_cast<double>(total) / ranks, 0.02 * plan.best.mean_words)
          << describe(p);
    }
  }
}

TEST(SymmetricPlan, ATriangleStaysWherePanelsAreNarrow) {
  for (const Kind kind : {Kind::rank_k, Kind::symmetric, Kind::triangular}) {
    const Problem p{.kind = kind, .n = 2000, .k = 10};
    const auto layouts = cyclic_layouts(p, 4, 4);
    const Plan plan = plan_product(p, layouts, 16, {.goal = Goal::words});
    EXPECT_TRUE(plan.best.stays) << describe(p);
    EXPECT_LE(busiest(count(plan, layouts)), 2000.0 * 10 * 4);
  }
}

TEST(SymmetricPlan, LongPanelsAreCutIntoParts) {
  const Problem p{.kind = Kind::rank_k, .n = 64, .k = 100000};
  const auto layouts = cyclic_layouts(p, 1, 16);
  const Plan plan = plan_product(p, layouts, 16, {.goal = Goal::words});
  EXPECT_EQ(plan.best.parts, 16);
  // Only the triangle is added up: (1 - 1/16) of n (n + 1) / 2 leaves each rank, but for what it owns.
  EXPECT_LE(busiest(count(plan, layouts)), 16.0 * 65 * 32);
}

TEST(SymmetricPlan, SaysWhatIsWrong) {
  const Problem p{.kind = Kind::rank_k, .n = 10, .k = 4};
  const auto layouts = cyclic_layouts(p, 2, 2);
  EXPECT_THROW(plan_product(p, layouts, 3), ArgumentError);
  EXPECT_THROW(plan_product(p, layouts, 4, {.algorithm = "best"}), ArgumentError);
  EXPECT_THROW(plan_product(p, layouts, 4, {.parts = 5}), ArgumentError);
  EXPECT_THROW(plan_product({.kind = Kind::rank_k, .n = 11, .k = 4}, layouts, 4), ArgumentError);
  EXPECT_THROW(plan_product(p, layouts, 4, {.memory_bytes = 10}), MemoryError);
}

TEST(SymmetricBound, IsWhatTheOptimumOfTheLagrangianSays) {
  // 3/2 (n (n - 1) k / P)^(2/3) words touched where neither the triangle nor the panel is at an end.
  const Index n = 3000, k = 3000, ranks = 64;
  const double voxels = static_cast<double>(n) * (n - 1) * k / ranks;
  EXPECT_NEAR(bounds::symmetric::words_touched({.n = n, .k = k}, ranks), 1.5 * std::pow(voxels, 2.0 / 3),
              1e-9 * std::pow(voxels, 2.0 / 3));
  // Symmetric product: 3 (n (n - 1) k / (sqrt(2) P))^(2/3).
  EXPECT_NEAR(bounds::symmetric::words_touched({.n = n, .k = k, .panels = 2}, ranks),
              3 * std::pow(voxels / std::sqrt(2.0), 2.0 / 3), 1e-9 * std::pow(voxels, 2.0 / 3));
  // Triangular: Loomis-Whitney, 3 (n (n - 1) k / (2 P))^(2/3).
  EXPECT_NEAR(bounds::symmetric::words_touched({.n = n, .k = k, .panels = 2, .symmetric = false}, ranks),
              3 * std::pow(voxels / 2, 2.0 / 3), 1e-9 * std::pow(voxels, 2.0 / 3));
  EXPECT_EQ(bounds::symmetric::words({.n = n, .k = k}, 1), 0);
  EXPECT_EQ(bounds::symmetric::words({.n = 0, .k = k}, 4), 0);
  EXPECT_EQ(bounds::symmetric::words({.n = 5, .k = 0}, 4), 0);
}

}  // namespace
}  // namespace cairn::symmetric
