// Schedules that move blocks without combining them: allgather, gather, scatter, all-to-all, barrier.
#include "comm/algorithms.hpp"
#include "comm/blocks.hpp"

namespace cairn::comm {
namespace {

ScheduleBuilder builder(const Seat& seat) { return ScheduleBuilder(seat.message_elements); }

// One round: send `to` the blocks from `mine` on, receive `from` those from `theirs` on.
void exchange_blocks(ScheduleBuilder& b, const Partition& parts, int to, int mine, int from, int theirs,
                     int blocks) {
  circular_runs(parts, theirs, blocks, [&](Index at, Index n) { b.receive(from, out(at), n); });
  circular_runs(parts, mine, blocks, [&](Index at, Index n) { b.send(to, out(at), n); });
  b.next_round();
}

}  // namespace

void append_allgather_doubling(ScheduleBuilder& b, const Circle& circle, int v, const Partition& parts) {
  for (int d = 1; d < circle.size(); d *= 2)
    // I hold blocks v .. v+d-1; the one d ahead holds the next d of them.
    exchange_blocks(b, parts, circle.rank_at(v - d), v, circle.rank_at(v + d), circle.wrap(v + d),
                    blocks_over(d, circle.size()));
}

RankSchedule allgather_doubling(const Seat& seat, const Partition& parts) {
  ScheduleBuilder b = builder(seat);
  b.copy(in(0), out(parts.offset(seat.rank)), parts.count(seat.rank));
  b.next_round();
  append_allgather_doubling(b, Circle::from(0, seat.ranks), seat.rank, parts);
  return b.finish();
}

RankSchedule allgather_ring(const Seat& seat, const Partition& parts) {
  const Circle circle = Circle::from(0, seat.ranks);
  const int p = seat.ranks, r = seat.rank;
  ScheduleBuilder b = builder(seat);
  b.copy(in(0), out(parts.offset(r)), parts.count(r));
  b.next_round();
  for (int s = 0; s + 1 < p; ++s)
    exchange_blocks(b, parts, circle.wrap(r + 1), circle.wrap(r - s), circle.wrap(r - 1),
                    circle.wrap(r - s - 1), 1);
  return b.finish();
}

void append_allgather_direct(ScheduleBuilder& b, const Circle& circle, int v, const Partition& parts,
                             Place mine) {
  for (int s = 1; s < circle.size(); ++s) {
    const int from = circle.wrap(v - s);
    b.receive(circle.rank_at(from), out(parts.offset(from)), parts.count(from));
    b.send(circle.rank_at(v + s), mine, parts.count(v));
  }
  b.next_round();
}

RankSchedule allgather_direct(const Seat& seat, const Partition& parts) {
  ScheduleBuilder b = builder(seat);
  b.copy_meanwhile(in(0), out(parts.offset(seat.rank)), parts.count(seat.rank));
  append_allgather_direct(b, Circle::from(0, seat.ranks), seat.rank, parts, in(0));
  return b.finish();
}

RankSchedule allgather_get(const Seat& seat, const Partition& parts) {
  const Circle circle = Circle::from(0, seat.ranks);
  const int p = seat.ranks, r = seat.rank;
  ScheduleBuilder b = builder(seat);
  for (int s = 1; s < p; ++s) {
    const int from = circle.wrap(r + s);
    b.get(from, 0, out(parts.offset(from)), parts.count(from));
    b.serve(parts.count(r));
  }
  b.copy_meanwhile(in(0), out(parts.offset(r)), parts.count(r));
  return b.finish();
}

RankSchedule gather_direct(const Seat& seat, const Partition& parts, int root) {
  ScheduleBuilder b = builder(seat);
  const int r = seat.rank;
  if (r == root) {
    for (int i = 0; i < seat.ranks; ++i)
      if (i != root) b.receive(i, out(parts.offset(i)), parts.count(i));
    b.copy_meanwhile(in(0), out(parts.offset(r)), parts.count(r));
  } else {
    b.send(root, in(0), parts.count(r));
  }
  return b.finish();
}

namespace {

// The subtree of position v in a binomial tree over p positions.
struct Subtree {
  int lowest_bit;  // of v; for the root the first power of two that is not below p
  int blocks;      // positions v .. v + blocks - 1
};

Subtree subtree(int v, int p) {
  int bit = 1;
  while (bit < p && (v & bit) == 0) bit *= 2;
  return {bit, std::min(bit, p - v)};
}

// Where the run that starts at global `offset` lies in a buffer that holds the blocks from `first` on, in
// order.
Place within_subtree(const Partition& parts, int first, Index offset, Place base) {
  const Index start = parts.offset(first);
  return base + (offset >= start ? offset - start : parts.total() - start + offset);
}

}  // namespace

RankSchedule gather_tree(const Seat& seat, const Partition& parts, int root) {
  const Circle circle = Circle::from(root, seat.ranks);
  const int p = seat.ranks, v = circle.position_of(seat.rank), r = seat.rank;
  const Subtree mine = subtree(v, p);
  ScheduleBuilder b = builder(seat);
  const Index held = v == 0 ? 0 : parts.circular_count(r, mine.blocks);
  const Place stage = b.reserve_work(held);
  const auto place = [&](Index offset) {
    return v == 0 ? out(offset) : within_subtree(parts, r, offset, stage);
  };
  circular_runs(parts, r, 1, [&](Index at, Index n) { b.copy(in(0), place(at), n); });
  for (int d = 1; d < mine.lowest_bit && v + d < p; d *= 2) {
    const int child = circle.rank_at(v + d);
    circular_runs(parts, child, subtree(v + d, p).blocks,
                  [&](Index at, Index n) { b.receive(child, place(at), n); });
  }
  b.next_round();
  if (v != 0)
    circular_runs(parts, r, mine.blocks,
                  [&](Index at, Index n) { b.send(circle.rank_at(v - mine.lowest_bit), place(at), n); });
  return b.finish();
}

RankSchedule scatter_direct(const Seat& seat, const Partition& parts, int root) {
  ScheduleBuilder b = builder(seat);
  const int r = seat.rank;
  if (r == root) {
    for (int i = 0; i < seat.ranks; ++i)
      if (i != root) b.send(i, in(parts.offset(i)), parts.count(i));
    b.copy_meanwhile(in(parts.offset(r)), out(0), parts.count(r));
  } else {
    b.receive(root, out(0), parts.count(r));
  }
  return b.finish();
}

RankSchedule scatter_tree(const Seat& seat, const Partition& parts, int root) {
  const Circle circle = Circle::from(root, seat.ranks);
  const int p = seat.ranks, v = circle.position_of(seat.rank), r = seat.rank;
  const Subtree mine = subtree(v, p);
  ScheduleBuilder b = builder(seat);
  const Index held = v == 0 ? 0 : parts.circular_count(r, mine.blocks);
  const Place stage = b.reserve_work(held);
  const auto place = [&](Index offset) {
    return v == 0 ? in(offset) : within_subtree(parts, r, offset, stage);
  };
  if (v != 0) {
    circular_runs(parts, r, mine.blocks,
                  [&](Index at, Index n) { b.receive(circle.rank_at(v - mine.lowest_bit), place(at), n); });
    b.next_round();
  }
  for (int d = mine.lowest_bit / 2; d >= 1; d /= 2) {
    if (v + d >= p) continue;
    const int child = circle.rank_at(v + d);
    circular_runs(parts, child, subtree(v + d, p).blocks,
                  [&](Index at, Index n) { b.send(child, place(at), n); });
  }
  circular_runs(parts, r, 1, [&](Index at, Index n) { b.copy(place(at), out(0), n); });
  return b.finish();
}

RankSchedule alltoall_direct(const Seat& seat, const Partition& send, const Partition& receive) {
  // Every rank starts with another peer, so that no rank is everybody's target at once; not more than this
  // many peers at a time, so that requests stay few.
  constexpr int peers_at_a_time = 32;
  const Circle circle = Circle::from(0, seat.ranks);
  const int p = seat.ranks, r = seat.rank;
  ScheduleBuilder b = builder(seat);
  b.copy_meanwhile(in(send.offset(r)), out(receive.offset(r)), send.count(r));
  for (int s = 1; s < p; ++s) {
    const int to = circle.wrap(r + s), from = circle.wrap(r - s);
    b.receive(from, out(receive.offset(from)), receive.count(from));
    b.send(to, in(send.offset(to)), send.count(to));
    if (s % peers_at_a_time == 0) b.next_round();
  }
  return b.finish();
}

RankSchedule barrier_dissemination(const Seat& seat) {
  const Circle circle = Circle::from(0, seat.ranks);
  ScheduleBuilder b = builder(seat);
  for (int d = 1; d < seat.ranks; d *= 2) {
    b.await_signal(circle.wrap(seat.rank - d));
    b.signal(circle.wrap(seat.rank + d));
    b.next_round();
  }
  return b.finish();
}

}  // namespace cairn::comm
