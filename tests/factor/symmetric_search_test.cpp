#include "factor/symmetric_search.hpp"

#include <gtest/gtest.h>

#include <set>

#include "factor/cholesky_count.hpp"
#include "factor/symmetric_table.hpp"

namespace cairn::factor {
namespace {

TEST(SymmetricSearch, StructuredPatternsHaveTheirWords) {
  for (const int q : {2, 3, 4, 5, 7}) {
    const SymmetricCells plane = projective_plane(q);
    EXPECT_DOUBLE_EQ(plane.positions_per_class(), q + 1);
    EXPECT_DOUBLE_EQ(plane.load_imbalance(), 1);
  }
  for (const int r : {3, 4, 7}) EXPECT_DOUBLE_EQ(triangle_pairs(r).positions_per_class(), r - 1);
  EXPECT_DOUBLE_EQ(square_grid(4, 4).positions_per_class(), 7);
}

TEST(SymmetricSearch, FindsTheSamePatternAgain) {
  EXPECT_EQ(anneal(5, 7, 20000, 0.1, 3).owner, anneal(5, 7, 20000, 0.1, 3).owner);
}

// z of the published patterns (symmetric block cyclic and its generalisation).
TEST(SymmetricSearch, ShippedPatternsAreAsGoodAsThePublished) {
  const std::vector<std::pair<int, double>> published = {
      {2, 1.67},  {3, 2},     {4, 2.4},   {5, 2.72}, {6, 3},     {7, 3},     {8, 3.4},
      {9, 3.6},   {10, 3.84}, {11, 4},    {12, 4},   {13, 4},    {14, 4.57}, {15, 4.77},
      {16, 4.84}, {17, 5},    {24, 6.10}, {32, 7.0}, {36, 7.34}, {64, 9.95}};
  for (const auto& [positions, z] : published) {
    const SymmetricCells& cells = symmetric_pattern(positions);
    EXPECT_LE(cells.positions_per_class(), z) << positions;
    EXPECT_LE(cells.load_imbalance(), 1.18) << positions;
    EXPECT_EQ(cells.positions, positions);
  }
}

TEST(SymmetricSearch, EvenPatternsHaveEvenWork) {
  for (const int positions : {2, 3, 4, 5, 6, 8}) {
    const std::optional<SymmetricCells> even = even_symmetric_pattern(positions);
    ASSERT_TRUE(even) << positions;
    EXPECT_EQ(even->positions, positions);
    EXPECT_LE(even->positions_per_class(), 1.06 * symmetric_pattern(positions).positions_per_class());
    EXPECT_LE(cholesky_flop_imbalance(CholeskyShape(2048, 64, *even, 1)), 1.06) << positions;
  }
  EXPECT_FALSE(even_symmetric_pattern(1000));
}

// The owner of a column sends each row to all that need it: where owners would send more than others, takers pass rows on,
// but for those that the next column waits for. At 4 positions that is much of a column: there the limit is what plans allow.
TEST(CholeskyCount, NoRankSendsMuchMoreThanTheOthers) {
  for (const int positions : {2, 3, 4, 5, 7, 9, 13, 16, 32}) {
    const RankWords words = count_cholesky(CholeskyShape(2048, 32, symmetric_pattern(positions), 1));
    if (positions > 2)
      EXPECT_LE(static_cast<double>(words.most_sent()), (positions == 4 ? 1.19 : 1.1) * words.mean())
          << positions;
    else  // there is nobody who could
      EXPECT_GT(static_cast<double>(words.most_sent()), 1.2 * words.mean());
  }
}

TEST(SymmetricSearch, EveningKeepsTheWordsAndEvensTheLoad) {
  for (const int positions : {4, 8, 16}) {
    const SymmetricCells& cells = symmetric_pattern(positions);
    const SymmetricCells even = evened(cells, 2);
    EXPECT_LE(even.positions_per_class(), cells.positions_per_class() + 1e-12);
    EXPECT_LE(even.load_imbalance(), cells.load_imbalance() + 1e-12);
  }
}

// Pairs of positions between which rows go that the next column waits for, and others beside them.
Index split_messages(const CholeskyMoves& moves, int steps) {
  Index split = 0;
  for (int k = 0; k < steps; ++k) {
    std::set<std::pair<int, int>> first;
    for (const ColumnMove& m : moves.of_step(k))
      if (m.first) first.insert({m.from, m.to});
    for (const ColumnMove& m : moves.of_step(k))
      if (!m.first && !m.relayed && first.contains({m.from, m.to})) ++split;
  }
  return split;
}

TEST(CholeskyCount, WordsOfTheTargets) {
  struct Case {
    int positions, layers;
    double most;
  };
  for (const Case& c :
       {Case{4, 1, 757e3}, {4, 2, 645e3}, {8, 2, 462e3}, {16, 2, 335e3}, {16, 4, 230e3}, {7, 1, 628e3}}) {
    const RankWords words = count_cholesky(CholeskyShape(2048, 32, symmetric_pattern(c.positions), c.layers));
    EXPECT_LE(words.mean(), c.most) << c.positions << " x " << c.layers;
  }
  // The figures of an independent count, tile by tile.
  EXPECT_EQ(count_cholesky(CholeskyShape(1024, 64, square_grid(2, 2), 1)).total(), 952800);
  EXPECT_EQ(count_cholesky(CholeskyShape(512, 32, square_grid(4, 4), 1)).total(), 626336);
  const RankWords plane = count_cholesky(CholeskyShape(512, 32, projective_plane(2), 2));
  EXPECT_EQ(plane.total(), 370832);
  EXPECT_LE(plane.busiest(), 31280);  // where owners send everything themselves
  // One message for all rows that go from one to another in a step; one more where the next column waits for some of them.
  const CholeskyMoves moves(CholeskyShape(512, 32, projective_plane(2), 2));
  EXPECT_EQ(std::lround(plane.mean_messages() * 14) - split_messages(moves, 16), 229);
  EXPECT_EQ(count_cholesky(CholeskyShape(512, 32, triangle_pairs(4), 3)).total(), 475536);
}

}  // namespace
}  // namespace cairn::factor
