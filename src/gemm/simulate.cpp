#include "gemm/simulate.hpp"

#include <algorithm>

#include "gemm/collective.hpp"

namespace cairn::gemm {
namespace {

constexpr double word_bytes = 8;

// Seconds of one operation, and whether the link or the core is busy with it.
struct Duration {
  double seconds = 0;
  bool on_link = false;
};

class Durations {
 public:
  Durations(const Program& program, const model::Machine& machine) : program_(program), machine_(machine) {}

  Duration operator()(const Gather& x) const { return collective(collective_of(x)); }
  Duration operator()(const Combine& x) const { return collective(collective_of(x)); }
  Duration operator()(const Multiply& x) const {
    const double voxel = dispatch(program_.schedule.problem.type,
                                  []<class T>() -> double { return ScalarTraits<T>::flops_per_voxel; });
    return {machine_.gamma * voxel * static_cast<double>(x.m) * static_cast<double>(x.n) *
            static_cast<double>(x.k)};
  }
  // Linear work is not part of the model's flops.
  Duration operator()(const Scale&) const { return {}; }
  Duration operator()(const Clear&) const { return {}; }
  Duration operator()(const AddScaled&) const { return {}; }

 private:
  Duration collective(const Collective& x) const {
    const comm::Schedule written = write(program_.schedule, x, program_.at[missing(x.matrix)]);
    const Index width = bytes(program_.schedule.problem.type);
    return {seconds(comm::count(written, width), machine_), true};
  }

  const Program& program_;
  const model::Machine& machine_;
};

}  // namespace

double seconds(const comm::Counters& moved, const model::Machine& machine) {
  const auto messages = static_cast<double>(std::max(moved.sent.messages, moved.received.messages));
  const auto most_bytes = static_cast<double>(std::max(moved.sent.bytes, moved.received.bytes));
  return machine.alpha * messages + machine.beta * most_bytes / word_bytes;
}

Timeline simulate(const Program& program, const model::Machine& machine) {
  Timeline line;
  double link = 0, core = 0;  // free from then on
  const Durations durations(program, machine);
  for (const Operation& operation : program.operations) {
    const Duration d = std::visit(durations, operation.action);
    // The list is worked through in order: what has been waited for before delays what is started after.
    for (const int other : operation.waits)
      if (other != Operation::none) core = std::max(core, line.steps[static_cast<std::size_t>(other)].end);
    const double start = d.on_link ? std::max(link, core) : core;
    (d.on_link ? link : core) = start + d.seconds;
    (d.on_link ? line.communicating : line.computing) += d.seconds;
    line.steps.push_back({static_cast<int>(line.steps.size()), start, start + d.seconds});
  }
  line.seconds = std::max(link, core);
  return line;
}

}  // namespace cairn::gemm
