#include "layout/matching/assignment.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "layout/matching/matching_support.hpp"

namespace cairn::layout {
namespace {

constexpr Index most = std::numeric_limits<Index>::max();

Assignment assign(const Instance& instance, const AssignmentOptions& options = {}) {
  return assign_positions(instance.positions, instance.ranks, instance.benefits, options);
}

const AssignmentOptions never_exact{.exact_positions = 0, .exact_entries = 0, .near = {}};

// What `a` really does, from the list of benefits; fails if it is no assignment.
Best merit(const Instance& instance, const Assignment& a) {
  EXPECT_EQ(a.rank_of.size(), static_cast<std::size_t>(instance.positions));
  const DenseWords words = dense_words(instance);
  std::set<int> taken;
  Best merit{0, 0};
  for (std::size_t p = 0; p < a.rank_of.size(); ++p) {
    const int r = a.rank_of[p];
    EXPECT_TRUE(r >= 0 && r < instance.ranks && taken.insert(r).second)
        << "position " << p << " has rank " << r;
    merit.kept += words[p][static_cast<std::size_t>(r)];
    merit.on_diagonal += r == static_cast<int>(p) ? 1 : 0;
  }
  return merit;
}

Index kept_by_identity(const Instance& instance) {
  Index kept = 0;
  for (const Benefit& b : instance.benefits) kept += b.position == b.rank ? b.words : 0;
  return kept;
}

void expect_consistent(const Instance& instance, const Assignment& a) {
  EXPECT_EQ(a.kept, merit(instance, a).kept);
  EXPECT_EQ(a.kept_by_identity, kept_by_identity(instance));
  EXPECT_GE(a.saved(), 0);
  EXPECT_LE(a.kept, a.bound);
}

void expect_best(const Instance& instance, const Best& best) {
  const Assignment a = assign(instance);
  expect_consistent(instance, a);
  EXPECT_EQ(a.method, AssignmentMethod::exact);
  EXPECT_EQ(a.kept, best.kept);
  EXPECT_EQ(a.bound, best.kept);
  EXPECT_EQ(merit(instance, a).on_diagonal, best.on_diagonal);
}

void expect_error(const Instance& instance, const std::string& text, const AssignmentOptions& options = {}) {
  try {
    assign(instance, options);
    ADD_FAILURE() << "no error, expected: " << text;
  } catch (const ArgumentError& e) {
    EXPECT_EQ(e.what(), text);
  }
}

TEST(Assignment, BestOfAllPermutations) {
  MatchingRandom random(1);
  for (int round = 0; round < 900; ++round) {
    const int ranks = random.between(1, round < 880 ? 6 : 8);
    const Instance instance = random_instance(random, random.between(0, ranks), ranks, random.between(1, 4),
                                              round % 3 == 0 ? 1000 : random.between(0, 3));
    SCOPED_TRACE(round);
    expect_best(instance, best_of_all(dense_words(instance), ranks));
  }
}

TEST(Assignment, BestOverAllSetsOf16Ranks) {
  MatchingRandom random(2);
  for (const Index most_words : {1, 4, 1'000'000})
    for (const int positions : {9, 15, 16}) {
      const Instance instance = random_instance(random, positions, 16, positions % 3 + 1, most_words);
      expect_best(instance, best_over_sets(dense_words(instance), 16));
    }
}

TEST(Assignment, AgreesWithAMethodWithoutPrices) {
  MatchingRandom random(3);
  for (const auto& [positions, ranks] : {std::pair{40, 40}, {97, 97}, {128, 131}, {60, 200}, {200, 200}})
    for (const int thinness : {1, 2, 20})
      for (const Index most_words : {2, 100, 1'000'000'000}) {
        const Instance instance = random_instance(random, positions, ranks, thinness, most_words);
        const Assignment a = assign(instance);
        expect_consistent(instance, a);
        EXPECT_EQ(a.kept, best_by_relaxation(dense_words(instance), ranks)) << positions << " of " << ranks;
      }
  const Instance hard = product_instance(100, 120);
  EXPECT_EQ(assign(hard).kept, best_by_relaxation(dense_words(hard), 120));
}

TEST(Assignment, WithoutBenefitsEverybodyStays) {
  for (const auto& [positions, ranks] : {std::pair{0, 0}, {0, 3}, {1, 1}, {5, 5}, {5, 8}}) {
    for (const AssignmentOptions& options : {AssignmentOptions{}, never_exact}) {
      const Assignment a = assign({positions, ranks, {}}, options);
      EXPECT_EQ(a.kept, 0);
      EXPECT_EQ(a.bound, 0);
      ASSERT_EQ(a.rank_of.size(), static_cast<std::size_t>(positions));
      for (int p = 0; p < positions; ++p) EXPECT_EQ(a.rank_of[static_cast<std::size_t>(p)], p);
    }
  }
}

TEST(Assignment, TiesGoToTheIdentity) {
  Instance equal{6, 9, {}};
  for (int p = 0; p < 6; ++p)
    for (int r = 0; r < 9; ++r) equal.benefits.push_back({p, r, 7});
  for (const AssignmentOptions& options : {AssignmentOptions{}, never_exact}) {
    EXPECT_EQ(assign(equal, options).rank_of, (std::vector<int>{0, 1, 2, 3, 4, 5}));
    // Position 5 gains a word elsewhere; it alone moves.
    Instance gain = equal;
    gain.benefits.push_back({5, 7, 1});
    EXPECT_EQ(assign(gain, options).rank_of, (std::vector<int>{0, 1, 2, 3, 4, 7}));
  }
}

// Broken off at once, what is left is greedy: 10 words and nothing for the other position. So many stay
// anyway.
TEST(Assignment, TheIdentityIsTakenIfItKeepsAsMany) {
  AssignmentOptions options = never_exact;
  options.near.looks_per_entry = 0;
  const Assignment a = assign({2, 2, {{0, 0, 1}, {0, 1, 10}, {1, 1, 9}}}, options);
  EXPECT_EQ(a.rank_of, (std::vector<int>{0, 1}));
  EXPECT_EQ(a.kept, 10);
}

// Rank p has the block of position (p + 1) mod n: what a shifted numbering of the grid looks like.
TEST(Assignment, FollowsAPermutation) {
  const int n = 1000;
  Instance shifted{n, n, {}};
  for (int p = 0; p < n; ++p) shifted.benefits.push_back({(p + 1) % n, p, 5});
  for (const AssignmentOptions& options : {AssignmentOptions{}, never_exact}) {
    const Assignment a = assign(shifted, options);
    EXPECT_EQ(a.kept, 5 * n);
    EXPECT_EQ(a.kept_by_identity, 0);
    EXPECT_EQ(a.saved(), 5 * n);
    EXPECT_EQ(a.rank_of[1], 0);
  }
}

TEST(Assignment, BenefitsOfTheSamePairAddUp) {
  const Instance parts{2, 2, {{0, 1, 3}, {0, 0, 5}, {1, 0, 1}, {0, 1, 3}, {1, 0, 0}}};
  const Assignment a = assign(parts);
  EXPECT_EQ(a.rank_of, (std::vector<int>{1, 0}));
  EXPECT_EQ(a.kept, 7);
  EXPECT_EQ(a.kept_by_identity, 5);
}

// What a rank gets may depend neither on when it asks nor on how it happened to list the benefits.
TEST(Assignment, DependsOnTheBenefitsAlone) {
  MatchingRandom random(4);
  for (const Index most_words : {1, 3, 1000})
    for (const AssignmentOptions& options : {AssignmentOptions{}, never_exact}) {
      Instance instance = random_instance(random, 90, 100, 3, most_words);
      const Assignment first = assign(instance, options);
      for (int round = 0; round < 5; ++round) {
        std::ranges::shuffle(instance.benefits, random.engine());
        const Assignment again = assign(instance, options);
        EXPECT_EQ(again.rank_of, first.rank_of);
        EXPECT_EQ(again.kept, first.kept);
        EXPECT_EQ(again.bound, first.bound);
      }
    }
}

TEST(Assignment, NearIsNeverBetterThanExactAndWithinItsTolerance) {
  MatchingRandom random(5);
  for (int round = 0; round < 300; ++round) {
    const int ranks = random.between(1, 60);
    const Instance instance = random_instance(random, random.between(0, ranks), ranks, random.between(1, 6),
                                              round % 2 == 0 ? 3 : 1'000'000);
    const Assignment exact = assign(instance);
    const Assignment near = assign(instance, never_exact);
    SCOPED_TRACE(round);
    expect_consistent(instance, near);
    EXPECT_EQ(near.method, instance.positions > 0 ? AssignmentMethod::near : AssignmentMethod::exact);
    EXPECT_LE(near.kept, exact.kept);
    EXPECT_GE(near.bound, exact.kept);
    EXPECT_GE(static_cast<double>(near.kept), 0.999 * static_cast<double>(near.bound) - 1);
  }
}

TEST(Assignment, NearThatIsStoppedKeepsHalf) {
  MatchingRandom random(6);
  for (int round = 0; round < 300; ++round) {
    const int ranks = random.between(1, 40);
    const Instance instance =
        random_instance(random, random.between(1, ranks), ranks, random.between(1, 6), 100);
    const Assignment exact = assign(instance);
    for (const Index looks : {0, 1, 3}) {
      AssignmentOptions options = never_exact;
      options.near.looks_per_entry = looks;
      const Assignment near = assign(instance, options);
      expect_consistent(instance, near);
      EXPECT_LE(near.kept, exact.kept);
      EXPECT_GE(near.bound, exact.kept);
      EXPECT_GE(2 * near.kept, exact.kept) << looks << " looks in round " << round;
    }
  }
}

TEST(Assignment, LimitsChooseTheMethod) {
  const Instance instance = product_instance(3, 4);  // 12 entries
  const auto method = [&](Index positions, Index entries) {
    return assign(instance, {.exact_positions = positions, .exact_entries = entries, .near = {}}).method;
  };
  EXPECT_EQ(method(3, 12), AssignmentMethod::exact);
  EXPECT_EQ(method(2, 12), AssignmentMethod::near);
  EXPECT_EQ(method(3, 11), AssignmentMethod::near);
  EXPECT_EQ(name(AssignmentMethod::exact), "exact");
  EXPECT_EQ(name(AssignmentMethod::near), "near");
}

TEST(Assignment, WordsNearTheLimitOf64Bits) {
  MatchingRandom random(7);
  for (int round = 0; round < 60; ++round) {
    Instance instance = random_instance(random, 5, 6, 1, most / 30);
    for (Benefit& b : instance.benefits) b.words -= b.words % (round % 2 == 0 ? 1 : most / 90);
    const Best best = best_of_all(dense_words(instance), 6);
    expect_best(instance, best);
    const Assignment near = assign(instance, never_exact);
    EXPECT_LE(near.kept, best.kept);
    EXPECT_GE(near.bound, best.kept);
  }
  EXPECT_EQ(assign({2, 2, {{0, 1, most - 1}, {1, 0, 1}}}).kept, most);
  EXPECT_EQ(assign({2, 2, {{0, 1, most - 1}, {1, 0, 1}}}, never_exact).bound, most);
}

TEST(Assignment, BadInputIsNamed) {
  expect_error({-1, 4, {}}, "number of grid positions is -1, expected 0 or more");
  expect_error({5, 4, {}}, "5 grid positions for 4 ranks, expected a rank for each position");
  expect_error({0, -1, {}}, "0 grid positions for -1 ranks, expected a rank for each position");
  expect_error({3, 4, {{0, 0, 1}, {3, 0, 1}}}, "position of benefit 1 is 3, expected 0 <= position < 3");
  expect_error({3, 4, {{-1, 0, 1}}}, "position of benefit 0 is -1, expected 0 <= position < 3");
  expect_error({3, 4, {{0, 4, 1}}}, "rank of benefit 0 is 4, expected 0 <= rank < 4");
  expect_error({3, 4, {{0, -2, 0}}}, "rank of benefit 0 is -2, expected 0 <= rank < 4");
  expect_error({3, 4, {{0, 0, -7}}}, "words of benefit 0 are -7, expected 0 or more");
  AssignmentOptions options;
  options.exact_positions = -1;
  expect_error({3, 4, {}}, "exact_positions is -1, expected 0 or more", options);
  options = {};
  options.exact_entries = -2;
  expect_error({3, 4, {}}, "exact_entries is -2, expected 0 or more", options);
  options = {};
  options.near.tolerance = 1;
  expect_error({3, 4, {}}, "tolerance is 1, expected 0 <= tolerance < 1", options);
  options.near.tolerance = std::numeric_limits<double>::quiet_NaN();
  expect_error({3, 4, {}}, "tolerance is nan, expected 0 <= tolerance < 1", options);
  options = {};
  options.near.looks_per_entry = -1;
  expect_error({3, 4, {}}, "looks_per_entry is -1, expected 0 or more", options);
}

TEST(Assignment, SumsThatDoNotFitAreErrors) {
  EXPECT_THROW(assign({2, 2, {{0, 0, most}, {1, 1, 1}}}), OverflowError);
  EXPECT_THROW(assign({1, 1, {{0, 0, most}, {0, 0, most}}}), OverflowError);
}

}  // namespace
}  // namespace cairn::layout
