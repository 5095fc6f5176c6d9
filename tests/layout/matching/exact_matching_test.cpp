#include "layout/matching/exact_matching.hpp"

#include <gtest/gtest.h>

#include "layout/matching/greedy_matching.hpp"
#include "layout/matching/matching_support.hpp"

namespace cairn::layout {
namespace {

BenefitTable table_of(const Instance& i) { return BenefitTable(i.positions, i.ranks, i.benefits); }

// Checks everything that ExactMatching promises, from the benefits themselves. What follows is LP duality:
// any matching is worth at most the sum of the prices of its ends.
template <class Worth>
void expect_proof(const Instance& instance, const ExactMatching<Worth>& matching) {
  const DenseWords words = dense_words(instance);
  const Wide scale = Wide{instance.positions} + 1;
  const auto worth = [&](std::size_t p, std::size_t r) { return scale * words[p][r] + (p == r ? 1 : 0); };
  std::vector<char> taken(matching.rank_price.size());
  Wide matched = 0, prices = 0;
  std::size_t broken = 0;
  for (std::size_t p = 0; p < words.size(); ++p) {
    prices += matching.position_price[p];
    broken += matching.position_price[p] < 0 ? 1U : 0U;
    for (std::size_t r = 0; r < taken.size(); ++r)
      broken += Wide{matching.position_price[p]} + matching.rank_price[r] < worth(p, r) ? 1U : 0U;
    if (matching.rank_of[p] < 0) continue;
    const auto r = static_cast<std::size_t>(matching.rank_of[p]);
    ASSERT_LT(r, taken.size());
    EXPECT_EQ(std::exchange(taken[r], 1), 0) << "rank " << r << " is taken twice";
    matched += worth(p, r);
  }
  for (const Worth price : matching.rank_price) {
    prices += price;
    broken += price < 0 ? 1U : 0U;
  }
  EXPECT_EQ(broken, 0U) << "prices that are not feasible";
  EXPECT_TRUE(matched == prices) << "the matching is not worth the sum of the prices";
}

// Without an auction, with one, and with one that is broken off anywhere: exact in any case.
const std::vector<ExactEffort> efforts{{},
                                       {.before_auction = 1'000'000, .in_auction = 0},
                                       {.before_auction = 0, .in_auction = 512},
                                       {.before_auction = 0, .in_auction = 0},
                                       {.before_auction = 0, .in_auction = 1},
                                       {.before_auction = 0, .in_auction = 4},
                                       {.before_auction = 1, .in_auction = 16}};

void expect_proofs(const Instance& instance) {
  const BenefitTable table = table_of(instance);
  ASSERT_TRUE(fits_index(table));
  for (const ExactEffort& effort : efforts) {
    SCOPED_TRACE(testing::Message() << effort.before_auction << " " << effort.in_auction);
    expect_proof(instance, match_exactly<Index>(table, effort));
    expect_proof(instance, match_exactly<Wide>(table, effort));
  }
}

TEST(ExactMatching, PricesProveManySmallOnes) {
  MatchingRandom random(11);
  for (int round = 0; round < 400; ++round) {
    const int ranks = random.between(1, 24);
    SCOPED_TRACE(round);
    expect_proofs(random_instance(random, random.between(0, ranks), ranks, random.between(1, 5),
                                  round % 2 == 0 ? 3 : 1'000'000));
  }
}

TEST(ExactMatching, PricesProveHardOnes) {
  expect_proofs(product_instance(60, 60));
  expect_proofs(product_instance(50, 75));
  MatchingRandom random(12);
  // Of rank 3, as overlaps of three matrices are.
  Instance low_rank{80, 80, {}};
  std::vector<Index> factors(6 * 80);
  for (Index& f : factors) f = random.below(1000);
  for (int p = 0; p < 80; ++p)
    for (int r = 0; r < 80; ++r)
      for (std::size_t k = 0; k < 3; ++k)
        low_rank.benefits.push_back({p, r,
                                     factors[160 * k + static_cast<std::size_t>(p)] *
                                         factors[160 * k + 80 + static_cast<std::size_t>(r)]});
  expect_proofs(low_rank);
}

TEST(ExactMatching, PricesProveLargeOnes) {
  MatchingRandom random(13);
  for (const Instance& instance :
       {random_instance(random, 900, 900, 1, 1'000'000), random_instance(random, 700, 1000, 2, 5),
        sparse_instance(random, 3000, 3000, 24, 1'000'000), sparse_instance(random, 2000, 3000, 6, 3),
        product_instance(400, 400)})
    expect_proof(instance, match_exactly<Index>(table_of(instance)));
}

TEST(ExactMatching, KnowsWhen64BitsAreEnough) {
  const Index largest = std::numeric_limits<Index>::max();
  EXPECT_TRUE(fits_index(table_of({1, 1, {{0, 0, largest / 8 - 1}}})));
  EXPECT_FALSE(fits_index(table_of({1, 1, {{0, 0, largest / 8 + 1}}})));
  EXPECT_FALSE(fits_index(table_of({3, 3, {{0, 0, largest / 8}}})));
}

TEST(GreedyMatching, KeepsHalfAndNotMoreThanTheBest) {
  MatchingRandom random(14);
  Index least_percent = 100;
  for (int round = 0; round < 500; ++round) {
    const int ranks = random.between(1, 12);
    const Instance instance =
        random_instance(random, random.between(1, ranks), ranks, random.between(1, 3), 9);
    const BenefitTable table = table_of(instance);
    const Index greedy = words_kept(table, match_greedily(table));
    const Index best = best_over_sets(dense_words(instance), ranks).kept;
    EXPECT_LE(greedy, best);
    EXPECT_GE(2 * greedy, best);
    if (best > 0) least_percent = std::min(least_percent, 100 * greedy / best);
  }
  EXPECT_LT(least_percent, 100);  // otherwise the instances say nothing
  // The worst case: one pair of 10 words blocks two of 9.
  const BenefitTable worst = table_of({2, 2, {{0, 0, 9}, {0, 1, 10}, {1, 1, 9}}});
  EXPECT_EQ(match_greedily(worst), (std::vector<int>{1, -1}));
  // Among equals the diagonal, not the lower position.
  EXPECT_EQ(match_greedily(table_of({2, 2, {{0, 1, 5}, {1, 1, 5}}})), (std::vector<int>{0, 1}));
}

TEST(BenefitTable, RowsAreSortedMergedAndHaveTheirDiagonal) {
  MatchingRandom random(15);
  for (int round = 0; round < 200; ++round) {
    const int ranks = random.between(1, 12);
    Instance instance = sparse_instance(random, random.between(1, ranks), ranks, random.between(0, 20), 2);
    if (round % 2 == 0)
      std::ranges::stable_sort(instance.benefits, {}, [](const Benefit& b) { return b.rank; });
    const BenefitTable table = table_of(instance);
    const DenseWords words = dense_words(instance);
    Index entries = 0;
    for (int p = 0; p < instance.positions; ++p) {
      std::vector<int> expected;
      for (int r = 0; r < ranks; ++r) {
        const Index w = words[static_cast<std::size_t>(p)][static_cast<std::size_t>(r)];
        EXPECT_EQ(table.words(p, r), w);
        if (w > 0 || p == r) expected.push_back(r);
      }
      std::vector<int> found;
      for (const BenefitTable::Entry& e : table.row(p)) found.push_back(e.rank);
      EXPECT_EQ(found, expected);
      entries += static_cast<Index>(expected.size());
    }
    EXPECT_EQ(table.entries(), entries);
  }
}

}  // namespace
}  // namespace cairn::layout
