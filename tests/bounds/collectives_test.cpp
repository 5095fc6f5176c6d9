#include "bounds/collectives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "bounds/numeric.hpp"

namespace cairn::bounds::collectives {
namespace {

// Ranks that send blocks by recursive doubling, halving or a binomial tree, each counting what it does.
struct Count {
  Index words = 0, messages = 0, flops = 0;
};

// Every rank begins with its block and exchanges all it has with the rank across bit t.
Count play_allgather(Index ranks, Index block) {
  std::vector<std::set<Index>> held(static_cast<std::size_t>(ranks));
  for (Index r = 0; r < ranks; ++r) held[static_cast<std::size_t>(r)] = {r};
  Count busiest;
  std::vector<Count> counts(held.size());
  for (Index bit = 1; bit < ranks; bit *= 2) {
    const auto before = held;
    for (Index r = 0; r < ranks; ++r) {
      auto& mine = held[static_cast<std::size_t>(r)];
      const auto& theirs = before[static_cast<std::size_t>(r ^ bit)];
      mine.insert(theirs.begin(), theirs.end());
      counts[static_cast<std::size_t>(r)].words += static_cast<Index>(theirs.size()) * block;
      ++counts[static_cast<std::size_t>(r)].messages;
    }
  }
  for (const Count& c : counts) {
    busiest.words = std::max(busiest.words, c.words);
    busiest.messages = std::max(busiest.messages, c.messages);
  }
  for (const auto& all : held) EXPECT_EQ(static_cast<Index>(all.size()), ranks);
  return busiest;
}

// Every rank begins with a contribution to all blocks and keeps half of them in each round.
Count play_reduce_scatter(Index ranks, Index block) {
  Count count;
  std::set<Index> kept;
  for (Index r = 0; r < ranks; ++r) kept.insert(r);
  for (Index bit = ranks / 2; bit >= 1; bit /= 2) {  // rank 0's view: all do the same
    std::set<Index> half;
    for (Index b : kept)
      if ((b & bit) == 0) half.insert(b);
    kept = half;
    count.words += static_cast<Index>(kept.size()) * block;  // received
    count.flops += static_cast<Index>(kept.size()) * block;  // and added
    ++count.messages;
  }
  EXPECT_EQ(kept.size(), 1u);
  return count;
}

// The root of a binomial tree sends half of what it has, again and again.
Count play_scatter(Index ranks, Index block) {
  Count count;
  for (Index has = ranks; has > 1; has /= 2) {
    count.words += has / 2 * block;
    ++count.messages;
  }
  return count;
}

void expect_same(const Cost& cost, const Count& count) {
  EXPECT_DOUBLE_EQ(cost.words, as_real(count.words));
  EXPECT_DOUBLE_EQ(cost.messages, as_real(count.messages));
  EXPECT_DOUBLE_EQ(cost.flops, as_real(count.flops));
}

TEST(Collectives, CostsAreWhatAlgorithmsSend) {
  for (Index ranks : {1, 2, 4, 8, 64}) {
    const Index block = 12;
    const double p = as_real(ranks), n = as_real(ranks * block);
    expect_same(allgather(p, n), play_allgather(ranks, block));
    expect_same(reduce_scatter(p, n), play_reduce_scatter(ranks, block));
    expect_same(scatter(p, n), play_scatter(ranks, block));
    expect_same(gather(p, n), play_scatter(ranks, block));
    Count both = play_reduce_scatter(ranks, block);
    const Count then = play_allgather(ranks, block);
    both.words += then.words;
    both.messages += then.messages;
    expect_same(allreduce(p, n), both);
  }
}

// All-to-all: words as by direct exchange, messages as by Bruck's algorithm, which log2(p) rounds of half the
// blocks; each is attained alone.
TEST(Collectives, AllToAllIsBothMinima) {
  for (Index ranks : {2, 8, 32}) {
    Index words = 0, messages = 0;
    for (Index to = 1; to < ranks; ++to) words += 5;
    for (Index bit = 1; bit < ranks; bit *= 2) ++messages;
    const Cost cost = all_to_all(as_real(ranks), as_real(5 * ranks));
    EXPECT_DOUBLE_EQ(cost.words, as_real(words));
    EXPECT_DOUBLE_EQ(cost.messages, as_real(messages));
  }
}

// A chain: each rank but the first takes the vector from its neighbour, segment by segment, and adds its own
// if it is a reduction. The busiest rank's words and additions.
Count play_chain(Index ranks, Index segments, Index segment) {
  std::vector<Count> counts(static_cast<std::size_t>(ranks));
  for (std::size_t r = 1; r < counts.size(); ++r)
    for (Index s = 0; s < segments; ++s) counts[r].words += segment, counts[r].flops += segment;
  return *std::max_element(counts.begin(), counts.end(),
                           [](const Count& x, const Count& y) { return x.words < y.words; });
}

// Words as along a chain, messages as along a tree: each is attained alone, as for all-to-all.
TEST(Collectives, WholeVectorsReachEverybody) {
  for (Index ranks : {1, 2, 8, 64})
    for (Index segment : {1, 7, 100}) {
      const Count chain = play_chain(ranks, 12, segment);
      const double p = as_real(ranks), n = as_real(12 * segment),
                   tree = as_real(test::rounds_to_reach(ranks));
      expect_same(broadcast(p, n), {chain.words, static_cast<Index>(tree), 0});
      expect_same(reduce(p, n), {chain.words, static_cast<Index>(tree), chain.flops});
    }
}

// Every rank gives what it has to the next and takes what the one before has.
TEST(Collectives, PermutationMovesWhatARankHolds) {
  for (Index block : {1, 7, 1000}) {
    std::vector<Index> received(5, 0), messages(5, 0);
    for (std::size_t r = 0; r < 5; ++r) received[(r + 1) % 5] += block, ++messages[(r + 1) % 5];
    for (std::size_t r = 0; r < 5; ++r) expect_same(permute(as_real(block)), {received[r], messages[r], 0});
  }
}

TEST(Collectives, OneRankAloneMovesNothing) {
  for (const Cost& alone : {broadcast(1, 9), reduce(1, 9), scatter(1, 9), gather(1, 9), allgather(1, 9),
                            reduce_scatter(1, 9), allreduce(1, 9), all_to_all(1, 9)})
    expect_same(alone, {});
  EXPECT_THROW(allgather(0, 1), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds::collectives
