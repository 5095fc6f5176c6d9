#include "program/count.hpp"

#include <map>

#include "program/written.hpp"

namespace cairn::program {
namespace {

// Memory of communications that are under way at the same time: each holds its own from where it starts until
// something waits for it.
class LandingPlaces {
 public:
  void hold(std::int32_t action, Index bytes) {
    held_[action] = bytes;
    usage_.add(bytes);
  }
  void release(std::int32_t action) {
    const auto found = held_.find(action);
    if (found == held_.end()) return;
    usage_.remove(found->second);
    held_.erase(found);
  }
  Index peak() const { return usage_.peak; }

 private:
  std::map<std::int32_t, Index> held_;
  Usage usage_;
};

}  // namespace

comm::Counters Counts::total() const {
  comm::Counters sum;
  for (const comm::Counters& c : moved) sum += c;
  return sum;
}

double flops_of(const Action& action, ScalarType type) {
  if (const auto* x = std::get_if<Multiply>(&action.what))
    return flops_per_voxel(type) * static_cast<double>(x->m) * static_cast<double>(x->n) *
           static_cast<double>(x->k);
  if (const auto* x = std::get_if<Kernel>(&action.what)) return x->flops;
  return 0;
}

Counts count(const Program& program) {
  Counts counts;
  counts.moved.resize(program.phases.size());
  counts.work_bytes = program.array_counts.empty() ? 0 : program.array_counts.front() * bytes(program.type);
  LandingPlaces landing;
  for (std::size_t i = 0; i < program.actions.size(); ++i) {
    const Action& action = program.actions[i];
    for (const std::int32_t other : action.waits) landing.release(other);
    counts.flops += flops_of(action, program.type);
    const auto* c = std::get_if<Communicate>(&action.what);
    if (c == nullptr) continue;
    counts.moved[static_cast<std::size_t>(action.phase)] += moved(*c, program.rank, program.type);
    landing.hold(static_cast<std::int32_t>(i), transient_bytes(*c, program.rank, program.type));
  }
  counts.transient_bytes = landing.peak();
  return counts;
}

comm::Counters moved_in(const Program& program, std::string_view phase) {
  comm::Counters sum;
  for (const Action& action : program.actions)
    if (const auto* c = std::get_if<Communicate>(&action.what);
        c != nullptr && program.phases[static_cast<std::size_t>(action.phase)] == phase)
      sum += moved(*c, program.rank, program.type);
  return sum;
}

}  // namespace cairn::program
