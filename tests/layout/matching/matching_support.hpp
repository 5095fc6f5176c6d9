// Random benefits, and ways to the optimum that share nothing with the library's: for the tests of
// assignments.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "layout/matching/benefit_table.hpp"

namespace cairn::layout {

struct Instance {
  int positions = 0;
  int ranks = 0;
  std::vector<Benefit> benefits;
};

using DenseWords = std::vector<std::vector<Index>>;  // [position][rank]

inline DenseWords dense_words(const Instance& instance) {
  DenseWords words(static_cast<std::size_t>(instance.positions),
                   std::vector<Index>(static_cast<std::size_t>(instance.ranks)));
  for (const Benefit& b : instance.benefits)
    words[static_cast<std::size_t>(b.position)][static_cast<std::size_t>(b.rank)] += b.words;
  return words;
}

class MatchingRandom {
 public:
  explicit MatchingRandom(unsigned seed) : engine_(seed) {}
  Index below(Index limit) { return static_cast<Index>(engine_() % static_cast<std::uint64_t>(limit)); }
  int between(int low, int high) { return low + static_cast<int>(below(high - low + 1)); }
  std::mt19937_64& engine() { return engine_; }

 private:
  std::mt19937_64 engine_;
};

// Each pair has words with probability 1/`thinness`, 0 .. most_words of them; few words make many ties.
inline Instance random_instance(MatchingRandom& random, int positions, int ranks, int thinness,
                                Index most_words) {
  Instance instance{positions, ranks, {}};
  for (int p = 0; p < positions; ++p)
    for (int r = 0; r < ranks; ++r)
      if (random.below(thinness) == 0) instance.benefits.push_back({p, r, random.below(most_words + 1)});
  return instance;
}

// `entries` benefits a position, at random ranks.
inline Instance sparse_instance(MatchingRandom& random, int positions, int ranks, int entries,
                                Index most_words) {
  Instance instance{positions, ranks, {}};
  for (int p = 0; p < positions; ++p)
    for (int e = 0; e < entries; ++e)
      instance.benefits.push_back({p, static_cast<int>(random.below(ranks)), random.below(most_words + 1)});
  return instance;
}

// words = (p + 1)(r + 1): every position wants the same ranks, so paths are as long as they can be.
inline Instance product_instance(int positions, int ranks) {
  Instance instance{positions, ranks, {}};
  for (int p = 0; p < positions; ++p)
    for (int r = 0; r < ranks; ++r) instance.benefits.push_back({p, r, Index{p + 1} * (r + 1)});
  return instance;
}

struct Best {
  Index kept = -1;
  int on_diagonal = 0;  // the most among assignments that keep as many
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a pointer here
  friend auto operator<=>(const Best&, const Best&) = default;
};

// Over all injective assignments, one after the other.
inline Best best_of_all(const DenseWords& words, int ranks) {
  std::vector<int> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  Best best;
  do {
    Best here{0, 0};
    for (std::size_t p = 0; p < words.size(); ++p) {
      here.kept += words[p][static_cast<std::size_t>(order[p])];
      here.on_diagonal += order[p] == static_cast<int>(p) ? 1 : 0;
    }
    best = std::max(best, here);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

// By dynamic programming over the sets of ranks that are taken: up to about 16 ranks.
inline Best best_over_sets(const DenseWords& words, int ranks) {
  std::vector<Best> best(std::size_t{1} << ranks);
  best[0] = {0, 0};
  for (unsigned taken = 0; taken < best.size(); ++taken) {
    const auto p = static_cast<std::size_t>(std::popcount(taken));
    if (best[taken].kept < 0 || p >= words.size()) continue;
    for (int r = 0; r < ranks; ++r) {
      if ((taken >> r & 1U) != 0) continue;
      const Best next{best[taken].kept + words[p][static_cast<std::size_t>(r)],
                      best[taken].on_diagonal + (static_cast<int>(p) == r ? 1 : 0)};
      best[taken | 1U << r] = std::max(best[taken | 1U << r], next);
    }
  }
  Best result;
  for (unsigned taken = 0; taken < best.size(); ++taken)
    if (std::popcount(taken) == static_cast<int>(words.size())) result = std::max(result, best[taken]);
  return result;
}

// By longest augmenting paths in the residual graph, found by relaxing all edges until nothing changes: no
// prices.
inline Index best_by_relaxation(const DenseWords& words, int ranks) {
  constexpr Index never = std::numeric_limits<Index>::min() / 4;
  const auto all = static_cast<std::size_t>(ranks);
  std::vector<int> position_of(all, -1);
  std::vector<int> rank_of(words.size(), -1);
  Index total = 0;
  for (std::size_t start = 0; start < words.size(); ++start) {
    std::vector<Index> gain(all, never);
    std::vector<std::size_t> from(all, start);
    for (std::size_t r = 0; r < all; ++r) gain[r] = words[start][r];
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t r = 0; r < all; ++r) {
        if (position_of[r] < 0 || gain[r] == never) continue;
        const auto p = static_cast<std::size_t>(position_of[r]);
        for (std::size_t next = 0; next < all; ++next) {
          const Index via = gain[r] - words[p][r] + words[p][next];
          if (next == r || via <= gain[next]) continue;
          gain[next] = via;
          from[next] = p;
          changed = true;
        }
      }
    }
    int end = -1;
    for (std::size_t r = 0; r < all; ++r)
      if (position_of[r] < 0 && (end < 0 || gain[r] > gain[static_cast<std::size_t>(end)]))
        end = static_cast<int>(r);
    total += gain[static_cast<std::size_t>(end)];
    while (end >= 0) {
      const std::size_t p = from[static_cast<std::size_t>(end)];
      position_of[static_cast<std::size_t>(end)] = static_cast<int>(p);
      end = std::exchange(rank_of[p], end);
    }
  }
  return total;
}

}  // namespace cairn::layout
