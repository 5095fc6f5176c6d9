// cairn fast multiply: a product of random matrices by a fast schedule, measured, counted and checked.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bench/driver.hpp"
#include "bench/fast_product.hpp"
#include "cli/commands.hpp"
#include "cli/fast_options.hpp"
#include "cli/session.hpp"
#include "comm/collectives.hpp"
#include "gemm/fast/choose.hpp"
#include "program/count.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;
namespace fast = gemm::fast;

struct FastRunOptions : FastCommand {
  int repeat = 3;
  int samples = 50;
};

Index most_of(comm::CommView c, Index value) {
  return comm::allreduce(c.unchecked(), value, comm::ReduceOp::max);
}

template <Scalar T>
json run_product(comm::CommView c, const fast::FastSchedule& s, const FastRunOptions& o) {
  bench::FastProduct<T> product(c, s);
  product.run();
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  std::vector<double> times;
  for (int i = 0; i < o.repeat; ++i) times.push_back(bench::slowest(c, [&] { product.run(); }));
  comm::Counters moved;
  for (const std::string& phase : product.program().phases)
    moved += (c.traffic().snapshot() - before).within(phase);
  const program::Counts counts = program::count(product.program());
  const Index wrong = moved.sent.words == o.repeat * counts.total().sent.words ? 0 : 1;
  return {{"seconds", bench::median(times)},
          {"words_sent", most_of(c, counts.total().sent.words)},
          {"words_received", most_of(c, counts.total().received.words)},
          {"messages_sent", most_of(c, counts.total().sent.messages)},
          {"counted_is_traffic", most_of(c, wrong) == 0},
          {"work_bytes", most_of(c, counts.work_bytes)},
          {"error_over_bound", product.worst_error(o.samples)}};
}

void print_run(const json& r, const fast::FastSchedule& s, bool as_json) {
  if (as_json) return fmt::print("{}\n", r.dump(1));
  fmt::print("{}\n{:.4g} s, {:.1f} Gflop/s by classical count\n", fast::describe(s),
             r["seconds"].get<double>(), r["gflops"].get<double>());
  fmt::print("words sent, busiest rank: {} (counted before the run; {})\n", r["words_sent"].get<Index>(),
             r["counted_is_traffic"].get<bool>() ? "Traffic agrees" : "TRAFFIC DISAGREES");
  fmt::print("error: {:.2g} of the bound {:.3g} max|A| max|B|\n", r["error_over_bound"].get<double>(),
             r["error_bound"].get<double>());
}

void run_fast(comm::CommView c, const FastRunOptions& o) {
  share_cores(c);
  const gemm::Problem p = o.problem();
  const fast::FastSchedule s = fast::candidates(p, c.size(), o.options()).front().schedule;
  json row = dispatch(p.type, [&]<Scalar T>() { return run_product<T>(c, s, o); });
  row.update(
      json{{"m", p.m},
           {"n", p.n},
           {"k", p.k},
           {"ranks", c.size()},
           {"schedule", fast::order_of(s.steps)},
           {"levels", s.steps.size() + s.local.size()},
           {"error_bound", fast::error_bound(s).product * fast::unit_roundoff(p.type)},
           {"gflops", gemm::voxels(p) * flops_per_voxel(p.type) / row["seconds"].get<double>() / 1e9}});
  if (c.rank() == 0) print_run(row, s, o.json);
  require(row["error_over_bound"].get<double>() <= 1 && row["counted_is_traffic"].get<bool>(),
          "the product is wrong, or moved a different number of words than counted");
}

}  // namespace

void add_fast_multiply(Command fast_command, Invocation& invocation) {
  auto o = std::make_shared<FastRunOptions>();
  const Command app =
      fast_command.add_subcommand("multiply", "Multiply random matrices by a fast schedule, and check it");
  add_fast_command(app, *o);
  app.add_option("--repeat", o->repeat, "Timed runs").at_least(1);
  app.add_option("--samples", o->samples, "Elements of C that each rank computes anew").at_least(1);
  app.callback([o, &invocation] {
    if (!under_launcher()) relaunch(narrow<int>(o->ranks, "--ranks"), invocation.arguments);
    invocation.exit_code =
        run_on_ranks(invocation.watchdog_seconds, [&](comm::CommView c) { run_fast(c, *o); });
  });
}

}  // namespace cairn::cli
