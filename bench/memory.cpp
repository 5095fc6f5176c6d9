// Products under memory limits, from the least any schedule can do with to what the one with the fewest words
// takes: what was planned, what the pools counted, what the operating system saw, and the words that moved,
// beside the lower bound for that memory and the words of the best two-dimensional algorithm.
#include "bench/memory.hpp"

#include <malloc.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <memory>

#include "base/blas.hpp"
#include "bench/driver.hpp"
#include "bench/limited_grid.hpp"
#include "bench/native_product.hpp"
#include "bench/shape.hpp"
#include "bounds/classical.hpp"
#include "cli/arguments.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "plan/plan.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;

struct Options : RankedOptions {
  Options() : RankedOptions{.ranks = {8, 16, 64}} {}

  std::vector<std::string> shapes{"4096x4096x4096", "512x512x65536"};
  int steps = 8;
};

// ---- what the operating system sees
Index status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field + ":")) return 1024 * std::stoll(line.substr(field.size() + 1));
  fail("/proc/self/status has no {}", field);
}

// Memory of this process from now on, above what it has now.
class PeakAboveNow {
 public:
  PeakAboveNow() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak is what there is now
    start_ = status_bytes("VmRSS");
  }
  Index bytes() const { return status_bytes("VmHWM") - start_; }

 private:
  Index start_ = 0;
};

// ---- on the ranks
Index most(CommView c, Index value) {
  return static_cast<Index>(comm::allreduce(c.unchecked(), static_cast<double>(value), comm::ReduceOp::max));
}

plan::Settings fewest_words(std::optional<Index> limit) {
  return {.objective = Objective::words, .memory_bytes = limit, .candidates = 1};
}

// Of the best grid [pm, pn, 1] that fits, in as many rounds as it takes; none where none does.
std::optional<Index> two_dimensional_words(const gemm::Problem& p, int ranks, Index limit) {
  try {
    return plan_within_memory(p, ranks, fewest_words(limit), 1).best.totals.words_received;
  } catch (const MemoryError&) {
    return {};
  }
}

json run_step(CommView c, const gemm::Problem& p, Index limit) {
  const plan::Plan plan = plan::plan_multiply(p, c.size(), fewest_words(limit));
  const gemm::Schedule& s = plan.best.schedule;
  const PeakAboveNow peak;
  NativeProduct product(c, s, limit);
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  product.run();
  const comm::TrafficSnapshot moved = c.traffic().snapshot() - before;
  Index words = 0;
  for (const char* phase : {"gather A", "gather B", "combine C"}) words += moved.within(phase).received.words;
  const Index held = most(c, product.most_bytes()), seen = most(c, peak.bytes());
  const Index slack = limit / 20 + (Index{32} << 20);
  return {{"memory_limit", limit},
          {"grid", describe_bricks(s)},
          {"rounds", s.rounds.count},
          {"rounds_along", name(s.rounds.along)},
          {"planned_bytes", plan.best.memory_bytes},
          {"pool_bytes", held},
          {"os_bytes", seen},
          {"words", most(c, words)},
          {"words_planned", plan.best.totals.words_received},
          {"bound", plan.bound_words},
          {"error_over_allowed", product.worst_error()},
          {"within", held <= limit && seen <= limit + slack}};
}

json run_all(CommView c, const Options& o) {
  blas::set_threads(1);
  json rows = json::array();
  for (const std::string& shape : o.shapes) {
    const bounds::Product x = parse_shape(shape);
    const gemm::Problem p{.m = x.m, .n = x.n, .k = x.k};
    const auto least = static_cast<double>(plan::least_memory(p, c.size(), fewest_words({})));
    const auto ample =
        static_cast<double>(plan::plan_multiply(p, c.size(), fewest_words({})).best.memory_bytes);
    Index before = -1;
    for (int i = 0; i < o.steps; ++i) {
      const double share = o.steps > 1 ? static_cast<double>(i) / (o.steps - 1) : 0;
      const auto limit = static_cast<Index>(std::ceil(least * std::pow(ample / least, share)));
      json row = run_step(c, p, limit);
      const std::optional<Index> flat = two_dimensional_words(p, c.size(), limit);
      const auto words = row["words"].get<Index>();
      row.update(json{{"m", p.m}, {"n", p.n}, {"k", p.k}, {"ranks", c.size()}});
      row["words_2d"] = flat ? json(*flat) : json(nullptr);
      row["no_more_than_before"] = before < 0 || words <= before;
      row["no_more_than_2d"] = !flat || words <= *flat;
      before = words;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

// ---- output
std::string verdict(const json& r) {
  if (!r["within"].get<bool>()) return "TOO MUCH MEMORY";
  if (!r["no_more_than_before"].get<bool>()) return "MORE WORDS THAN WITH LESS MEMORY";
  if (!r["no_more_than_2d"].get<bool>()) return "MORE WORDS THAN 2D";
  return r["words"] == r["words_planned"] ? "as planned" : "WORDS NOT AS PLANNED";
}

void print(const json& rows, bool as_json) {
  if (as_json) return fmt::print("{}\n", json{{"rows", rows}}.dump(1));
  cli::Table table({"m x n x k", "ranks", "limit, MB", "planned", "pools", "system", "grid", "rounds",
                    "words, busiest", "2D", "bound", "/bound", "error/allowed", ""});
  table.last_is_text();
  const auto megabytes = [](const json& bytes) { return fmt::format("{:.2f}", bytes.get<double>() / 1e6); };
  for (const json& r : rows)
    table.add({fmt::format("{} x {} x {}", r["m"].get<Index>(), r["n"].get<Index>(), r["k"].get<Index>()),
               std::to_string(r["ranks"].get<int>()), megabytes(r["memory_limit"]),
               megabytes(r["planned_bytes"]), megabytes(r["pool_bytes"]), megabytes(r["os_bytes"]), r["grid"],
               fmt::format("{} {}", r["rounds"].get<Index>(), r["rounds_along"].get<std::string>()),
               std::to_string(r["words"].get<Index>()), r["words_2d"].dump(),
               fmt::format("{:.0f}", r["bound"].get<double>()),
               fmt::format("{:.2f}", r["words"].get<double>() / std::max(1.0, r["bound"].get<double>())),
               fmt::format("{:.2g}", r["error_over_allowed"].get<double>()), verdict(r)});
  fmt::print("{}", table.text());
}

}  // namespace

void add_memory(cli::Command bench, cli::Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const cli::Command app = bench.add_subcommand(
      "memory", "Products under memory limits from the least possible on: memory held and words moved");
  add_ranked_options(app, *o);
  add_shapes(app, o->shapes);
  app.add_option("--steps", o->steps, "Limits between the least and the ample (default 8)").at_least(1);
  app.callback([o, &invocation] {
    for (const std::string& shape : o->shapes) parse_shape(shape);
    run_bench("memory", {.options = *o, .run = [&](CommView c) { return run_all(c, *o); }, .print = &print},
              invocation);
  });
}

}  // namespace cairn::bench
