#include "program/written.hpp"

#include "layout/exchange/redistribute.hpp"

namespace cairn::program {
namespace {

comm::BlockCollective block_collective(const Collective& x, ScalarType type) {
  return {x.kind, x.blocks, x.way, x.transport, bytes(type)};
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

comm::RankSchedule among(const Group& group, comm::RankSchedule schedule) {
  for (comm::Transfer& t : schedule.transfers) t.peer = group.rank_at(t.peer);
  return schedule;
}

comm::RankSchedule write(const Collective& x, int rank, ScalarType type) {
  const std::optional<int> position = x.group.position_of(rank);
  require(position.has_value(), "rank {} is not in the group of its collective", rank);
  const Place& whole = x.kind == Collective::Kind::reduce_scatter ? x.from : x.to;
  return among(x.group, comm::write(block_collective(x, type), *position, whole.offset));
}

comm::Counters moved(const Communicate& c, int rank, ScalarType type) {
  return std::visit([&](const auto& x) { return moved_by(x, rank, type); }, c.what);
}

Index transient_bytes(const Communicate& c, int rank, ScalarType type) {
  return std::visit([&](const auto& x) { return transient_bytes_of(x, rank, type); }, c.what);
}

}  // namespace cairn::program
