// cairn demo: collectives at work, with the words they move beside the fewest possible.
#include <unistd.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/measure.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "comm/traffic_table.hpp"

namespace cairn::cli {
namespace {

struct Options {
  int ranks = 0;
  Index words = 1 << 20;
  bool json = false;
};

struct Step {
  std::string name;
  double total_optimum;  // words received by all ranks together, at least
  std::function<void()> run;
};

struct Vectors {
  Vectors(comm::CommView c, Index words)
      : mine(static_cast<std::size_t>(words / c.size()), 1.0),
        all(mine.size() * static_cast<std::size_t>(c.size()), 1.0),
        other(all.size()) {}
  std::vector<double> mine, all, other;
};

std::vector<Step> steps(comm::CommView c, Vectors& v) {
  const double n = static_cast<double>(v.all.size()), p = c.size();
  return {{"allgather", (p - 1) * n,
           [=, &v] { comm::allgather(c, std::span<const double>(v.mine), std::span(v.other)); }},
          {"reduce-scatter", (p - 1) * n,
           [=, &v] {
             comm::reduce_scatter(c, std::span<const double>(v.all), std::span(v.mine), comm::ReduceOp::sum);
           }},
          {"broadcast", (p - 1) * n, [=, &v] { comm::broadcast(c, std::span(v.other), 0); }},
          {"reduce", (p - 1) * n,
           [=, &v] {
             comm::reduce(c, std::span<const double>(v.all), std::span(v.other), comm::ReduceOp::sum, 0);
           }},
          {"allreduce", 2 * (p - 1) * n,
           [=, &v] {
             comm::allreduce(c, std::span<const double>(v.all), std::span(v.other), comm::ReduceOp::sum);
           }},
          {"all-to-all", (p - 1) * n,
           [=, &v] { comm::alltoall(c, std::span<const double>(v.all), std::span(v.other)); }}};
}

struct Line {
  std::string name;
  comm::TrafficRow traffic;
  double optimum;
  double seconds;
};

std::vector<Line> measure(comm::CommView checked, const Options& o) {
  const comm::CommView c = checked.unchecked();
  Vectors v(c, o.words);
  std::vector<Line> lines;
  for (const Step& step : steps(c, v)) {
    const comm::Phase phase(c.traffic(), step.name);
    comm::barrier(c);
    const comm::TrafficSnapshot before = c.traffic().snapshot();
    const double start = seconds_now();
    step.run();
    const double elapsed = seconds_now() - start;
    const comm::TrafficSnapshot moved = c.traffic().snapshot() - before;
    const double seconds = comm::allreduce(c, elapsed, comm::ReduceOp::max);
    lines.push_back({step.name, comm::gather_traffic(c, moved).back(), step.total_optimum, seconds});
  }
  return lines;
}

void print_text(const std::vector<Line>& lines, int ranks, Index words) {
  fmt::print("collectives of {} words of 8 bytes on {} ranks\n\n", words, ranks);
  Table table({"operation", "words received, all ranks", "fewest possible", "ratio", "busiest rank",
               "messages", "seconds"});
  for (const Line& l : lines)
    table.add(
        {l.name, std::to_string(l.traffic.words_received.total), fmt::format("{:.0f}", l.optimum),
         fmt::format("{:.3f}",
                     l.optimum > 0 ? static_cast<double>(l.traffic.words_received.total) / l.optimum : 1.0),
         std::to_string(std::max(l.traffic.words_received.max, l.traffic.words_sent.max)),
         std::to_string(l.traffic.messages_sent.total), fmt::format("{:.6f}", l.seconds)});
  fmt::print("{}", table.text());
}

nlohmann::json to_json(const std::vector<Line>& lines, int ranks, Index words) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Line& l : lines)
    rows.push_back({{"operation", l.name},
                    {"words",
                     {{"sent",
                       {{"total", l.traffic.words_sent.total},
                        {"mean", l.traffic.words_sent.mean},
                        {"max", l.traffic.words_sent.max}}},
                      {"received",
                       {{"total", l.traffic.words_received.total},
                        {"mean", l.traffic.words_received.mean},
                        {"max", l.traffic.words_received.max}}},
                      {"optimum_total", l.optimum}}},
                    {"messages", l.traffic.messages_sent.total},
                    {"seconds", l.seconds}});
  return {{"ranks", ranks}, {"words", words}, {"operations", rows}};
}

void run(comm::CommView c, const Options& o) {
  require(o.words >= 0, "words is {}, expected 0 or more", o.words);
  const std::vector<Line> lines = measure(c, o);
  if (c.rank() != 0) return;
  const Index words = o.words / c.size() * c.size();
  if (o.json)
    fmt::print("{}\n", to_json(lines, c.size(), words).dump(2));
  else
    print_text(lines, c.size(), words);
}

}  // namespace

void add_demo(Command app, Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const Command demo = app.add_subcommand("demo", "Run every collective once and show the words it moved");
  demo.add_option("--ranks", o->ranks,
                  "Ranks to start (default: one a core, at least 2); ignored under mpirun")
      .at_least(1);
  demo.add_option("--words", o->words, "Length of the vectors (default 1048576)").at_least(0);
  demo.add_flag("--json", o->json, "Print one JSON object");
  demo.callback([o, &invocation] {
    const int cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    if (!under_launcher()) relaunch(o->ranks > 0 ? o->ranks : std::max(2, cores), invocation.arguments);
    invocation.exit_code = run_on_ranks(invocation.watchdog_seconds, [&](comm::CommView c) { run(c, *o); });
  });
}

}  // namespace cairn::cli
