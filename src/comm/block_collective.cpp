#include "comm/block_collective.hpp"

#include "comm/blocks.hpp"
#include "comm/collectives.hpp"

namespace cairn::comm {
namespace {

// My block goes to its place in my own whole, from where the others take it.
RankSchedule fill_own_block(const Seat& seat, const Partition& blocks) {
  ScheduleBuilder b(seat.message_elements);
  b.copy(in(0), out(blocks.offset(seat.rank)), blocks.count(seat.rank));
  return b.finish();
}

// Every rank starts with another peer, so that no rank is everybody's target at once.
RankSchedule take_blocks(const Seat& seat, const Partition& blocks, Index whole) {
  ScheduleBuilder b(seat.message_elements);
  for (int step = 1; step < seat.ranks; ++step) {
    const int from = (seat.rank + step) % seat.ranks;
    b.get(from, whole + blocks.offset(from), out(blocks.offset(from)), blocks.count(from));
    b.serve(blocks.count(seat.rank));
  }
  return b.finish();
}

RankSchedule take_sums(const Seat& seat, const Partition& blocks, Index whole) {
  RankSchedule gets = reduce_scatter_get(seat, blocks);
  for (Transfer& t : gets.transfers) t.remote += whole;
  return gets;
}

RankSchedule write_one_sided(const BlockCollective& x, const Seat& seat, Index whole) {
  const RankSchedule barrier = barrier_dissemination(seat);
  if (x.kind == BlockKind::reduce_scatter) {
    const RankSchedule gets = take_sums(seat, x.blocks, whole);
    return concatenate({&barrier, &gets, &barrier});
  }
  const RankSchedule first = fill_own_block(seat, x.blocks), gets = take_blocks(seat, x.blocks, whole);
  return concatenate({&first, &barrier, &gets, &barrier});
}

// Counts messages of at most `limit` elements over the blocks of one group.
class Tally {
 public:
  Tally(const BlockCollective& x, int position)
      : slices_(x.blocks),
        p_(x.blocks.ranks()),
        me_(position),
        combine_(x.kind == BlockKind::reduce_scatter) {
    const Seat seat = seat_of(position, p_, x.element_bytes);
    const bool one_sided = x.transport == Transport::one_sided;
    limit_ = combine_ && !one_sided ? seat.combine_elements() : seat.message_elements;
  }

  // Everybody gives everybody its block: what is exchanged with each other rank is my block in one direction,
  // its own in the other.
  Counters direct() const {
    const Volume mine = repeated(slices_.count(me_), p_ - 1), others = all_but(me_);
    return combine_ ? Counters{others, mine} : Counters{mine, others};
  }

  // Blocks go round: of a gather the one ahead keeps its own, of a combine the one behind.
  Counters ring() const {
    return combine_ ? Counters{all_but(me_), all_but(wrap(me_ - 1))}
                    : Counters{all_but(wrap(me_ + 1)), all_but(me_)};
  }

  Counters doubling() const {
    Counters sum;
    const auto add = [&](Volume& to, int first, int blocks) {
      circular_runs(slices_, first, blocks, [&](Index, Index n) { to += message(n); });
    };
    for (int d = 1; d < p_; d *= 2) {
      add(sum.sent, me_, blocks_over(d, p_));
      add(sum.received, wrap(me_ + d), blocks_over(d, p_));
    }
    return sum;
  }

  // Doubling backwards; a message ends where the sender's sums end and where the circle does.
  Counters halving() const {
    Counters sum;
    int summed = 0;
    for (int d = top_distance(p_); d >= 1; d /= 2) {
      add_step(sum.sent, me_, d, summed);
      add_step(sum.received, wrap(me_ - d), d, summed);
      summed = std::max(summed, blocks_over(d, p_));
    }
    return sum;
  }

  Counters one_sided() const {
    Counters sum = direct();
    const Index signals = 2 * log2_ceil(p_);  // two barriers
    sum.sent.messages += signals;
    sum.received.messages += signals;
    return sum;
  }

