#include "program/written.hpp"

#include "comm/collectives.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn::program {
namespace {

using comm::Partition;
using comm::ScheduleBuilder;
using comm::Seat;

// My block goes to its place in my own whole, from where the others take it.
comm::Schedule fill_own_block(const Seat& seat, const Partition& blocks) {
  ScheduleBuilder b(seat.message_elements);
  b.copy(comm::in(0), comm::out(blocks.offset(seat.rank)), blocks.count(seat.rank));
  return b.finish();
}

// Every rank starts with another peer, so that no rank is everybody's target at once.
comm::Schedule take_blocks(const Seat& seat, const Partition& blocks, Index whole) {
  ScheduleBuilder b(seat.message_elements);
  for (int step = 1; step < seat.ranks; ++step) {
    const int from = (seat.rank + step) % seat.ranks;
    b.get(from, whole + blocks.offset(from), comm::out(blocks.offset(from)), blocks.count(from));
    b.serve(blocks.count(seat.rank));
  }
  return b.finish();
}

comm::Schedule take_sums(const Seat& seat, const Partition& blocks, Index whole) {
  comm::Schedule gets = comm::reduce_scatter_get(seat, blocks);
  for (comm::Transfer& t : gets.transfers) t.remote += whole;
  return gets;
}

comm::Schedule write_one_sided(const Collective& x, const Seat& seat) {
  const comm::Schedule barrier = comm::barrier_dissemination(seat);
  if (x.kind == Collective::Kind::reduce_scatter) {
    const comm::Schedule gets = take_sums(seat, x.blocks, x.from.offset);
    return comm::concatenate({&barrier, &gets, &barrier});
  }
  const comm::Schedule first = fill_own_block(seat, x.blocks),
                       gets = take_blocks(seat, x.blocks, x.to.offset);
  return comm::concatenate({&first, &barrier, &gets, &barrier});
}

comm::Schedule write_two_sided(const Collective& x, const Seat& seat) {
  return x.kind == Collective::Kind::reduce_scatter ? comm::reduce_scatter(x.way, seat, x.blocks)
                                                    : comm::allgather(x.way, seat, x.blocks);
}

comm::Counters moved_by(const Collective& x, int rank, ScalarType type) {
  return comm::count(write(x, rank, type), bytes(type));
}
comm::Counters moved_by(const Messages& x, int /*rank*/, ScalarType /*type*/) { return x.schedule->moved; }
comm::Counters moved_by(const Exchange& x, int /*rank*/, ScalarType type) {
  return layout::count(*x.plan, bytes(type), x.options);
}

Index transient_bytes_of(const Collective& x, int rank, ScalarType type) {
  return write(x, rank, type).work_count * bytes(type);
}
Index transient_bytes_of(const Messages& x, int /*rank*/, ScalarType type) {
  return x.schedule->schedule.work_count * bytes(type);
}
Index transient_bytes_of(const Exchange& x, int /*rank*/, ScalarType type) {
  return layout::slot_bytes(*x.plan, bytes(type), x.options);
}

}  // namespace

comm::Schedule among(const Group& group, comm::Schedule schedule) {
  for (comm::Transfer& t : schedule.transfers) t.peer = group.rank_at(t.peer);
  return schedule;
}

comm::Schedule write(const Collective& x, int rank, ScalarType type) {
  const std::optional<int> position = x.group.position_of(rank);
  require(position.has_value(), "rank {} is not in the group of its collective", rank);
  const Seat seat = comm::seat_of(*position, x.group.size(), bytes(type));
  return among(x.group, x.transport == comm::Transport::one_sided ? write_one_sided(x, seat)
                                                                  : write_two_sided(x, seat));
}

comm::Counters moved(const Communicate& c, int rank, ScalarType type) {
  return std::visit([&](const auto& x) { return moved_by(x, rank, type); }, c.what);
}

Index transient_bytes(const Communicate& c, int rank, ScalarType type) {
  return std::visit([&](const auto& x) { return transient_bytes_of(x, rank, type); }, c.what);
}

}  // namespace cairn::program
