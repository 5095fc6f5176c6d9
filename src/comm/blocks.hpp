// Helpers of the schedules: ranks on a circle, and runs of blocks that may pass its end.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>

#include "comm/algorithms.hpp"

namespace cairn::comm {

// Ranks that work together, at positions on a circle: all of them from some origin on, or all but the root.
class Circle {
 public:
  static Circle from(int origin, int ranks) { return {ranks, origin, ranks}; }
  static Circle without(int root, int ranks) { return {ranks - 1, root + 1, ranks}; }

  int size() const noexcept { return size_; }
  int wrap(int position) const { return modulo(position, size_); }
  int rank_at(int position) const { return modulo(first_ + wrap(position), ranks_); }
  int position_of(int rank) const { return modulo(rank - first_, ranks_); }

 private:
  Circle(int size, int first, int ranks) : size_(size), first_(first), ranks_(ranks) {}
  static int modulo(int a, int b) { return ((a % b) + b) % b; }

  int size_;
  int first_;
  int ranks_;
};

// Calls f(offset, count) for the one or two contiguous runs that hold `blocks` blocks from `first` on,
// counted round the end. Empty runs are left out.
template <class F>
void circular_runs(const Partition& parts, int first, int blocks, F&& f) {
  const int p = parts.ranks();
  const int end = first + blocks;
  const auto run = [&](int from, int to) {
    const Index offset = parts.offset(from);
    const Index count = parts.offset(to) - offset;
    if (count > 0) f(offset, count);
  };
  run(first, end < p ? end : p);
  if (end > p) run(0, end - p);
}

// The distances of doubling: 1, 2, 4, ... below p, and how many blocks travel over each.
inline int top_distance(int p) {
  int d = 1;
  while (2 * d < p) d *= 2;
  return d;
}
inline int blocks_over(int distance, int p) { return distance < p - distance ? distance : p - distance; }

// The two phases that larger schedules are made of, for the member at `position` of a circle; parts has one
// block a position, and a round ends where a phase ends. The output holds block `position`; afterwards it
// holds all.
void append_allgather_doubling(ScheduleBuilder& b, const Circle& circle, int position,
                               const Partition& parts);
// Block `position` of the sum of the inputs goes to `result`. For two members and more.
void append_reduce_scatter_halving(ScheduleBuilder& b, const Circle& circle, int position,
                                   const Partition& parts, Place result);

// The same two in messages to everybody at once: p - 1 instead of lg, and nobody waits for a partner.
// `mine` holds block `position`, which goes to the others; it may lie in the output already.
void append_allgather_direct(ScheduleBuilder& b, const Circle& circle, int position, const Partition& parts,
                             Place mine);
// Adds piece by piece in a fixed order; `finished(at, n)` is called for the round in which elements at ..
// at+n-1 of the result are there. Work memory: one piece a member.
void append_reduce_scatter_direct(ScheduleBuilder& b, const Circle& circle, int position,
                                  const Partition& parts, Place result,
                                  const std::function<void(Index at, Index n)>& finished);

inline int log2_ceil(int p) {
  return p <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(p - 1)));
}

// Elements of the first blocks_over(d, p) blocks, summed over all distances: what the windows of a doubling
// hold from block 0 on. For nearly equal blocks, the longer ones first; O(1).
inline Index doubling_count(const Partition& parts) {
  const int p = parts.ranks(), below = log2_ceil(p) - 1;  // distances but the longest
  if (p < 2) return 0;
  const Index shorter = parts.count(p - 1), more = parts.count(0) - shorter;
  if (more == 0) return (p - 1) * shorter;
  const Index longer = (parts.total() - p * shorter) / more;  // blocks
  // A window of d blocks has d longer ones, or all of them.
  const int full = std::min(below, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longer))));
  const Index in_windows =
      (Index{1} << full) - 1 + (below - full) * longer + std::min<Index>(p - (Index{1} << below), longer);
  return (p - 1) * shorter + in_windows * more;
}

}  // namespace cairn::comm
