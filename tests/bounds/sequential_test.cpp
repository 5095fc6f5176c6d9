#include "bounds/sequential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "bounds/numeric.hpp"

namespace cairn::bounds::sequential {
namespace {

// Fast memory of S words that counts what enters and leaves it, and refuses to hold more.
class FastMemory {
 public:
  explicit FastMemory(Index size) : size_(size) {}
  void load(char matrix, Index i, Index j) {
    if (held_.insert({matrix, i, j}).second) ++words_;
    check();
  }
  void create(Index i, Index j) {
    held_.insert({'C', i, j});
    check();
  }
  void store(Index i, Index j) {
    EXPECT_EQ(held_.erase({'C', i, j}), 1u);
    ++words_;
  }
  void drop(char matrix, Index i, Index j) { held_.erase({matrix, i, j}); }
  Index words() const { return words_; }

 private:
  void check() { ASSERT_LE(static_cast<Index>(held_.size()), size_); }
  Index size_;
  Index words_ = 0;
  std::set<std::tuple<char, Index, Index>> held_;
};

// One tile of Listing 1: rows i0..i1 and columns j0..j1 of C stay while r runs over k.
void play_tile(FastMemory& fast, Index i0, Index i1, Index j0, Index j1, Index k) {
  for (Index i = i0; i < i1; ++i)
    for (Index j = j0; j < j1; ++j) fast.create(i, j);
  for (Index r = 0; r < k; ++r) {
    for (Index i = i0; i < i1; ++i) fast.load('A', i, r);
    for (Index j = j0; j < j1; ++j) fast.load('B', r, j);
    for (Index i = i0; i < i1; ++i) fast.drop('A', i, r);
    for (Index j = j0; j < j1; ++j) fast.drop('B', r, j);
  }
  for (Index i = i0; i < i1; ++i)
    for (Index j = j0; j < j1; ++j) fast.store(i, j);
}

Index play_listing1(const Product& p, Index memory, Index a) {
  FastMemory fast(memory);
  for (Index i = 0; i < p.m; i += a)
    for (Index j = 0; j < p.n; j += a) play_tile(fast, i, std::min(i + a, p.m), j, std::min(j + a, p.n), p.k);
  return fast.words();
}

struct Case {
  Product p;
  Index memory;
};
const std::vector<Case> cases{
    {{8, 8, 8}, 8}, {{7, 11, 5}, 15}, {{12, 12, 20}, 24}, {{13, 6, 9}, 30}, {{5, 5, 5}, 99}};

TEST(Sequential, ListingOneCountsWhatTheLoopMoves) {
  for (const auto& [p, memory] : cases) {
    const Index a = listing1_tile(memory);
    EXPECT_EQ(listing1(p, memory).words, as_real(play_listing1(p, memory, a))) << p.m << ' ' << memory;
  }
}

TEST(Sequential, TheTileIsTheLargestThatFits) {
  for (Index memory = 3; memory < 2000; ++memory) {
    const Index a = listing1_tile(memory);
    EXPECT_LE(a * a + 2 * a, memory);
    EXPECT_GT((a + 1) * (a + 1) + 2 * (a + 1), memory);
  }
}

TEST(Sequential, SmoothFormMeetsTheCountWhenTilesDivide) {
  for (Index a : {2, 4, 10}) {
    const Product p{4 * a, 3 * a, 17};
    const Index memory = a * a + 2 * a;
    EXPECT_DOUBLE_EQ(listing1_smooth(p, as_real(memory)), as_real(play_listing1(p, memory, a)));
  }
}

TEST(Sequential, ListingOneIsWithinItsFactorOfTheBound) {
  for (Index a : {2, 10, 100}) {
    const Product p{2 * a, 2 * a, 1000};
    const double memory = as_real(a * a + 2 * a);
    const double ratio = listing1_smooth(p, memory) / theorem1(p, memory);
    EXPECT_GT(ratio, 1);
    EXPECT_LE(ratio, listing1_factor(memory));
  }
  // The abstract: 0.03 % for 10 MB of fast memory, in doubles or floats.
  EXPECT_LT(listing1_factor(10e6 / 4), 1.0007);
}

// Each subcomputation that may touch X words of A, B and C does at most max sqrt(abc) voxels and must load
// X - S of them: the intensity, maximised over the faces and minimised over X, is sqrt(S) / 2.
TEST(Sequential, LeadingTermIsTheOptimumOfTheIntensity) {
  for (double memory : {16.0, 100.0, 4096.0}) {
    const auto intensity = [&](double limit) {
      const auto best_split = [&](double c) { return -std::sqrt((limit - c) * (limit - c) / 4 * c); };
      const double c = test::argmin(best_split, 0, limit);
      return -best_split(c) / (limit - memory);
    };
    const double limit = test::argmin(intensity, memory * 1.01, 50 * memory);
    EXPECT_NEAR(limit, 3 * memory, 1e-3 * memory);
    const double voxel_count = 1e9;
    // All but the last subcomputation load limit - memory words.
    EXPECT_NEAR(voxel_count / intensity(limit) - (limit - memory), smith_van_de_geijn(voxel_count, memory),
                1e-9 * voxel_count);
  }
}

// Every word that a voxel touches, once; every event of the phases.
TEST(Sequential, FloorIsTheLargerOfTwoCounts) {
  for (const auto& [p, memory] : std::vector<Case>{{{8, 8, 8}, 8},
                                                   {{7, 11, 5}, 15},
                                                   {{12, 12, 20}, 24},
                                                   {{13, 6, 9}, 30},
                                                   {{30, 2, 3}, 9},
                                                   {{5, 5, 5}, 99}}) {
    std::set<std::tuple<char, Index, Index>> touched;
    for (Index i = 0; i < p.m; ++i)
      for (Index j = 0; j < p.n; ++j)
        for (Index l = 0; l < p.k; ++l) touched.insert({{'A', i, l}, {'B', l, j}, {'C', i, j}});
    const double once = as_real(static_cast<Index>(touched.size()));
    EXPECT_EQ(compulsory(p), once);
    const double events = as_real(test::count_events(voxels(p), memory, std::pow(3.0, -1.5)));
    EXPECT_LE(floor(p, as_real(memory)), std::max(once, events));
    EXPECT_GE(floor(p, as_real(memory)), std::max(once, events - 1 - 0.385 * as_real(memory)));
  }
}

// k so long that C does not count: what the played loop moves over Theorem 1.
TEST(Sequential, FactorIsTheLimitForLongK) {
  for (Index a : {2, 4, 10}) {
    const Index memory = a * a + 2 * a, k = 20000;
    const double played = as_real(play_listing1({a, a, k}, memory, a));
    EXPECT_NEAR(played / theorem1({a, a, k}, as_real(memory)), listing1_factor(as_real(memory)), 1e-3);
  }
}

// Short k: every product is stored at once, and a snake through C loads one new word a step.
Index play_snake(Index m, Index n) {
  FastMemory fast(3);
  for (Index i = 0; i < m; ++i)
    for (Index s = 0; s < n; ++s) {
      const Index j = i % 2 == 0 ? s : n - 1 - s;
      if (i > 0 && s == 0) fast.drop('A', i - 1, 0);
      if (s > 0) fast.drop('B', 0, i % 2 == 0 ? j - 1 : j + 1);
      fast.load('A', i, 0);
      fast.load('B', 0, j);
      fast.create(i, j);
      fast.store(i, j);
    }
  return fast.words();
}

TEST(Sequential, TheoremOneIsBeatenWhenKIsShortAndTheFloorIsNot) {
  for (Index n : {4, 6, 40}) {
    const double played = as_real(play_snake(n, n));
    EXPECT_LT(played, theorem1({n, n, 1}, 3));
    EXPECT_GE(played, floor({n, n, 1}, 3));
  }
}

TEST(Sequential, NoPlayedScheduleIsBelowTheFloor) {
  for (const auto& [p, memory] : cases)
    for (Index a = 1; a <= listing1_tile(memory); ++a)
      EXPECT_GE(as_real(play_listing1(p, memory, a)), floor(p, as_real(memory)));
}

TEST(Sequential, ArgumentsAreChecked) {
  EXPECT_THROW(theorem1({0, 1, 1}, 4), ArgumentError);
  EXPECT_THROW(theorem1({1, 1, 1}, 0), ArgumentError);
  EXPECT_THROW(listing1({1, 1, 1}, 2), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds::sequential
