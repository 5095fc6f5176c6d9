// Schedules that combine: reduce-scatter, reduce, allreduce. The order of every sum is fixed by the schedule,
// so the same call gives the same bits.
#include <array>
#include <functional>

#include "comm/algorithms.hpp"
#include "comm/blocks.hpp"

namespace cairn::comm {
namespace {

// The partial sums of one rank while they are halved away: doubling backwards. Blocks are named by their
// distance i from the position that holds them (block v + i, round the circle). Before the step over distance
// d everybody still answers for the blocks i < 2d, sends those from d on to the one d ahead, and adds what
// comes from the one d behind. Sums of the blocks i < summed lie in work memory, in order of i; the others
// are still the rank's own input. All ranks have the same `summed` at the same step.
class PartialSums {
 public:
  PartialSums(ScheduleBuilder& b, const Circle& circle, const Partition& parts, int position)
      : b_(b), circle_(circle), parts_(parts), position_(position) {
    const int p = circle.size(), top = top_distance(p);
    summed_place_ = b.reserve_work(top == 1 ? 0 : elements(0, std::max(blocks_over(top, p), top / 2)));
    // A step is at most three messages; each has a landing place of its own.
    landing_size_ = b.landing_elements(elements(0, std::max(1, top / 2)));
    landing_ = b.reserve_work(3 * landing_size_);
  }

  // The step over distance d. With `result`, the sum of block 0 goes there.
  void step(int d, const Place* result) {
    messages(position_, d, [&](int i, int blocks) {
      b_.send(circle_.rank_at(position_ + d), mine(i), elements(i, blocks));
    });
    int message = 0;
    messages(circle_.wrap(position_ - d), d, [&](int i, int blocks) {
      receive(circle_.rank_at(position_ - d), i - d, blocks, landing_ + message++ * landing_size_, result);
    });
    summed_ = std::max(summed_, blocks_over(d, circle_.size()));
    b_.next_round();
  }

 private:
  // Calls f(i, blocks) for each message that `sender` sends over distance d. Sender and receiver cut alike:
  // where the sender's memory changes from sums to input, and at the end of the vector.
  template <class F>
  void messages(int sender, int d, F&& f) const {
    const int p = circle_.size(), end = d + blocks_over(d, p);
    for (int i = d, next = end; i < end; i = next, next = end) {
      if (i < summed_) next = std::min(next, summed_);
      if (sender + i < p) next = std::min(next, p - sender);
      f(i, next - i);
    }
  }

  void receive(int from, int i, int blocks, Place landing, const Place* result) {
    const int end = i + blocks;
    const int old = std::clamp(summed_, i, end);  // up to here I add to sums, from here on to my input
    if (old == i && result == nullptr) {          // nothing lies yet where the sums will
      b_.receive_in_place_and_combine(from, elements(i, blocks), mine(i), summed(i));
      return;
    }
    const std::array<ScheduleBuilder::Target, 2> targets{
        {{elements(i, old - i), mine(i), result != nullptr ? *result : summed(i)},
         {elements(old, end - old), mine(old), result != nullptr ? *result : summed(old)}}};
    b_.receive_and_combine(from, landing, targets);
  }

  Place mine(int i) const { return i < summed_ ? summed(i) : in(parts_.offset(block(i))); }
  int block(int i) const { return circle_.wrap(position_ + i); }
  Index elements(int first, int blocks) const {
    return blocks <= 0 ? 0 : parts_.circular_count(block(first), blocks);
  }
  Place summed(int i) const { return summed_place_ + elements(0, i); }

