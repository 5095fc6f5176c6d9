#include "factor/lu_count.hpp"

#include <gtest/gtest.h>

#include <set>

namespace cairn::factor {
namespace {

TEST(LuPattern, EveryPositionHasAProductOfClasses) {
  for (int i = 2; i <= 141; ++i) {
    const int p = i / 2;
    const LuPattern pattern = i % 2 == 0 ? LuPattern::generalised(p) : LuPattern::rectangles(p);
    ASSERT_EQ(pattern.positions(), p);
    Index cells = 0;
    for (int q = 0; q < p; ++q) {
      for (const int a : pattern.rows_of(q))
        for (const int b : pattern.columns_of(q)) ASSERT_EQ(pattern.at(a, b), q) << p;
      cells += std::ssize(pattern.rows_of(q)) * std::ssize(pattern.columns_of(q));
      // Even loads: all have as many cells.
      EXPECT_EQ(std::ssize(pattern.rows_of(q)) * std::ssize(pattern.columns_of(q)) * p,
                Index{pattern.row_classes()} * pattern.column_classes())
          << p;
    }
    EXPECT_EQ(cells, Index{pattern.row_classes()} * pattern.column_classes());
  }
}

// Rectangles as near to squares as they can be: no more words than G-2DBC, and no rank with many more than the others.
TEST(LuPattern, RectanglesHaveNoMoreWords) {
  const std::vector<Index> order = expected_order(1024);
  for (const int p : {5, 7, 8, 11, 13, 17}) {
    const LuPattern general = LuPattern::generalised(p), even = LuPattern::rectangles(p);
    const double more = general.positions_per_row() + general.positions_per_column() -
                        even.positions_per_row() - even.positions_per_column();
    EXPECT_GE(more, p == 5 || p == 11 || p == 17 ? 0.09 : -1e-9) << p;  // the others are the same, turned
    const RankWords words = count_lu(LuShape(1024, 1024, 16, even, 1), order);
    EXPECT_LT(words.mean(), 1.02 * count_lu(LuShape(1024, 1024, 16, general, 1), order).mean()) << p;
    EXPECT_LE(static_cast<double>(std::max(words.most_received(), words.most_sent())), 1.2 * words.mean())
        << p;
  }
}

// Words of N = 2048, v = 32 within half a percent of an independent count, row by row.
TEST(LuCount, WordsOfTheTargets) {
  struct Case {
    LuPattern pattern;
    int layers;
    double words;
  };
  const std::vector<Index> order = expected_order(2048);
  for (const Case& c : {Case{LuPattern::grid(2, 2), 1, 1082e3},
                        {LuPattern::generalised(8), 1, 1018e3},
                        {LuPattern::generalised(8), 2, 764e3},
                        {LuPattern::grid(4, 4), 2, 539e3},
                        {LuPattern::grid(4, 4), 4, 392e3},
                        {LuPattern::generalised(5), 1, 1195e3},
                        {LuPattern::generalised(7), 1, 1064e3},
                        {LuPattern::generalised(11), 1, 947e3},
                        {LuPattern::generalised(13), 1, 886e3},
                        {LuPattern::generalised(17), 1, 829e3}}) {
    const RankWords words = count_lu(LuShape(2048, 2048, 32, c.pattern, c.layers), order);
    EXPECT_NEAR(words.mean(), c.words, 0.005 * c.words) << c.pattern.text() << " x " << c.layers;
    EXPECT_LE(words.busiest(), 1.2 * words.mean()) << c.pattern.text() << " x " << c.layers;
  }
}

TEST(LuCount, OtherOrdersChangeLittle) {
  std::vector<Index> straight(512);
  for (std::size_t i = 0; i < straight.size(); ++i) straight[i] = static_cast<Index>(i);
  const LuShape shape(512, 512, 16, LuPattern::generalised(8), 2);
  const double random = count_lu(shape, expected_order(512)).mean(),
               in_order = count_lu(shape, straight).mean();
  EXPECT_NEAR(random, in_order, 0.03 * random);
}

}  // namespace
}  // namespace cairn::factor
