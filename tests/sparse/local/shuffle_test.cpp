#include "sparse/local/shuffle.hpp"

#include <gtest/gtest.h>

#include <set>

using cairn::Index;
using cairn::sparse::Shuffle;

TEST(Shuffle, IsAPermutationAndItsInverseUndoesIt) {
  for (const Index n : {0, 1, 2, 3, 5, 16, 17, 1000, 4097})
    for (const std::uint64_t seed : {1U, 2U, 77U}) {
      const Shuffle by(n, seed);
      std::set<Index> seen;
      for (Index i = 0; i < n; ++i) {
        const Index to = by(i);
        ASSERT_GE(to, 0);
        ASSERT_LT(to, n);
        seen.insert(to);
        ASSERT_EQ(by.back(to), i);
      }
      EXPECT_EQ(std::ssize(seen), n);
    }
}

// Of every quarter about a quarter goes to every quarter: what balance needs.
TEST(Shuffle, SpreadsRangesEvenly) {
  constexpr Index n = 40'000;
  for (const std::uint64_t seed : {1U, 9U}) {
    const Shuffle by(n, seed);
    Index met[4][4] = {};
    for (Index i = 0; i < n; ++i) ++met[4 * i / n][4 * by(i) / n];
    for (const auto& row : met)
      for (const Index count : row) EXPECT_NEAR(static_cast<double>(count), n / 16.0, 5 * 50.0);
  }
  EXPECT_NE(Shuffle(n, 1)(5), Shuffle(n, 2)(5));
}
