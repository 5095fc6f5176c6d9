// Which schedule for which size: the one whose busiest rank is done first by
// alpha * messages + beta * bytes + sigma * rounds.
#include <functional>
#include <initializer_list>

#include "comm/algorithms.hpp"
#include "comm/blocks.hpp"

namespace cairn::comm {
namespace {

// What the busiest rank has to do, and how many times it waits for others that it cannot work ahead of.
struct Candidate {
  double messages;
  double words;
  double rounds;
  std::function<Schedule()> make;
};

Schedule cheapest(const LinkCost& cost, Index element_bytes, std::initializer_list<Candidate> candidates) {
  const auto seconds = [&](const Candidate& c) {
    return cost.alpha * c.messages + cost.beta * c.words * static_cast<double>(element_bytes) +
           cost.sigma * c.rounds;
  };
  const Candidate* best = candidates.begin();
  for (const Candidate& c : candidates)
    if (seconds(c) < seconds(*best)) best = &c;
  return best->make();
}

// The most words any rank sends in an allgather (or receives in a reduce-scatter) of these blocks.
struct BusiestWords {
  double doubling = 0, ring = 0, direct = 0;
};

BusiestWords busiest_words(const Partition& parts) {
  const int p = parts.ranks();
  const double total = static_cast<double>(parts.total());
  if (parts.is_even()) return {total * (p - 1) / p, total * (p - 1) / p, total * (p - 1) / p};
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

Schedule choose_allgather(const Seat& seat, const Partition& parts, Index element_bytes,
                          const LinkCost& cost) {
  const double p = seat.ranks, lg = log2_ceil(seat.ranks);
  const BusiestWords words = busiest_words(parts);
  return cheapest(cost, element_bytes,
                  {{p - 1, words.direct, 1, [&] { return allgather_direct(seat, parts); }},
                   {2 * lg, words.doubling, lg, [&] { return allgather_doubling(seat, parts); }},
                   {p - 1, words.ring, p - 1, [&] { return allgather_ring(seat, parts); }}});
}

Schedule choose_reduce_scatter(const Seat& seat, const Partition& parts, Index element_bytes,
                               const LinkCost& cost) {
  const double p = seat.ranks, lg = log2_ceil(seat.ranks);
  const BusiestWords words = busiest_words(parts);
  return cheapest(cost, element_bytes,
                  {{p - 1, words.direct, 1, [&] { return reduce_scatter_direct(seat, parts); }},
                   {2 * lg, words.doubling, lg, [&] { return reduce_scatter_halving(seat, parts); }},
                   {p - 1, words.ring, p - 1, [&] { return reduce_scatter_ring(seat, parts); }}});
}

Schedule choose_broadcast(const Seat& seat, Index n, int root, Index element_bytes, const LinkCost& cost) {
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(n);
  return cheapest(cost, element_bytes,
                  {{lg, lg * words, lg, [&] { return broadcast_tree(seat, n, root); }},
                   {p - 1, words, 2, [&] { return broadcast_scatter_direct(seat, n, root); }},
                   {p - 1, words, 1 + lg, [&] { return broadcast_scatter_allgather(seat, n, root); }}});
}

Schedule choose_reduce(const Seat& seat, Index n, int root, Index element_bytes, const LinkCost& cost) {
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(n);
  return cheapest(cost, element_bytes,
                  {{lg, lg * words, lg, [&] { return reduce_tree(seat, n, root); }},
                   {p - 1, words, 2, [&] { return reduce_direct_gather(seat, n, root); }},
                   {p - 1, words, 1 + lg, [&] { return reduce_scatter_gather(seat, n, root); }}});
}

Schedule choose_allreduce(const Seat& seat, Index n, Index element_bytes, const LinkCost& cost) {
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(n);
  // Besides the words moved there are the additions, n a step or n (p-1)/p in all; one costs about half a
  // word.
  const double both = 2.5 * (p - 1) / p * words;
  return cheapest(cost, element_bytes,
                  {{lg, 1.5 * lg * words, lg, [&] { return allreduce_doubling(seat, n); }},
                   {2 * (p - 1), both, 2, [&] { return allreduce_direct(seat, n); }},
                   {4 * lg, both, 2 * lg, [&] { return allreduce_rsag(seat, n); }}});
}

// A tree saves the root p - 1 - lg messages; its largest subtree must collect half the data first.
Schedule choose_gather(const Seat& seat, const Partition& parts, int root, Index element_bytes,
                       const LinkCost& cost) {
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(parts.total());
  return cheapest(cost, element_bytes,
                  {{p - 1, words, 1, [&] { return gather_direct(seat, parts, root); }},
                   {2 * lg, 1.5 * words, lg, [&] { return gather_tree(seat, parts, root); }}});
}

Schedule choose_scatter(const Seat& seat, const Partition& parts, int root, Index element_bytes,
                        const LinkCost& cost) {
  const double p = seat.ranks, lg = log2_ceil(seat.ranks), words = static_cast<double>(parts.total());
  return cheapest(cost, element_bytes,
                  {{p - 1, words, 1, [&] { return scatter_direct(seat, parts, root); }},
                   {2 * lg, 1.5 * words, lg, [&] { return scatter_tree(seat, parts, root); }}});
}

}  // namespace cairn::comm
