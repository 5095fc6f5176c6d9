// Which schedule for which size: the one whose busiest rank is done first by alpha * messages + beta * bytes.
#include <array>
#include <functional>

#include "comm/algorithms.hpp"
#include "comm/blocks.hpp"

namespace cairn::comm {
namespace {

double seconds(const LinkCost& cost, double messages, double bytes) {
  return cost.alpha * messages + cost.beta * bytes;
}

// The most words any rank sends when the blocks are doubled.
Index doubling_words(const Partition& parts) {
  const int p = parts.ranks();
  if (parts.is_even()) return parts.total() - parts.total() / p;
  Index busiest = 0;
  for (int r = 0; r < p; ++r) {
    Index words = 0;
    for (int d = 1; d < p; d *= 2) words += parts.circular_count(r, blocks_over(d, p));
    busiest = std::max(busiest, words);
  }
  return busiest;
}

// The most words any rank sends round a ring, in either direction: all blocks but one.
Index ring_words(const Partition& parts) {
  if (parts.is_even()) return parts.total() - parts.total() / parts.ranks();
  Index shortest = parts.count(0);
  for (int i = 1; i < parts.ranks(); ++i) shortest = std::min(shortest, parts.count(i));
  return parts.total() - shortest;
}

bool doubling_beats_ring(const Partition& parts, Index element_bytes, const LinkCost& cost) {
  const int p = parts.ranks();
  const auto bytes = [&](Index words) { return static_cast<double>(words * element_bytes); };
  return seconds(cost, 2 * log2_ceil(p), bytes(doubling_words(parts))) <=
         seconds(cost, p - 1, bytes(ring_words(parts)));
}

// True where passing n bytes down a tree is done before cutting them into parts first. The busiest rank, the
// root, sends lg n in lg messages down a tree, and n in p - 1 messages as parts, which then take lg more
// until they are everywhere.
bool tree_beats_parts(int p, Index bytes, const LinkCost& cost) {
  const double n = static_cast<double>(bytes), lg = log2_ceil(p);
  return seconds(cost, lg, lg * n) <= seconds(cost, p - 1 + lg, n);
}

// A tree saves the root p - 1 - lg messages; its largest subtree must collect half the data first.
bool tree_beats_direct(const Partition& parts, Index element_bytes, const LinkCost& cost) {
  const int p = parts.ranks();
  const double bytes = static_cast<double>(parts.total() * element_bytes);
  return seconds(cost, 2 * log2_ceil(p), 1.5 * bytes) < seconds(cost, p - 1, bytes);
}

}  // namespace

Schedule choose_allgather(const Seat& seat, const Partition& parts, Index element_bytes,
                          const LinkCost& cost) {
  return doubling_beats_ring(parts, element_bytes, cost) ? allgather_doubling(seat, parts)
                                                         : allgather_ring(seat, parts);
}

Schedule choose_reduce_scatter(const Seat& seat, const Partition& parts, Index element_bytes,
                               const LinkCost& cost) {
  return doubling_beats_ring(parts, element_bytes, cost) ? reduce_scatter_halving(seat, parts)
                                                         : reduce_scatter_ring(seat, parts);
}

Schedule choose_broadcast(const Seat& seat, Index n, int root, Index element_bytes, const LinkCost& cost) {
  return tree_beats_parts(seat.ranks, n * element_bytes, cost) ? broadcast_tree(seat, n, root)
                                                               : broadcast_scatter_allgather(seat, n, root);
}

Schedule choose_reduce(const Seat& seat, Index n, int root, Index element_bytes, const LinkCost& cost) {
  return tree_beats_parts(seat.ranks, n * element_bytes, cost) ? reduce_tree(seat, n, root)
                                                               : reduce_scatter_gather(seat, n, root);
}

Schedule choose_allreduce(const Seat& seat, Index n, Index element_bytes, const LinkCost& cost) {
  const int p = seat.ranks;
  const double bytes = static_cast<double>(n * element_bytes), lg = log2_ceil(p);
  const bool small = seconds(cost, lg, lg * bytes) <= seconds(cost, 3 * lg, 2.0 * (p - 1) / p * bytes);
  return small ? allreduce_doubling(seat, n) : allreduce_rsag(seat, n);
}

Schedule choose_gather(const Seat& seat, const Partition& parts, int root, Index element_bytes,
                       const LinkCost& cost) {
  return tree_beats_direct(parts, element_bytes, cost) ? gather_tree(seat, parts, root)
                                                       : gather_direct(seat, parts, root);
}

Schedule choose_scatter(const Seat& seat, const Partition& parts, int root, Index element_bytes,
                        const LinkCost& cost) {
  return tree_beats_direct(parts, element_bytes, cost) ? scatter_tree(seat, parts, root)
                                                       : scatter_direct(seat, parts, root);
}

}  // namespace cairn::comm
