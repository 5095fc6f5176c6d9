#include "cli/operation_commands.hpp"

#include <unistd.h>

#include "cli/bound_parts.hpp"
#include "cli/exit_code.hpp"
#include "cli/measure.hpp"
#include "cli/measured_machine.hpp"
#include "cli/operation.hpp"
#include "cli/render.hpp"
#include "cli/session.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;

// One use of `cairn OP` or `cairn plan OP`.
struct Use {
  std::string operation;
  SharedOptions shared;
  Request request;

  int ranks() const { return shared.ranks ? narrow<int>(*shared.ranks, "--ranks") : request.ranks(); }
  Planned plan(int on_ranks) const {
    const double start = seconds_now();
    Planned planned = request.plan(shared, on_ranks);
    planned.planning_seconds = seconds_now() - start;
    planned.machine = shared.machine;
    return planned;
  }
};

std::string example_text(const Operation& op, const std::string& before) {
  std::string text = "example:";
  std::string_view rest = before == "bound " ? op.bound_example : op.example;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += fmt::format("\n  cairn {}{} {}", before, op.name, rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  return text;
}

void check_files(const SharedOptions& o) {
  if (!o.trace.empty()) check_output_file("--trace", o.trace);
  if (!o.report.empty()) check_output_file("--report", o.report);
}

void print(const SharedOptions& o, const Shown& shown) {
  fmt::print("{}", o.json ? render_json(shown).dump(2) + "\n" : render_text(shown));
}

void write_files(const SharedOptions& o, const Shown& shown) {
  if (!o.trace.empty()) {
    const bool measured = shown.measured != nullptr;
    require(measured || shown.planned.simulate, "--trace: {} has no simulated timeline", shown.operation);
    write_output_file("--trace", o.trace,
                      trace_text(measured ? shown.measured->traces : shown.planned.simulate(),
                                 about_trace(shown, measured ? "measured" : "simulated")));
  }
  if (!o.report.empty()) write_output_file("--report", o.report, render_html(shown));
}

void show_plan(Use& use) {
  use.shared.explain = true;
  check_files(use.shared);
  Progress progress(use.shared.progress || isatty(STDERR_FILENO) == 1);
  progress.say("planning");
  use.request.read(use.shared);  // wrong arguments first
  use.shared.machine = machine_for_plan(use.shared.machine_file, use.ranks());
  use.request.read(use.shared);
  const Planned planned = use.plan(use.ranks());
  use.request.write(planned);
  const Shown shown{use.operation, planned, nullptr, use.shared.trace, use.shared.report};
  write_files(use.shared, shown);
  print(use.shared, shown);
}

// True if the result is right, or was not looked at.
bool run_on(CommView c, Use& use) {
  SharedOptions& o = use.shared;
  const bool first = c.rank() == 0;
  comm::agree(c, use.operation, [&] {
    if (first) check_files(o);
  });
  Progress progress(first && (o.progress || isatty(STDERR_FILENO) == 1));
  const int threads = share_cores(c, o.threads);
  progress.say("measuring the machine");
  o.machine = machine_on(c, o.machine_file);
  use.request.look(o, c);
  progress.say("planning");
  const Planned planned = use.plan(c.size());
  check_node_memory(c, planned);
  if (first && !o.json) fmt::print("{}", render_plan(planned));
  std::fflush(stdout);
  progress.say("filling matrices");
  const std::unique_ptr<Work> work = use.request.run(o, planned, c);
  Measured measured =
      measure(c, *work, planned, {o.repeat.value_or(use.request.once() ? 0 : 3), !o.no_verify}, progress);
  measured.threads = threads;
  const Shown shown{use.operation, planned, &measured, o.trace, o.report};
  comm::agree(c, use.operation, [&] {
    if (first) write_files(o, shown);
  });
  if (first) print(o, shown);
  if (first && !measured.right())
    fmt::print(stderr, "cairn: the result is {}: {}\n",
               measured.verdict->outcome() == check::Outcome::wrong ? "wrong" : "not known to be right",
               measured.verdict->problem);
  return measured.right();
}

void start_run(Use& use, Invocation& invocation) {
  use.shared.explain = !use.shared.report.empty();
  use.shared.machine = known_machine(use.shared.machine_file);
  use.request.read(use.shared);  // wrong arguments are found here, before any rank is started
  if (!under_launcher()) {
    check_files(use.shared);
    if (!use.request.must_look()) check_node_memory(use.plan(use.ranks()));
    relaunch(use.ranks(), with_progress(invocation.arguments));
  }
  bool right = true;
  const int code = run_on_ranks(invocation.watchdog_seconds, [&](CommView c) { right = run_on(c, use); });
  invocation.exit_code = code == exit_right && !right ? exit_wrong_result : code;
}

}  // namespace

void add_plan_operations(Command plan) {
  for (const Operation& op : operations()) {
    if (!op.plans) continue;
    const Command command = plan.add_subcommand(op.name, op.summary);
    command.footer(example_text(op, "plan "));
    auto use = std::make_shared<Use>();
    use->operation = op.name;
    use->request = op.request(command, Verb::plan);
    add_planning_options(command, use->shared, "Number of ranks (default: one per core, at least 2)");
    add_simulation_options(command, use->shared);
    command.callback([use] { show_plan(*use); });
  }
}

void add_operations(Command app, Invocation& invocation) {
  for (const Operation& op : operations()) {
    if (!op.runs) continue;
    const Command command = app.add_subcommand(op.name, op.summary);
    command.footer(example_text(op, ""));
    auto use = std::make_shared<Use>();
    use->operation = op.name;
    use->request = op.request(command, Verb::run);
    add_planning_options(command, use->shared,
                         "Ranks to start (default: one per core, at least 2); ignored under mpirun");
    add_running_options(command, use->shared);
    command.callback([use, &invocation] { start_run(*use, invocation); });
  }
}

void add_bound_operations(Command bound) {
  for (const Operation& op : operations()) {
    if (!op.bounds) continue;
    const Command command = bound.add_subcommand(op.name, op.summary);
    command.footer(example_text(op, "bound "));
    auto shared = std::make_shared<BoundOptions>();
    const auto request = std::make_shared<Request>(op.request(command, Verb::bound));
    add_bound_options(command, *shared);
    command.callback([=] { print_bound(request->bound(*shared), shared->json); });
  }
}

}  // namespace cairn::cli