  ScheduleBuilder& b_;
  const Circle& circle_;
  const Partition& parts_;
  int position_;
  int summed_ = 0;
  Index landing_size_ = 0;
  Place summed_place_;
  Place landing_;
};

}  // namespace

void append_reduce_scatter_halving(ScheduleBuilder& b, const Circle& circle, int position,
                                   const Partition& parts, Place result) {
  PartialSums sums(b, circle, parts, position);
  for (int d = top_distance(circle.size()); d >= 1; d /= 2) sums.step(d, d == 1 ? &result : nullptr);
}

RankSchedule reduce_scatter_halving(const Seat& seat, const Partition& parts) {
  ScheduleBuilder b(seat.combine_elements());
  if (seat.ranks == 1)
    b.copy(in(0), out(0), parts.total());
  else
    append_reduce_scatter_halving(b, Circle::from(0, seat.ranks), seat.rank, parts, out(0));
  return b.finish();
}

RankSchedule reduce_scatter_ring(const Seat& seat, const Partition& parts) {
  const Circle circle = Circle::from(0, seat.ranks);
  const int p = seat.ranks, r = seat.rank;
  ScheduleBuilder b(seat.combine_elements());
  if (p == 1) b.copy(in(0), out(0), parts.total());
  Index longest = 0;  // of what is passed on
  for (int i = 0; i < p && p > 2; ++i) longest = std::max(longest, parts.count(i));
  const Place stage[2] = {b.reserve_work(longest), b.reserve_work(longest)};
  for (int s = 0; s + 1 < p; ++s) {
    // Block r-1-s leaves for the rank ahead with the sum of s+1 ranks in it; block r-2-s comes from behind.
    const int leaving = circle.wrap(r - 1 - s), coming = circle.wrap(r - 2 - s);
    const bool last = s + 2 == p;
    const Place target = last ? out(0) : stage[s % 2];
    b.send(circle.wrap(r + 1), s == 0 ? in(parts.offset(leaving)) : stage[(s + 1) % 2], parts.count(leaving));
    b.receive_in_place_and_combine(circle.wrap(r - 1), parts.count(coming), in(parts.offset(coming)), target);
    b.next_round();
  }
  return b.finish();
}

void append_reduce_scatter_direct(ScheduleBuilder& b, const Circle& circle, int v, const Partition& parts,
                                  Place result, const std::function<void(Index at, Index n)>& finished) {
  const Index own = parts.count(v), piece = b.message_elements();
  const int peers = circle.size() - 1;
  const Place landing = b.reserve_work(std::min(own, piece) * peers);
  for (int s = 1; s <= peers; ++s) {
    const int to = circle.wrap(v + s);
    b.send_in_background(circle.rank_at(to), in(parts.offset(to)), parts.count(to));
  }
  for (Index at = 0; at < own; at += piece) {
    const Index n = std::min(piece, own - at);
    for (int s = 1; s <= peers; ++s) b.receive(circle.rank_at(v - s), landing + (s - 1) * n, n);
    Place sum = in(parts.offset(v) + at);
    for (int s = 1; s <= peers; ++s, sum = result + at) b.combine(sum, landing + (s - 1) * n, result + at, n);
    b.next_round();
    finished(at, n);
  }
}

// Between two ranks the ring is direct as well, and all its receives are posted from the start: on a slow
// link a piece that waits for its landing place costs a round trip behind the words that go the other way.
RankSchedule reduce_scatter_direct(const Seat& seat, const Partition& parts) {
  if (seat.ranks == 2) return reduce_scatter_ring(seat, parts);
  ScheduleBuilder b(seat.combine_elements());
  if (seat.ranks == 1)
    b.copy(in(0), out(0), parts.total());
  else
    append_reduce_scatter_direct(b, Circle::from(0, seat.ranks), seat.rank, parts, out(0),
                                 [](Index, Index) {});
  return b.finish();
}

RankSchedule reduce_scatter_get(const Seat& seat, const Partition& parts) {
  const Circle circle = Circle::from(0, seat.ranks);
  const int p = seat.ranks, r = seat.rank;
  const Index own = parts.count(r);
  ScheduleBuilder b(seat.message_elements);
  // Two landing places: one fills while the other is added. The order of the sum is fixed.
  const Place landing[2] = {b.reserve_work(own), b.reserve_work(own)};
  b.copy(in(parts.offset(r)), out(0), own);
  for (int s = 1; s < p; ++s) {
    b.get(circle.wrap(r + s), parts.offset(r), landing[s % 2], own);
    b.serve(parts.count(circle.wrap(r - s)));
    b.next_round();
    b.combine(out(0), landing[s % 2], out(0), own);
  }
  return b.finish();
}

// The tree of broadcast_tree, upwards.
RankSchedule reduce_tree(const Seat& seat, Index n, int root) {
  const Circle circle = Circle::from(root, seat.ranks);
  const int p = seat.ranks, v = circle.position_of(seat.rank);
  ScheduleBuilder b(seat.combine_elements());
  int bit = 1;
  while (bit < p && (v & bit) == 0) bit *= 2;
  const bool has_children = bit > 1 && v + 1 < p;
  const Place sum = v == 0 ? out(0) : b.reserve_work(has_children ? n : 0);
  const Place landing = b.reserve_work(has_children ? b.landing_elements(n) : 0);
  if (v == 0 && !has_children) b.copy(in(0), out(0), n);
  for (int d = 1; d < bit && v + d < p; d *= 2) {
    const int child = circle.rank_at(v + d);
    if (d == 1 && (v != 0 || seat.separate_output))  // the sum may land where it will stay
      b.receive_in_place_and_combine(child, n, in(0), sum);
    else
      b.receive_and_combine(child, landing, n, d == 1 ? in(0) : sum, sum);
    b.next_round();
  }
  if (v != 0) b.send(circle.rank_at(v - bit), has_children ? sum : in(0), n);
  return b.finish();
}

namespace {

// The root's part of a reduction whose blocks the others have summed: it receives each block and adds its
// own.
RankSchedule reduce_at_root(const Seat& seat, const Circle& others, const Partition& parts) {
  ScheduleBuilder b(seat.combine_elements());
  for (int u = 0; u < others.size(); ++u) {
    const Index at = parts.offset(u);
    const Place landing = b.reserve_work(b.landing_elements(parts.count(u)));
    b.receive_and_combine(others.rank_at(u), landing, parts.count(u), in(at), out(at));
  }
  return b.finish();
}

// The ranks other than the root sum one block each with `sum_block(b, others, position, parts, sum)`, which
// also sends it to the root.
template <class SumBlock>
RankSchedule reduce_in_parts(const Seat& seat, Index n, int root, SumBlock&& sum_block) {
  if (seat.ranks <= 2) return reduce_tree(seat, n, root);
  const Circle others = Circle::without(root, seat.ranks);
  const Partition parts = Partition::balanced(others.size(), n);
  if (seat.rank == root) return reduce_at_root(seat, others, parts);
  ScheduleBuilder b(seat.combine_elements());
  const int v = others.position_of(seat.rank);
  sum_block(b, others, v, parts, b.reserve_work(parts.count(v)));
  return b.finish();
}

}  // namespace

RankSchedule reduce_scatter_gather(const Seat& seat, Index n, int root) {
  return reduce_in_parts(
      seat, n, root, [&](ScheduleBuilder& b, const Circle& others, int v, const Partition& parts, Place sum) {
        append_reduce_scatter_halving(b, others, v, parts, sum);
        b.send(root, sum, parts.count(v));
      });
}

// Each piece goes to the root as soon as it is summed.
RankSchedule reduce_direct_gather(const Seat& seat, Index n, int root) {
  return reduce_in_parts(
      seat, n, root, [&](ScheduleBuilder& b, const Circle& others, int v, const Partition& parts, Place sum) {
        append_reduce_scatter_direct(b, others, v, parts, sum, [&](Index at, Index count) {
          b.send_in_background(root, sum + at, count);
        });
      });
}

RankSchedule allreduce_rsag(const Seat& seat, Index n) {
  const Partition parts = Partition::balanced(seat.ranks, n);
  ScheduleBuilder b(seat.message_elements);
  if (seat.ranks == 1) {
    b.copy(in(0), out(0), n);
    return b.finish();
  }
  const Circle circle = Circle::from(0, seat.ranks);
  b.set_message_elements(seat.combine_elements());
  append_reduce_scatter_halving(b, circle, seat.rank, parts, out(parts.offset(seat.rank)));
  b.set_message_elements(seat.message_elements);
  append_allgather_doubling(b, circle, seat.rank, parts);
  return b.finish();
}

RankSchedule allreduce_direct(const Seat& seat, Index n) {
  const Partition parts = Partition::balanced(seat.ranks, n);
  ScheduleBuilder b(seat.combine_elements());
  if (seat.ranks == 1) {
    b.copy(in(0), out(0), n);
    return b.finish();
  }
  const Circle circle = Circle::from(0, seat.ranks);
  const Place sum = out(parts.offset(seat.rank));
  append_reduce_scatter_direct(b, circle, seat.rank, parts, sum, [](Index, Index) {});
  b.set_message_elements(seat.message_elements);
  append_allgather_direct(b, circle, seat.rank, parts, sum);
  return b.finish();
}

RankSchedule allreduce_tree(const Seat& seat, Index n) {
  const RankSchedule up = reduce_tree(seat, n, 0), down = broadcast_tree(seat, n, 0);
  return concatenate({&up, &down});
}

RankSchedule allreduce_doubling(const Seat& seat, Index n) {
  const int p = seat.ranks, r = seat.rank;
  const int full = p == 1 ? 1 : (2 * top_distance(p) == p ? p : top_distance(p));
  const int extra = p - full;  // the first 2*extra ranks work in pairs, the odd one of a pair only waits
  ScheduleBuilder b(seat.message_elements);
  const Place landing = b.reserve_work(p > 1 ? n : 0);
  b.copy(in(0), out(0), n);
  b.next_round();
  const bool paired = r < 2 * extra;
  if (paired && r % 2 == 1) {
    b.send(r - 1, out(0), n);
    b.next_round();
    b.receive(r - 1, out(0), n);
    return b.finish();
  }
  if (paired) {
    b.receive_and_combine(r + 1, landing, n, out(0), out(0));
    b.next_round();
  }
  const int v = paired ? r / 2 : r - extra;
  const auto rank_of = [&](int position) { return position < extra ? 2 * position : position + extra; };
  for (int d = 1; d < full; d *= 2) {
    // What is sent must not be summed into before it has left: receive aside, add at the end of the round.
    b.receive(rank_of(v ^ d), landing, n);
    b.send(rank_of(v ^ d), out(0), n);
    b.combine(out(0), landing, out(0), n);
    b.next_round();
  }
  if (paired) b.send(r + 1, out(0), n);
  return b.finish();
}

}  // namespace cairn::comm
