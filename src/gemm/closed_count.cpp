#include "gemm/closed_count.hpp"

#include "comm/blocks.hpp"
#include "comm/collectives.hpp"

namespace cairn::gemm {
namespace {

using comm::Partition;
using comm::Volume;

// Counts messages of at most `limit` elements over the slices of one fibre.
class Tally {
 public:
  Tally(const Schedule& s, const Collective& x, int position)
      : slices_(x.slices), p_(x.slices.ranks()), me_(position), combine_(x.matrix == Matrix::c) {
    const comm::Seat seat = comm::seat_of(position, p_, bytes(s.problem.type));
    const bool one_sided = s.transport == comm::Transport::one_sided;
    limit_ = combine_ && !one_sided ? seat.combine_elements() : seat.message_elements;
  }

  // Everybody gives everybody its block: what is exchanged with each other rank is my block in one direction,
  // its own in the other.
  comm::Counters direct() const {
    const Volume mine = repeated(slices_.count(me_), p_ - 1), others = all_but(me_);
    return combine_ ? comm::Counters{others, mine} : comm::Counters{mine, others};
  }

  // Blocks go round: of a gather the one ahead keeps its own, of a combine the one behind.
  comm::Counters ring() const {
    return combine_ ? comm::Counters{all_but(me_), all_but(wrap(me_ - 1))}
                    : comm::Counters{all_but(wrap(me_ + 1)), all_but(me_)};
  }

  comm::Counters doubling() const {
    comm::Counters sum;
    const auto add = [&](Volume& to, int first, int blocks) {
      comm::circular_runs(slices_, first, blocks, [&](Index, Index n) { to += message(n); });
    };
    for (int d = 1; d < p_; d *= 2) {
      add(sum.sent, me_, comm::blocks_over(d, p_));
      add(sum.received, wrap(me_ + d), comm::blocks_over(d, p_));
    }
    return sum;
  }

  // Doubling backwards; a message ends where the sender's sums end and where the circle does.
  comm::Counters halving() const {
    comm::Counters sum;
    int summed = 0;
    for (int d = comm::top_distance(p_); d >= 1; d /= 2) {
      add_step(sum.sent, me_, d, summed);
      add_step(sum.received, wrap(me_ - d), d, summed);
      summed = std::max(summed, comm::blocks_over(d, p_));
    }
    return sum;
  }

  comm::Counters one_sided() const {
    comm::Counters sum = direct();
    const Index signals = 2 * comm::log2_ceil(p_);  // two barriers
    sum.sent.messages += signals;
    sum.received.messages += signals;
    return sum;
  }

  Index direct_work() const { return p_ == 2 ? 0 : std::min(slices_.count(me_), limit_) * (p_ - 1); }
  Index ring_work() const { return p_ == 2 ? 0 : 2 * slices_.count(0); }
  Index one_sided_work() const { return 2 * slices_.count(me_); }
  Index halving_work() const {
    const int top = comm::top_distance(p_);
    const Index sums = top == 1 ? 0 : window(std::max(comm::blocks_over(top, p_), top / 2));
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
    const int end = d + comm::blocks_over(d, p_);
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

comm::Counters count_of(const Schedule& s, const Collective& x, comm::BlockWay way, int position) {
  const Tally tally(s, x, position);
  if (s.transport == comm::Transport::one_sided) return tally.one_sided();
  switch (way) {
    case comm::BlockWay::direct:
      return tally.direct();
    case comm::BlockWay::ring:
      return tally.ring();
    case comm::BlockWay::doubling:
      break;
  }
  return x.matrix == Matrix::c ? tally.halving() : tally.doubling();
}

}  // namespace

comm::Counters closed_count(const Schedule& s, const Collective& x, int position) {
  return closed_count(s, x, way_of(s, x.slices), position);
}

comm::Counters closed_count(const Schedule& s, const Collective& x, comm::BlockWay way, int position) {
  comm::Counters sum = count_of(s, x, way, position);
  sum.sent.bytes = sum.sent.words * bytes(s.problem.type);
  sum.received.bytes = sum.received.words * bytes(s.problem.type);
  return sum;
}

Index closed_work(const Schedule& s, const Collective& x, int position) {
  if (x.matrix != Matrix::c) return 0;
  const Tally tally(s, x, position);
  if (s.transport == comm::Transport::one_sided) return tally.one_sided_work();
  switch (way_of(s, x.slices)) {
    case comm::BlockWay::direct:
      return tally.direct_work();
    case comm::BlockWay::ring:
      return tally.ring_work();
    case comm::BlockWay::doubling:
      break;
  }
  return tally.halving_work();
}

}  // namespace cairn::gemm
