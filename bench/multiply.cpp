// Multiplies in native layouts, beside the same products of the ranks by the local BLAS alone on all ranks at
// once, and beside ScaLAPACK's pdgemm on its best process grid: interleaved in one run, medians of the
// slowest rank's time, one BLAS thread per rank. Small products are also compared with one rank that does all of
// it alone.
#include "bench/multiply.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/blas.hpp"
#include "bench/block_cyclic_product.hpp"
#include "bench/driver.hpp"
#include "bench/native_product.hpp"
#include "bench/shape.hpp"
#include "cli/arguments.hpp"
#include "cli/local_product.hpp"
#include "cli/measured_machine.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "plan/plan.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;

struct Options : RankedOptions {
  Options() : RankedOptions{.ranks = {2, 4, 7, 8}} {}

  std::vector<std::string> shapes{"4096x4096x4096", "512x512x65536", "300x300x300"};
  double seconds = 60;
  Index block = 128;
  std::string machine;
  bool overlap = false;
  bool no_peer = false;
};

constexpr double alone_below = 1e9;  // voxels: larger ones would take long on one rank

// ---- ScaLAPACK
// The process grid that is fastest in one try each.
std::unique_ptr<BlockCyclicProduct> best_peer(CommView c, const ScaLapack& library, const bounds::Product& p,
                                              Index block) {
  std::unique_ptr<BlockCyclicProduct> best;
  double least = 1e300;
  for (int rows = 1; rows <= c.size(); ++rows) {
    if (c.size() % rows != 0) continue;
    auto peer =
        std::make_unique<BlockCyclicProduct>(c, library, in_square_blocks(p, {rows, c.size() / rows}, block));
    slowest(c, [&] { peer->run(); });
    const double seconds = slowest(c, [&] { peer->run(); });
    if (seconds < least) least = seconds, best = std::move(peer);
  }
  return best;
}

// ---- one row
double goal(const bounds::Product& p, int ranks) {
  if (bounds::voxels(p) < alone_below) return 0;  // compared with one rank alone instead
  return std::cmp_less_equal(ranks, std::thread::hardware_concurrency()) ? 0.97 : 0.94;
}

gemm::Schedule overlapped(const bounds::Product& p, int ranks, const Machine& machine) {
  return plan::plan_multiply({.m = p.m, .n = p.n, .k = p.k}, ranks, {.machine = machine, .overlap = true})
      .best.schedule;
}

json run_row(CommView c, const bounds::Product& p, const Options& o, const Machine& machine,
             const ScaLapack* library) {
  const plan::Plan plan = plan::plan_multiply({.m = p.m, .n = p.n, .k = p.k}, c.size(), {.machine = machine});
  const gemm::Schedule& s = plan.best.schedule;
  NativeProduct ours(c, s);
  const cli::LocalProduct<double> local(s, c.rank());
  const cli::LocalProduct<double> whole({.problem = s.problem, .grid = {1, 1, 1}},
                                        bounds::voxels(p) < alone_below ? c.rank() : c.size());
  const std::unique_ptr<BlockCyclicProduct> peer =
      library != nullptr ? best_peer(c, *library, p, o.block) : nullptr;
  const gemm::Schedule ahead = o.overlap ? overlapped(p, c.size(), machine) : s;
  std::optional<NativeProduct> overlapping;
  if (o.overlap) overlapping.emplace(c, ahead);
  std::vector<Way> ways{[&] { ours.run(); }, [&] { local.run(); }};
  if (o.overlap) ways.push_back([&] { overlapping->run(); });
  if (bounds::voxels(p) < alone_below) ways.push_back([&] { whole.run(); });
  if (peer) ways.push_back([&] { peer->run(); });
  const Timings times = interleaved(c, ways, o.seconds, 5, 1001);
  const bool alone = bounds::voxels(p) < alone_below;
  json row{{"m", p.m},
           {"n", p.n},
           {"k", p.k},
           {"ranks", c.size()},
           {"grid", describe_bricks(s)},
           {"words_busiest", plan.best.totals.words_received},
           {"words_to_bound", plan.ratio},
           {"seconds", times.median(0)},
           {"local_seconds", times.median(1)},
           {"share_of_local", times.ratio(1, 0)},
           {"goal", goal(p, c.size())},
           {"error_over_allowed", ours.worst_error()}};
  if (o.overlap) {
    row["overlap"] = {{"schedule", describe(ahead)},
                      {"seconds", times.median(2)},
                      {"times_faster_than_without", times.ratio(0, 2)},
                      {"error_over_allowed", overlapping->worst_error()}};
  }
  if (alone) row["over_one_rank"] = times.ratio(0, o.overlap ? 3 : 2);
  if (peer) {
    row["peer_grid"] = peer->product().grid.text();
    const std::size_t last = ways.size() - 1;
    row["peer_seconds"] = times.median(last);
    row["peer_share_of_local"] = times.ratio(1, last);
    row["times_faster"] = times.ratio(last, 0);
    if (o.overlap) row["overlap"]["times_faster"] = times.ratio(last, 2);
  }
  return row;
}

