// cairn plan: what would be done, for any number of ranks, without doing it. No MPI.
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/brick_picture.hpp"
#include "cli/commands.hpp"
#include "cli/multiply_placed.hpp"
#include "cli/plan_report.hpp"
#include "cli/plan_trace.hpp"
#include "cli/table.hpp"
#include "cli/trace_file.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;

struct Options : MultiplyOptions {
  std::string draw, trace;
  LayoutTexts layouts;
};

// One of the named algorithms beside the plan.
struct Named {
  std::string_view name;
  plan::Candidate candidate;
};

std::vector<Named> fixed_algorithms(const MultiplyRequest& r, int ranks) {
  std::vector<Named> all;
  for (const std::string_view name : gemm::fixed_names())
    all.push_back({name, plan::plan_named(name, r.problem, ranks, r.settings).best});
  return all;
}

std::vector<std::string> cells(const std::string& first, const plan::Candidate& c, double bound) {
  const gemm::Rounds& rounds = c.schedule.rounds;
  return {first,
          describe(c.schedule.grid),
          rounds.count == 1 ? "1" : fmt::format("{} {}", rounds.count, name(rounds.along)),
          fmt::format("{:.4g}", c.predicted),
          std::to_string(c.totals.words_received),
          ratio_text(static_cast<double>(c.totals.words_received), bound),
          std::to_string(c.totals.messages_received),
          fmt::format("{:.3f}", c.work),
          bytes_text(static_cast<double>(c.memory_bytes))};
}

std::string tables_text(const plan::Plan& plan, const std::vector<Named>& named) {
  const std::vector<std::string> header{"",       "grid",     "rounds",    "seconds", "words, busiest",
                                        "/bound", "messages", "work/even", "memory"};
  std::vector<std::string> with_why = header;
  with_why[0] = "candidate";
  with_why.push_back("why");
  Table candidates(with_why);
  candidates.last_is_text();
  for (std::size_t i = 0; i < plan.candidates.size(); ++i) {
    const plan::Candidate& c = plan.candidates[i];
    std::vector<std::string> row = cells(std::to_string(i + 1), c, plan.bound_words);
    row.push_back(c.why);
    candidates.add(row);
  }
  std::vector<std::string> by_name = header;
  by_name[0] = "algorithm";
  Table algorithms(by_name);
  for (const Named& n : named) algorithms.add(cells(std::string(n.name), n.candidate, plan.bound_words));
  return candidates.text() + "\n" + algorithms.text();
}

json candidate_json(const plan::Candidate& c, double bound) {
  const gemm::Grid& g = c.schedule.grid;
  return {{"grid", {g.pm, g.pn, g.pk}},
          {"rounds", c.schedule.rounds.count},
          {"rounds_along", name(c.schedule.rounds.along)},
          {"seconds", c.predicted},
          {"words_max", c.totals.words_received},
          {"words_total", c.totals.words_total},
          {"max_to_bound", ratio_json(static_cast<double>(c.totals.words_received), bound)},
          {"messages_max", c.totals.messages_received},
          {"work", c.work},
          {"memory_bytes_per_rank", c.memory_bytes}};
}

json to_json(const MultiplyRequest& r, const TimedPlan& timed, const std::vector<Named>& named) {
  const plan::Plan& plan = timed.plan;
  json all = plan_json(r, timed);
  all["candidates"] = json::array();
  for (const plan::Candidate& c : plan.candidates) {
    all["candidates"].push_back(candidate_json(c, plan.bound_words));
    all["candidates"].back()["why"] = c.why;
  }
  all["algorithms"] = json::object();
  for (const Named& n : named)
    all["algorithms"][std::string(n.name)] = candidate_json(n.candidate, plan.bound_words);
  return all;
}

void draw(const std::string& file, const plan::Plan& plan, const std::string& algorithm) {
  std::ofstream out(file);
  out << brick_svg(plan, algorithm);
  out.close();
  require<IoError>(out.good(), "--draw is '{}', which cannot be written", file);
}

void run_in_layouts(const Options& o, const MultiplyRequest& request, int ranks) {
  require(o.draw.empty(), "--draw with --layout-*: the picture is of bricks in native layouts");
  const TimedPlacedPlan timed = make_placed_plan(request, o.layouts, ranks);
  if (!o.trace.empty()) write_trace_file(o.trace, simulated_trace_text(timed.plan, request.settings.machine));
  fmt::print("{}", o.json ? placed_json(request, timed).dump(2) + "\n" : placed_text(request, timed));
}

void run(const Options& o) {
  const MultiplyRequest request = read_request(o);
  if (!o.trace.empty()) check_trace_file(o.trace);
  const int ranks = o.ranks ? narrow<int>(*o.ranks, "--ranks") : usual_ranks();
  if (o.layouts.any()) return run_in_layouts(o, request, ranks);
  const TimedPlan timed = make_plan(request, ranks);
  const std::vector<Named> named = fixed_algorithms(request, ranks);
  if (!o.draw.empty()) draw(o.draw, timed.plan, request.algorithm);
  if (!o.trace.empty()) write_trace_file(o.trace, simulated_trace_text(timed.plan, request.settings.machine));
  if (o.json)
    fmt::print("{}\n", to_json(request, timed, named).dump(2));
  else
    fmt::print("{}\n{}", plan_text(request, timed), tables_text(timed.plan, named));
}

}  // namespace

void add_plan(Command app) {
  const Command plan =
      app.add_subcommand("plan", "What would be done, for any number of ranks, without doing it");
  plan.require_subcommand();
  auto o = std::make_shared<Options>();
  const Command multiply =
      plan.add_subcommand("multiply", "C := alpha op(A) op(B) + beta C: the schedule, its words and time");
  multiply.footer("example:\n  cairn plan multiply -m 4096 -n 4096 -k 65536 --ranks 1000 --draw bricks.svg");
  add_multiply_options(multiply, *o);
  add_size(multiply, "--ranks,-P", o->ranks, "Number of ranks (default: one a core, at least 2)");
  multiply.add_option("--draw", o->draw, "Write a picture of the bricks and the words of each rank")
      .type_name("FILE.svg");
  multiply
      .add_option(
          "--trace", o->trace,
          fmt::format("Write the simulated timeline, for chrome://tracing and Perfetto: of every rank "
                      "up to {}, beyond that of rank 0 and of the one that receives most words",
                      most_simulated_ranks))
      .type_name("FILE.json");
  add_layout_options(multiply, o->layouts);
  multiply.callback([o] { run(*o); });
}

}  // namespace cairn::cli
