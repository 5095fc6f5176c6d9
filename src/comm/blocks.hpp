// Helpers of the schedules: ranks on a circle, and runs of blocks that may pass its end.
#pragma once

#include "comm/algorithms.hpp"

namespace cairn::comm {

// Ranks are numbered round a circle, from the root where there is one.
class Circle {
 public:
  Circle(int ranks, int origin = 0) : ranks_(ranks), origin_(origin) {}
  int ranks() const noexcept { return ranks_; }
  int wrap(int position) const { return ((position % ranks_) + ranks_) % ranks_; }
  int rank_at(int position) const { return wrap(position + origin_); }
  int position_of(int rank) const { return wrap(rank - origin_); }

 private:
  int ranks_;
  int origin_;
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

// The two phases that larger schedules are made of; a round ends where each ends.
// Rank r's output holds block r; afterwards it holds all.
void append_allgather_doubling(ScheduleBuilder& b, const Seat& seat, const Partition& parts);
// Block r of the sum of the inputs goes to `result`. For two ranks and more.
void append_reduce_scatter_halving(ScheduleBuilder& b, const Seat& seat, const Partition& parts,
                                   Place result);

inline int log2_ceil(int p) {
  int lg = 0;
  while ((1 << lg) < p) ++lg;
  return lg;
}

}  // namespace cairn::comm
