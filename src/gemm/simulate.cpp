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
  comm::Counters moved = {};
};

class Durations {
 public:
  Durations(const Program& program, const bounds::Machine& machine) : program_(program), machine_(machine) {}

  Duration operator()(const Gather& x) const { return collective(collective_of(x)); }
  Duration operator()(const Combine& x) const { return collective(collective_of(x)); }
  Duration operator()(const Multiply& x) const {
    return {machine_.gamma * flops_per_voxel(program_.schedule.problem.type) * static_cast<double>(x.m) *
            static_cast<double>(x.n) * static_cast<double>(x.k)};
  }
  // Linear work is not part of the model's flops.
  Duration operator()(const Scale&) const { return {}; }
  Duration operator()(const Clear&) const { return {}; }
  Duration operator()(const AddScaled&) const { return {}; }

 private:
  Duration collective(const Collective& x) const {
    const comm::Schedule written = write(program_.schedule, x, program_.at[missing(x.matrix)]);
    const Index width = bytes(program_.schedule.problem.type);
    const comm::Counters moved = comm::count(written, width);
    return {seconds(moved, machine_), true, moved};
  }

  const Program& program_;
  const bounds::Machine& machine_;
};

}  // namespace

double seconds(const comm::Counters& moved, const bounds::Machine& machine) {
  const auto messages = static_cast<double>(std::max(moved.sent.messages, moved.received.messages));
  const auto most_bytes = static_cast<double>(std::max(moved.sent.bytes, moved.received.bytes));
  return machine.alpha * messages + machine.beta * most_bytes / word_bytes;
}

Timeline simulate(const Program& program, const bounds::Machine& machine) {
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
    line.steps.push_back({static_cast<int>(line.steps.size()), start, start + d.seconds, d.moved});
  }
  line.seconds = std::max(link, core);
  return line;
}

std::vector<TraceEvent> trace_of(const Program& program, const Timeline& line) {
  std::vector<TraceEvent> events;
  double core = 0;  // free from then on
  const auto wait = [&](const Step& other, Index round) {
    if (other.end <= core) return;
    const Activity of = activity_of(program.operations[static_cast<std::size_t>(other.operation)]);
    events.push_back({Activity::wait, of, TraceEvent::core, round, core, other.end, {}});
    core = other.end;
  };
  for (const Step& step : line.steps) {
    const Operation& operation = program.operations[static_cast<std::size_t>(step.operation)];
    for (const int other : operation.waits)
      if (other != Operation::none) wait(line.steps[static_cast<std::size_t>(other)], operation.round);
    const Activity activity = activity_of(operation);
    const int lane = communicates(activity) ? TraceEvent::core + 1 : TraceEvent::core;
    events.push_back({activity, Activity::none, lane, operation.round, step.start, step.end, step.moved});
    if (lane == TraceEvent::core) core = step.end;
  }
  for (const Step& step : line.steps)
    wait(step, program.operations[static_cast<std::size_t>(step.operation)].round);
  return events;
}

}  // namespace cairn::gemm