  Index direct_work() const { return p_ == 2 ? 0 : std::min(slices_.count(me_), limit_) * (p_ - 1); }
  Index ring_work() const { return p_ == 2 ? 0 : 2 * slices_.count(0); }
  Index one_sided_work() const { return 2 * slices_.count(me_); }
  Index halving_work() const {
    const int top = top_distance(p_);
    const Index sums = top == 1 ? 0 : window(std::max(blocks_over(top, p_), top / 2));
    return sums + 3 * std::min(window(std::max(1, top / 2)), 2 * limit_);
  }

 private:
  // From one round before to one after.
  int wrap(int position) const {
    return position < 0 ? position + p_ : position < p_ ? position : position - p_;
  }
  Index window(int blocks) const { return blocks <= 0 ? 0 : slices_.circular_count(me_, blocks); }
  // Divisions are what costs here, and most messages are not cut.
  Index messages(Index words) const { return words <= limit_ ? words > 0 : ceil_div(words, limit_); }
  Volume message(Index words) const { return {messages(words), words, 0}; }
  Volume repeated(Index words, Index times) const { return {messages(words) * times, words * times, 0}; }
  // Balanced slices have two lengths: that of the first and that of the last.
  Volume all_but(int position) const {
    const Index longer = slices_.count(0), shorter = slices_.count(p_ - 1);
    const Index split = longer == shorter ? p_ : (slices_.total() - p_ * shorter) / (longer - shorter);
    Volume sum = repeated(longer, split);
    sum += repeated(shorter, p_ - split);
    sum -= message(slices_.count(position));
    return sum;
  }
  void add_step(Volume& to, int sender, int d, int summed) const {
    const int end = d + blocks_over(d, p_);
    for (int i = d, next = end; i < end; i = next, next = end) {
      if (i < summed) next = std::min(next, summed);
      if (sender + i < p_) next = std::min(next, p_ - sender);
      to += message(slices_.circular_count(wrap(sender + i), next - i));
    }
  }

  const Partition& slices_;
  int p_;
  int me_;
  bool combine_;
  Index limit_ = 1;
};

Counters count_of(const BlockCollective& x, int position) {
  const Tally tally(x, position);
  if (x.transport == Transport::one_sided) return tally.one_sided();
  switch (x.way) {
    case BlockWay::direct:
      return tally.direct();
    case BlockWay::ring:
      return tally.ring();
    case BlockWay::doubling:
      break;
  }
  return x.kind == BlockKind::reduce_scatter ? tally.halving() : tally.doubling();
}

// Distances of doubling (and the odd last one) for p ranks.
std::vector<int> window_lengths(int p) {
  std::vector<int> lengths{1, 2};  // a ring looks one and two behind
  for (int d = 1; d < p; d *= 2) {
    lengths.push_back(d);
    lengths.push_back(std::min(d, p - d));
    lengths.push_back(d + std::min(d, p - d));
  }
  return lengths;
}

}  // namespace

RankSchedule write(const BlockCollective& x, int position, Index whole) {
  const Seat seat = seat_of(position, x.blocks.ranks(), x.element_bytes);
  if (x.transport == Transport::one_sided) return write_one_sided(x, seat, whole);
  return x.kind == BlockKind::reduce_scatter ? reduce_scatter(x.way, seat, x.blocks)
                                             : allgather(x.way, seat, x.blocks);
}

Counters closed_count(const BlockCollective& x, int position) {
  Counters sum = count_of(x, position);
  sum.sent.bytes = sum.sent.words * x.element_bytes;
  sum.received.bytes = sum.received.words * x.element_bytes;
  return sum;
}

Index closed_work(const BlockCollective& x, int position) {
  if (x.kind == BlockKind::allgather) return 0;
  const Tally tally(x, position);
  if (x.transport == Transport::one_sided) return tally.one_sided_work();
  switch (x.way) {
    case BlockWay::direct:
      return tally.direct_work();
    case BlockWay::ring:
      return tally.ring_work();
    case BlockWay::doubling:
      break;
  }
  return tally.halving_work();
}

std::vector<int> corners(const BlockCollective& x) {
  const int p = x.blocks.ranks(), longer = x.blocks.longer_blocks();
  std::vector<int> all{0, longer};
  if (x.way == BlockWay::direct || x.transport == Transport::one_sided) return all;
  for (const int length : window_lengths(p)) all.insert(all.end(), {p - length, longer - length, length});
  return all;
}

}  // namespace cairn::comm
