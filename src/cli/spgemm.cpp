// cairn spgemm: a sparse product, planned, run, counted, checked.
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "cli/spgemm_data.hpp"
#include "cli/spgemm_report.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;

template <Scalar T>
void execute_spgemm(CommView c, const SpgemmRequest& o) {
  const int threads = share_cores(c);
  const SpgemmMeasured<T> m = measure_spgemm<T>(c, o, threads);
  const SpgemmSummary summary = summarise_spgemm(c, o, m);
  if (c.rank() == 0) fmt::print("{}\n", o.json ? spgemm_json(o, summary).dump(2) : spgemm_text(o, summary));
  require<ResultError>(!summary.verdict || summary.verdict->passed,
                       "row {} of C is wrong: residual {}, tolerance {}", summary.verdict->row,
                       summary.verdict->residual, summary.verdict->tolerance);
}

void plan_only(CommView c, const SpgemmRequest& o) {
  const sparse::SpgemmPlan plan = plan_spgemm_for<double>(c, o);
  if (c.rank() != 0) return;
  if (o.json)
    fmt::print("{}\n", spgemm_plan_json(plan, c.size()).dump(2));
  else
    fmt::print("{}", plan.explain());
}

void run_spgemm(CommView c, const SpgemmRequest& o) {
  if (o.plan_only) return plan_only(c, o);
  dispatch(parse_scalar_type(o.type), [&]<class T>() { execute_spgemm<T>(c, o); });
}

void check_request(const SpgemmRequest& o) {
  require(o.generator.empty() != o.a.empty(), "expected either --gen or --a");
  require(o.b.empty() || !o.a.empty(), "--b is given without --a");
  if (!o.generator.empty()) sparse::parse_generator(o.generator);
  if (!o.generator_b.empty()) sparse::parse_generator(o.generator_b);
  sparse::parse_spgemm_algorithm(o.algorithm);
  sparse::parse_semiring(o.semiring);
  parse_scalar_type(o.type);
}

}  // namespace

void add_spgemm(Command app, Invocation& invocation) {
  auto o = std::make_shared<SpgemmRequest>();
  const Command command = app.add_subcommand("spgemm", "Multiply sparse matrices");
  command.footer(
      "examples:\n  cairn spgemm --gen \"er n=65536 d=8\" --ranks 16\n"
      "  cairn spgemm --a A.mtx --b B.mtx --out C.mtx --algorithm aware-2d\n"
      "  cairn spgemm --gen \"rmat scale=14 d=8\" --ranks 16 --plan-only");
  command.add_option("--a", o->a, "File with A: .mtx, .mtx.gz or .npz");
  command.add_option("--b", o->b, "File with B (default: A)");
  command.add_option("--out", o->out, "File for C");
  command.add_option("--gen", o->generator,
                     "Make A: er n=65536 d=8 | rmat scale=14 d=8 | stencil5 nx=256 ...");
  command.add_option("--gen-b", o->generator_b, "Make B (default: A)");
  command.add_option("--algorithm", o->algorithm, "auto, block-row, aware-2d, ... (default auto)");
  command.add_option("--layers", o->layers, "Layers of a 3D algorithm").at_least(1);
  command.add_option("--memory", o->memory, "Most bytes a rank may hold").at_least(1);
  command.add_option("--semiring", o->semiring, "plus-times, min-plus, max-plus, or-and, plus-pair");
  command.add_option("--mask", o->mask, "File: compute C only where it has entries");
  command.add_flag("--mask-complement", o->mask_complement, "... only where it has none");
  command.add_option(
      "--layout", o->layout,
      "Where A and B are: native (made where the algorithm wants them), rows, columns, 2d PRxPC, "
      "on RANK (default native)");
  command.add_option("--objective", o->objective, "bytes or time (default bytes)").one_of({"bytes", "time"});
  command.add_option("--type", o->type, "s, d, c or z (default d)");
  command.add_option("--verify", o->verify, "Rounds of the check of the result (default 2)").at_least(0);
  command.add_option("--repeat", o->repeat, "Times to run it (default 3)").at_least(1);
  command.add_option("--ranks", o->ranks, "Ranks to start (default 4); ignored under mpirun").at_least(1);
  command.add_flag("--plan-only", o->plan_only, "Measure the inputs, plan and explain; multiply nothing");
  command.add_flag("--json", o->json, "Print one JSON object");
  command.callback([o, &invocation] {
    check_request(*o);
    if (!under_launcher()) relaunch(o->ranks, invocation.arguments);
    invocation.exit_code = run_on_ranks(invocation.watchdog_seconds, [&](CommView c) { run_spgemm(c, *o); });
  });
}

}  // namespace cairn::cli