json run_all(CommView c, const Options& o) {
  blas::set_threads(1);
  std::optional<ScaLapack> library;
  if (!o.no_peer) library.emplace();
  const Machine machine = cli::machine_on(c, o.machine).machine;
  json rows = json::array();
  for (const std::string& shape : o.shapes)
    rows.push_back(run_row(c, parse_shape(shape), o, machine, library ? &*library : nullptr));
  return rows;
}

// ---- output
std::string verdict(const json& r) {
  if (r.contains("over_one_rank"))
    return fmt::format("{:.2f} of one rank's time (1.10): {}", r["over_one_rank"].get<double>(),
                       r["over_one_rank"].get<double>() <= 1.10 ? "reached" : "missed");
  return fmt::format("{:.2f}: {}", r["goal"].get<double>(),
                     r["share_of_local"].get<double>() >= r["goal"].get<double>() ? "reached" : "missed");
}

void print(const json& rows, bool as_json) {
  if (as_json) return fmt::print("{}\n", json{{"rows", rows}}.dump(1));
  cli::Table table({"m x n x k", "ranks", "grid", "words, busiest", "/bound", "seconds", "local BLAS",
                    "share", "pdgemm on", "its seconds", "its share", "times faster", "error/allowed",
                    "goal"});
  const auto number = [](const json& r, const char* key, const char* format) {
    return r.contains(key) ? fmt::format(fmt::runtime(format), r[key].get<double>()) : std::string("-");
  };
  for (const json& r : rows)
    table.add({fmt::format("{} x {} x {}", r["m"].get<Index>(), r["n"].get<Index>(), r["k"].get<Index>()),
               std::to_string(r["ranks"].get<int>()), r["grid"],
               std::to_string(r["words_busiest"].get<Index>()), number(r, "words_to_bound", "{:.3f}"),
               number(r, "seconds", "{:.6f}"), number(r, "local_seconds", "{:.6f}"),
               number(r, "share_of_local", "{:.3f}"), r.value("peer_grid", "-"),
               number(r, "peer_seconds", "{:.6f}"), number(r, "peer_share_of_local", "{:.3f}"),
               number(r, "times_faster", "{:.2f}"), number(r, "error_over_allowed", "{:.2g}"), verdict(r)});
  fmt::print("{}\n{}\n", table.text(), blas::library().version);
  for (const json& r : rows) {
    if (!r.contains("overlap")) continue;
    const json& x = r["overlap"];
    fmt::print("overlapped: {}: {:.6f} s, {:.2f} times as fast as without", x["schedule"].get<std::string>(),
               x["seconds"].get<double>(), x["times_faster_than_without"].get<double>());
    if (x.contains("times_faster")) fmt::print(", {:.2f} as pdgemm", x["times_faster"].get<double>());
    fmt::print("; error {:.2g} of what is allowed\n", x["error_over_allowed"].get<double>());
  }
}

}  // namespace

void add_multiply(cli::Command bench, cli::Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const cli::Command app = bench.add_subcommand(
      "multiply", "Native multiplies beside the local BLAS on all ranks at once, and ScaLAPACK's pdgemm");
  add_ranked_options(app, *o);
  add_shapes(app, o->shapes);
  app.add_option("--seconds", o->seconds, "Seconds to spend on a row, 5 rounds at least (default 60)")
      .non_negative();
  app.add_option("--block", o->block, "Block size of ScaLAPACK's layout (default 128)").at_least(1);
  app.add_flag("--overlap", o->overlap, "Also in rounds whose words move while others multiply");
  app.add_option("--machine", o->machine,
                 "Plan for the machine of this file (default: the one that was measured)")
      .type_name("FILE|built-in");
  app.add_flag("--no-peer", o->no_peer, "Without ScaLAPACK");
  app.callback([o, &invocation] {
    for (const std::string& shape : o->shapes) parse_shape(shape);
    run_bench("multiply", {.options = *o, .run = [&](CommView c) { return run_all(c, *o); }, .print = &print},
              invocation);
  });
}

}  // namespace cairn::bench
