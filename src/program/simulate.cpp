#include "program/simulate.hpp"

#include <algorithm>

#include "program/count.hpp"
#include "program/written.hpp"

namespace cairn::program {
namespace {

constexpr double word_bytes = 8;

// Seconds of one action, and whether the link or the core is busy with it.
struct Duration {
  double seconds = 0;
  bool on_link = false;
  comm::Counters moved = {};
};

// Linear combinations cost nothing here: the model's flops are those of products and kernels.
Duration duration_of(const Program& program, const Action& action, const Machine& machine) {
  if (const auto* c = std::get_if<Communicate>(&action.what)) {
    const comm::Counters counters = moved(*c, program.rank, program.type);
    return {seconds(counters, machine), true, counters};
  }
  return {machine.gamma * flops_of(action, program.type)};
}

// Makes events in the order of the steps, and the waits of the core between them.
class TraceWriter {
 public:
  TraceWriter(const Program& program, const Timeline& line) : program_(program), line_(line) {}

  std::vector<TraceEvent> write() && {
    for (const Step& step : line_.steps) {
      const Action& action = action_of(step);
      for (const std::int32_t other : action.waits)
        wait(line_.steps[static_cast<std::size_t>(other)], action);
      if (step.end > step.start || communicates(action)) add(step, action);
    }
    for (const Step& step : line_.steps) wait(step, action_of(step));
    return std::move(events_);
  }

 private:
  const Action& action_of(const Step& step) const {
    return program_.actions[static_cast<std::size_t>(step.action)];
  }
  void push(Activity activity, const Action& named, Index round, int lane, double start, double end,
            const comm::Counters& counters) {
    events_.push_back(
        {.activity = activity, .lane = lane, .round = round, .start = start, .end = end, .moved = counters});
    events_.back().set_phase(program_.phases[static_cast<std::size_t>(named.phase)]);
  }
  void wait(const Step& other, const Action& by) {
    if (other.end <= core_) return;
    push(Activity::wait, action_of(other), by.round, TraceEvent::core, core_, other.end, {});
    core_ = other.end;
  }
  void add(const Step& step, const Action& action) {
    const bool link = communicates(action);
    push(link ? Activity::communicate : Activity::compute, action, action.round,
         link ? TraceEvent::core + 1 : TraceEvent::core, step.start, step.end, step.moved);
    if (!link) core_ = step.end;
  }

  const Program& program_;
  const Timeline& line_;
  std::vector<TraceEvent> events_;
  double core_ = 0;  // free from then on
};

}  // namespace

double seconds(const comm::Counters& moved, const Machine& machine) {
  const auto messages = static_cast<double>(std::max(moved.sent.messages, moved.received.messages));
  const auto most_bytes = static_cast<double>(std::max(moved.sent.bytes, moved.received.bytes));
  return machine.alpha * messages + machine.beta * most_bytes / word_bytes;
}

Timeline simulate(const Program& program, const Machine& machine) {
  Timeline line;
  double link = 0, core = 0;  // free from then on
  for (const Action& action : program.actions) {
    const Duration d = duration_of(program, action, machine);
    // The list is worked through in order: what has been waited for before delays what is started after.
    for (const std::int32_t other : action.waits)
      core = std::max(core, line.steps[static_cast<std::size_t>(other)].end);
    const double start = d.on_link ? std::max(link, core) : core;
    (d.on_link ? link : core) = start + d.seconds;
    (d.on_link ? line.communicating : line.computing) += d.seconds;
    line.steps.push_back({static_cast<int>(line.steps.size()), start, start + d.seconds, d.moved});
  }
  line.seconds = std::max(link, core);
  return line;
}

std::vector<TraceEvent> trace_of(const Program& program, const Timeline& line) {
  return TraceWriter(program, line).write();
}

}  // namespace cairn::program
