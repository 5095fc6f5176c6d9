#include "bounds/strassen.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bounds/numeric.hpp"

namespace cairn::bounds::strassen {
namespace {

using test::relative;

Index power(Index base, Index exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

std::vector<Step> steps(Index dfs, Index bfs) {
  std::vector<Step> all(static_cast<std::size_t>(dfs), Step::dfs);
  all.insert(all.end(), static_cast<std::size_t>(bfs), Step::bfs);
  return all;
}

// Flops of the sequential algorithm, operation by operation.
Index count_flops(Index n, Index additions, Index cutoff) {
  if (n <= cutoff) return n * n * (2 * n - 1);
  return 7 * count_flops(n / 2, additions, cutoff) + additions * (n / 2) * (n / 2);
}

TEST(Strassen, LocalFlopsAreTheRecursionCounted) {
  for (Index additions : {15, 18})
    for (Index n : {8, 16, 64, 512})
      for (Index cutoff : {1, 8}) {
        const Local local{{as_real(additions)}, as_real(cutoff)};
        EXPECT_LT(relative(local_flops(as_real(n), local), as_real(count_flops(n, additions, cutoff))),
                  1e-12);
      }
}

TEST(Strassen, BestCutoffIsEight) {
  double best = 1e9, at = 0;
  for (double c = 1; c <= 64; ++c) {
    const double value = leading_constant({winograd, c});
    if (value < best) best = value, at = c;
  }
  EXPECT_EQ(at, 8);
  EXPECT_NEAR(best, 3.73, 5e-3);
}

// CAPS with real owners: every rank counts the words it holds, sends six sevenths of the seven S, T and later
// Q, and receives as many. Ranks are numbers with base-7 digits; step t exchanges along digit t.
struct Wire {
  std::vector<double> sent, received, messages;
  explicit Wire(Index ranks) : sent(static_cast<std::size_t>(ranks)), received(sent), messages(sent) {}
  void move(Index from, Index to, double words) {
    if (from == to) return;
    sent[static_cast<std::size_t>(from)] += words;
    received[static_cast<std::size_t>(to)] += words;
    messages[static_cast<std::size_t>(from)] += 1;
    messages[static_cast<std::size_t>(to)] += 1;
  }
};

void exchange_all(Wire& wire, Index ranks, Index digit, double words) {
  for (Index rank = 0; rank < ranks; ++rank) {
    const Index group = rank - rank / digit % 7 * digit;
    for (Index i = 0; i < 7; ++i) wire.move(rank, group + i * digit, words);
  }
}

void play_bfs(Wire& wire, double n, Index ranks, Index digit, double holders) {
  if (digit == ranks) return;
  const double part = (n / 2) * (n / 2) / holders;  // of one S_i, T_i or Q_i on one rank
  exchange_all(wire, ranks, digit, part);           // S
  exchange_all(wire, ranks, digit, part);           // T
  play_bfs(wire, n / 2, ranks, 7 * digit, holders / 7);
  exchange_all(wire, ranks, digit, part);  // Q
}

TEST(Caps, UnlimitedIsWhatRanksSendAndReceive) {
  for (Index k : {1, 2, 3}) {
    const Index ranks = power(7, k);
    const double n = 8 * 49 * 7;
    Wire wire(ranks);
    play_bfs(wire, n, ranks, 1, as_real(ranks));
    const Cost cost = caps_unlimited(n, ranks);
    for (std::size_t r = 0; r < wire.sent.size(); ++r) {
      EXPECT_LT(relative(wire.sent[r] + wire.received[r], cost.words), 1e-12);
      EXPECT_DOUBLE_EQ(wire.messages[r], cost.messages);
      EXPECT_LT(relative(wire.received[r], on_the_wire(cost).words), 1e-12);
    }
  }
}

TEST(Caps, ClosedFormsAreTheUnrolledRecurrences) {
  for (const Local& local : {Local{original, 8}, Local{winograd, 16}})
    for (Index k : {1, 2, 4, 5})
      for (double n : {4096.0, 94080.0}) {
        const Cost closed = caps_unlimited(n, power(7, k), local);
        const Cost unrolled = caps(n, power(7, k), steps(0, k), local);
        EXPECT_LT(relative(closed.words, unrolled.words), 1e-12);
        EXPECT_DOUBLE_EQ(closed.messages, unrolled.messages);
        EXPECT_LT(relative(closed.memory, unrolled.memory), 1e-12);
        EXPECT_LT(relative(closed.flops, unrolled.flops), 1e-12);
      }
}

TEST(Caps, LimitedIsTheUnrolledRecurrenceAndFitsTheMemory) {
  Index most_steps = 0;
  for (Index k : {1, 2, 3, 5})
    for (double n : {4096.0, 94080.0})
      for (double extra : {1.0, 1.7, 5.0, 40.0}) {
        const Index ranks = power(7, k);
        const double memory = extra * 9 * n * n / as_real(ranks);
        const Index l = caps_dfs_steps(n, ranks, memory);
        most_steps = std::max(most_steps, l);
        const Cost closed = caps_limited(n, ranks, memory);
        const Cost unrolled = caps(n, ranks, steps(l, k));
        EXPECT_LT(relative(closed.words, unrolled.words), 1e-12);
        EXPECT_LT(relative(closed.messages, unrolled.messages), 1e-12);
        EXPECT_LT(relative(closed.flops, unrolled.flops), 1e-12);
        EXPECT_LT(relative(closed.memory, unrolled.memory), 1e-12);
        EXPECT_LE(closed.memory, 127.0 / 144 * memory);
        const Cost ceiling = caps_limited_ceiling(n, ranks, memory);
        if (l > 0) {
          EXPECT_LE(closed.words, ceiling.words);
          EXPECT_LE(closed.messages, ceiling.messages);
        }
      }
  EXPECT_GE(most_steps, 2);
}

// Eq. (4) without the factor for rounding l up is not a bound.
TEST(Caps, ThePrintedCeilingCanBeExceeded) {
  const double n = 94080;
  const Index ranks = power(7, 5);
  double worst_words = 0, worst_messages = 0;
  for (double extra = 1; extra < 3; extra += 0.01) {
    const double memory = extra * 9 * n * n / as_real(ranks);
    if (caps_dfs_steps(n, ranks, memory) == 0) continue;
    const Cost cost = caps_limited(n, ranks, memory), ceiling = caps_limited_ceiling(n, ranks, memory);
    worst_words = std::max(worst_words, cost.words / (ceiling.words / (7.0 / 4)));
    worst_messages = std::max(worst_messages, cost.messages / (ceiling.messages / 7));
  }
  EXPECT_GT(worst_words, 1);
  EXPECT_LE(worst_words, 7.0 / 4);
  EXPECT_GT(worst_messages, 1);
  EXPECT_LE(worst_messages, 7);
}

// DFS first is the cheapest in memory and the dearest in words.
TEST(Caps, OrderOfStepsTradesMemoryForWords) {
  const std::vector<Step> late{Step::dfs, Step::bfs, Step::bfs}, early{Step::bfs, Step::bfs, Step::dfs};
  const Cost first = caps(4096, 49, late), last = caps(4096, 49, early);
  EXPECT_LT(first.memory, last.memory);
  EXPECT_GT(first.words, last.words);
  EXPECT_LT(relative(first.flops, last.flops), 1e-12);
}

// At constant 1 the bound is below the algorithm by the constants of eqs. (1) and (4).
TEST(Strassen, BoundsMeetWhereMemoryIsJustEnough) {
  for (Index k : {1, 2, 4}) {
    const double n = 10000;
    const Index ranks = power(7, k);
    const double memory = n * n / std::pow(4, as_real(k));
    EXPECT_LT(
        relative(memory_dependent_bound(n, ranks, memory).words, memory_independent_bound(n, ranks).words),
        1e-12);
    EXPECT_LT(relative(memory_dependent_bound(n, ranks, memory).messages, 1), 1e-12);
    EXPECT_LE(lower_bound(n, ranks, memory).words, caps_unlimited(n, ranks).words);
  }
}

// Theorem 2.2: a rank alone with one of 7^k products of side n / 2^k touches its face.
TEST(Strassen, MemoryIndependentBoundIsAFaceOfALeaf) {
  for (Index k : {1, 3, 6})
    for (Index n : {256, 4096, 65536}) {
      Index side = n;
      for (Index left = power(7, k); left > 1; left /= 7) side /= 2;
      EXPECT_LT(relative(memory_independent_bound(as_real(n), power(7, k)).words, as_real(side * side)),
                1e-12);
      EXPECT_EQ(memory_independent_bound(as_real(n), power(7, k)).messages, 1);
    }
}

// Theorem 2.1 by counting leaves: 7^j leaves of side sqrt(M), M words for each, spread over P ranks.
TEST(Strassen, MemoryDependentBoundCountsLeaves) {
  for (Index j : {2, 4, 7}) {
    const double leaf = 32, n = leaf * std::exp2(as_real(j)), ranks = 49;
    Index leaves = 1;
    for (double side = n; side > leaf; side /= 2) leaves *= 7;
    const Cost bound = memory_dependent_bound(n, 49, leaf * leaf);
    EXPECT_LT(relative(bound.messages, as_real(leaves) / ranks), 1e-12);
    EXPECT_LT(relative(bound.words, as_real(leaves) * leaf * leaf / ranks), 1e-12);
    Index products = leaves;
    for (double side = leaf; side > 1; side /= 2) products *= 7;
    EXPECT_LT(relative(bound.flops, as_real(products) / ranks), 1e-12);
    EXPECT_LT(relative(lower_bound(n, 49, leaf * leaf).flops, as_real(products) / ranks), 1e-12);
  }
}

TEST(Caps, ArgumentsAreChecked) {
  EXPECT_THROW(caps_unlimited(100, 8), ArgumentError);
  EXPECT_THROW(caps_limited(100, 7, 100), ArgumentError);
  EXPECT_THROW(caps(100, 49, steps(0, 1)), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds::strassen
