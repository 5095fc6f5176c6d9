// Which schedule for which size: the one whose busiest rank is done first by
// alpha * messages + beta * bytes + sigma * rounds.
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "comm/algorithms.hpp"
#include "comm/blocks.hpp"

namespace cairn::comm {
namespace {

// What the busiest rank has to do, how many times it waits for others that it cannot work ahead of, and what
// writes the schedule. Choosing is on the path of every small collective: it allocates nothing.
template <class... Arguments>
struct Candidate {
  double messages;
  double words;
  double rounds;
  RankSchedule (*make)(const Seat&, Arguments...);
};

template <std::size_t N, class... Arguments>
RankSchedule cheapest(const LinkCost& cost, Index element_bytes,
                      const std::array<Candidate<Arguments...>, N>& candidates, const Seat& seat,
                      std::type_identity_t<Arguments>... arguments) {
  const auto seconds = [&](const Candidate<Arguments...>& c) {
    return cost.alpha * c.messages + cost.beta * c.words * static_cast<double>(element_bytes) +
           cost.sigma * c.rounds;
  };
  const auto best = std::ranges::min_element(candidates, {}, seconds);
  return best->make(seat, arguments...);
}

// The most words any rank sends in an allgather (or receives in a reduce-scatter) of these blocks.
struct BusiestWords {
  double doubling = 0, ring = 0, direct = 0;
};

BusiestWords busiest_words(const Partition& parts) {
  const int p = parts.ranks();
  const double total = static_cast<double>(parts.total());
  if (parts.is_even()) return {total * (p - 1) / p, total * (p - 1) / p, total * (p - 1) / p};
  if (parts.has_closed_form()) {
    // The longer blocks come first: no window of blocks has more than the one that starts at 0.
    return {static_cast<double>(doubling_count(parts)), total - static_cast<double>(parts.count(p - 1)),
            static_cast<double>(parts.count(0)) * (p - 1)};
  }
  Index doubling = 0, longest = 0, shortest = parts.count(0);
  for (int r = 0; r < p; ++r) {
    Index words = 0;
    for (int d = 1; d < p; d *= 2) words += parts.circular_count(r, blocks_over(d, p));
    doubling = std::max(doubling, words);
    longest = std::max(longest, parts.count(r));
    shortest = std::min(shortest, parts.count(r));
  }
  return {static_cast<double>(doubling), total - static_cast<double>(shortest),
          static_cast<double>(longest) * (p - 1)};
}

}  // namespace

using OfRootedBlocks = Candidate<const Partition&, int>;
using OfVector = Candidate<Index>;
using OfRootedVector = Candidate<Index, int>;

BlockWay choose_way(const Partition& parts, Index element_bytes, const LinkCost& cost) {
  const double p = parts.ranks(), lg = log2_ceil(parts.ranks());
  const BusiestWords words = busiest_words(parts);
  const auto seconds = [&](double messages, double most, double rounds) {
    return cost.alpha * messages + cost.beta * most * static_cast<double>(element_bytes) +
           cost.sigma * rounds;
  };
  const std::array all{seconds(p - 1, words.direct, 1), seconds(2 * lg, words.doubling, lg),
                       seconds(p - 1, words.ring, p - 1)};
  return static_cast<BlockWay>(std::ranges::min_element(all) - all.begin());
}

RankSchedule allgather(BlockWay way, const Seat& seat, const Partition& parts) {
  constexpr std::array make{&allgather_direct, &allgather_doubling, &allgather_ring};
  return make[static_cast<std::size_t>(way)](seat, parts);
}

RankSchedule reduce_scatter(BlockWay way, const Seat& seat, const Partition& parts) {
  constexpr std::array make{&reduce_scatter_direct, &reduce_scatter_halving, &reduce_scatter_ring};
  return make[static_cast<std::size_t>(way)](seat, parts);
}

RankSchedule choose_allgather(const Seat& seat, const Partition& parts, Index element_bytes,
                              const LinkCost& cost) {
  return allgather(choose_way(parts, element_bytes, cost), seat, parts);
}

RankSchedule choose_reduce_scatter(const Seat& seat, const Partition& parts, Index element_bytes,
                                   const LinkCost& cost) {
  return reduce_scatter(choose_way(parts, element_bytes, cost), seat, parts);
}

namespace {

// Where ranks share cores, what all do together decides, not the busiest, and while a rank waits others do
// their share. So one tree, which has the fewest messages and turns, is best until data are so long that
// no rank should have to move lg n.
bool one_tree_is_best(Index n, Index element_bytes, const LinkCost& cost) {
  constexpr Index long_bytes = 128 * 1024;
  return cost.crowded && n * element_bytes < long_bytes;
}

// Down two trees go alpha n / x for the pieces of x words, and the last rank's first piece passes lg others,
// which send it twice: beta 2 lg x. This x is best.
Index tree_piece(const Seat& seat, Index n, Index element_bytes, const LinkCost& cost) {
  constexpr double shortest_bytes = 8192;
  const double most = static_cast<double>(std::min(seat.message_elements, seat.relay_elements));
  const double beta = cost.beta * static_cast<double>(element_bytes);
  const double best = std::sqrt(cost.alpha * static_cast<double>(n) / (2 * log2_ceil(seat.ranks) * beta));
  const double least = std::min(most, shortest_bytes / static_cast<double>(element_bytes));
  return static_cast<Index>(beta > 0 && best < most ? std::max(best, least) : most);
}

// Long data where ranks share cores: three trees of long messages, or parts where ranks are few.
RankSchedule choose_crowded_broadcast(const Seat& seat, Index n, int root, Index element_bytes,
                                      const LinkCost& cost) {
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(n);
  const auto pieces = static_cast<double>(ceil_div(ceil_div(n, 3), seat.tree_elements));
  const std::array candidates{OfRootedVector{p - 1, words, 2, &broadcast_scatter_direct},
                              OfRootedVector{3 * pieces, words, 1 + lg / 2, &broadcast_three_trees}};
  return cheapest(cost, element_bytes, candidates, seat, n, root);
}

}  // namespace

RankSchedule choose_broadcast(const Seat& seat, Index n, int root, Index element_bytes,
                              const LinkCost& cost) {
  if (seat.ranks == 1 || n == 0) return {};
  if (one_tree_is_best(n, element_bytes, cost)) return broadcast_tree(seat, n, root);
  if (cost.crowded) return choose_crowded_broadcast(seat, n, root, element_bytes, cost);
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(n);
  Seat cut = seat;
  cut.tree_elements = tree_piece(seat, n, element_bytes, cost);
  const auto piece = static_cast<double>(std::min(n, cut.tree_elements));
  const std::array candidates{
      OfRootedVector{lg, lg * words, lg, &broadcast_tree},
      OfRootedVector{p - 1, words, 2, &broadcast_scatter_direct},
      OfRootedVector{p - 1, words, 1 + lg, &broadcast_scatter_allgather},
      OfRootedVector{words / piece + 2 * lg, words + 2 * lg * piece, 1 + lg, &broadcast_two_trees}};
  return cheapest(cost, element_bytes, candidates, cut, n, root);
}

RankSchedule choose_reduce(const Seat& seat, Index n, int root, Index element_bytes, const LinkCost& cost) {
  if (one_tree_is_best(n, element_bytes, cost)) return reduce_tree(seat, n, root);
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(n);
  const std::array candidates{OfRootedVector{lg, lg * words, lg, &reduce_tree},
                              OfRootedVector{p - 1, words, 2, &reduce_direct_gather},
                              OfRootedVector{p - 1, words, 1 + lg, &reduce_scatter_gather}};
  return cheapest(cost, element_bytes, candidates, seat, n, root);
}

RankSchedule choose_allreduce(const Seat& seat, Index n, Index element_bytes, const LinkCost& cost) {
  if (one_tree_is_best(n, element_bytes, cost)) return allreduce_tree(seat, n);
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(n);
  // Besides the words moved there are the additions, n a step or n (p-1)/p in all; one costs about half a
  // word.
  const double both = 2.5 * (p - 1) / p * words;
  const std::array candidates{OfVector{lg, 1.5 * lg * words, lg, &allreduce_doubling},
                              OfVector{2 * (p - 1), both, 2, &allreduce_direct},
                              OfVector{4 * lg, both, 2 * lg, &allreduce_rsag}};
  return cheapest(cost, element_bytes, candidates, seat, n);
}

namespace {

// A tree saves the root p - 1 - lg messages; its largest subtree must collect half the data first.
RankSchedule direct_or_tree(const Seat& seat, const Partition& parts, int root, Index element_bytes,
                            const LinkCost& cost, decltype(OfRootedBlocks::make) direct,
                            decltype(OfRootedBlocks::make) tree) {
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(parts.total());
  const std::array candidates{OfRootedBlocks{p - 1, words, 1, direct},
                              OfRootedBlocks{2 * lg, 1.5 * words, lg, tree}};
  return cheapest(cost, element_bytes, candidates, seat, parts, root);
}

}  // namespace

RankSchedule choose_gather(const Seat& seat, const Partition& parts, int root, Index element_bytes,
                           const LinkCost& cost) {
  return direct_or_tree(seat, parts, root, element_bytes, cost, &gather_direct, &gather_tree);
}

RankSchedule choose_scatter(const Seat& seat, const Partition& parts, int root, Index element_bytes,
                            const LinkCost& cost) {
  return direct_or_tree(seat, parts, root, element_bytes, cost, &scatter_direct, &scatter_tree);
}

}  // namespace cairn::comm
