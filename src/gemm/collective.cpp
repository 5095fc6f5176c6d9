#include "gemm/collective.hpp"

#include "comm/collectives.hpp"

namespace cairn::gemm {
namespace {

using comm::Partition;
using comm::ScheduleBuilder;
using comm::Seat;

// My slice goes to its place in my own face, from where the others take it.
comm::Schedule fill(const Seat& seat, const Partition& slices) {
  ScheduleBuilder b(seat.message_elements);
  b.copy(comm::in(0), comm::out(slices.offset(seat.rank)), slices.count(seat.rank));
  return b.finish();
}

// Every rank starts with another peer, so that no rank is everybody's target at once.
comm::Schedule take_slices(const Seat& seat, const Partition& slices, Index face) {
  ScheduleBuilder b(seat.message_elements);
  for (int step = 1; step < seat.ranks; ++step) {
    const int from = (seat.rank + step) % seat.ranks;
    b.get(from, face + slices.offset(from), comm::out(slices.offset(from)), slices.count(from));
    b.serve(slices.count(seat.rank));
  }
  return b.finish();
}

comm::Schedule take_sums(const Seat& seat, const Partition& slices, Index face) {
  comm::Schedule gets = comm::reduce_scatter_get(seat, slices);
  for (comm::Transfer& t : gets.transfers) t.remote += face;
  return gets;
}

comm::Schedule write_one_sided(const Seat& seat, const Collective& x) {
  const comm::Schedule barrier = comm::barrier_dissemination(seat);
  if (x.matrix == Matrix::c) {
    const comm::Schedule gets = take_sums(seat, x.slices, x.face);
    return comm::concatenate({&barrier, &gets, &barrier});
  }
  const comm::Schedule first = fill(seat, x.slices), gets = take_slices(seat, x.slices, x.face);
  return comm::concatenate({&first, &barrier, &gets, &barrier});
}

}  // namespace

Collective collective_of(const Gather& gather) { return {gather.matrix, gather.slices, gather.to.offset}; }
Collective collective_of(const Combine& combine) { return {Matrix::c, combine.slices, combine.from.offset}; }

comm::BlockWay way_of(const Schedule& s, const Partition& slices) {
  if (s.collectives == Collectives::fewest_words)
    return slices.is_even() ? comm::BlockWay::direct : comm::BlockWay::ring;
  return comm::choose_way(slices, bytes(s.problem.type), s.link);
}

comm::Schedule write(const Schedule& s, const Collective& x, int position) {
  const Seat seat = comm::seat_of(position, x.slices.ranks(), bytes(s.problem.type));
  if (s.transport == comm::Transport::one_sided) return write_one_sided(seat, x);
  const comm::BlockWay way = way_of(s, x.slices);
  return x.matrix == Matrix::c ? comm::reduce_scatter(way, seat, x.slices)
                               : comm::allgather(way, seat, x.slices);
}

}  // namespace cairn::gemm
