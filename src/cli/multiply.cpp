// cairn multiply: plan, run, count, verify.
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <span>

#include "cli/commands.hpp"
#include "cli/measure.hpp"
#include "cli/multiply_files.hpp"
#include "cli/multiply_placed.hpp"
#include "cli/multiply_report.hpp"
#include "cli/session.hpp"
#include "cli/trace_file.hpp"
#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using nlohmann::json;

struct Options : MultiplyOptions {
  std::string alpha = "1", beta = "0";
  MultiplyFiles files;
  LayoutTexts layouts;
  std::string trace;
  int repeat = 3;
  int verify_rounds = gemm::VerifyOptions{}.rounds;
  bool no_verify = false;
  bool progress = false;
};

// "2" or "1.5,-2"
std::complex<double> parse_scalar(std::string_view name, const std::string& text, ScalarType type) {
  const auto wrong = [&](const char* expected) { fail("{} is '{}', expected {}", name, text, expected); };
  const std::size_t comma = text.find(',');
  double re = 0, im = 0;
  if (!read_number(text.substr(0, comma), re)) wrong("a number, or RE,IM for complex types");
  if (comma == std::string::npos) return re;
  if (!read_number(text.substr(comma + 1), im)) wrong("a number, or RE,IM for complex types");
  if (type == ScalarType::f32 || type == ScalarType::f64) wrong("one number: --type is real");
  return {re, im};
}

template <Scalar T>
T as_scalar(std::complex<double> x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return T(x);
  else
    return static_cast<T>(x.real());
}

struct Job {
  MultiplyRequest request;
  std::complex<double> alpha, beta;
};

Job read_job(const Options& o, MultiplyRequest request) {
  require(o.verify_rounds <= gemm::VerifyOptions::most_rounds, "--verify-rounds is {}, expected 1 to {}",
          o.verify_rounds, gemm::VerifyOptions::most_rounds);
  Job job{std::move(request), 1, 0};
  gemm::Problem& p = job.request.problem;
  job.alpha = parse_scalar("--alpha", o.alpha, p.type);
  job.beta = parse_scalar("--beta", o.beta, p.type);
  p.alpha = gemm::kind_of(job.alpha);
  p.beta = gemm::kind_of(job.beta);
  return job;
}

// What can be known without looking into files. Their sizes and their type are not: any factor fits the type.
Job read_job(Options& o) {
  const bool in_files = o.files.any_input();
  Job job = in_files ? read_job(o, read_request(o, {}, given_type(o).value_or(ScalarType::c64)))
                     : read_job(o, read_request(o));
  check_files(o.files, job.beta != 0.0);
  require(!o.layouts.any() || (!in_files && o.files.out.empty()),
          "--layout-* with --a, --b, --c or --out: files are read into native layouts");
  return job;
}

// Collective.
Job read_job_with_files(CommView c, const Options& o, const Job& known) {
  const gemm::Problem& p = known.request.problem;
  const FoundProduct found = find_product(c, o.files, {o.product, p.op_a, p.op_b, given_type(o)});
  return read_job(o, read_request(o, found.sizes, found.type));
}

// All ranks plan for the machine that rank 0 knows.
void share_machine(CommView c, bounds::Machine& m) {
  std::array<double, 4> values{m.alpha, m.beta, m.gamma, m.memory_words};
  comm::broadcast(c, std::span<double>(values), 0);
  m = {values[0], values[1], values[2], values[3]};
}

// One line on a terminal that is written over, once a second has passed.
class Progress {
 public:
  explicit Progress(bool wanted) : wanted_(wanted) {}
  ~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(int step, int steps) {
    const double passed = seconds_now() - start_;
    if (!wanted_ || passed < 1) return;
    const double left = passed / std::max(1, step) * (steps - step);
    std::fprintf(stderr, "\r\033[Kmultiply %d of %d, %.0f s passed, about %.0f s left", step + 1, steps,
                 passed, left);
    std::fflush(stderr);
    shown_ = true;
  }

 private:
  bool wanted_, shown_ = false;
  double start_ = seconds_now();
};

bool run_in_layouts(CommView c, const Options& o, const Job& job) {
  share_cores(c);
  return run_placed(c, job.request, make_placed_plan(job.request, o.layouts, c.size()),
                    {job.alpha, job.beta, o.repeat, o.no_verify ? 0 : o.verify_rounds, o.json, o.trace});
}

// True if the result is right, or was not looked at.
bool run(CommView c, const Options& o, Job job) {
  if (!o.trace.empty()) check_trace_file(c, o.trace);
  if (o.files.any_input()) job = read_job_with_files(c, o, job);
  share_machine(c, job.request.settings.machine);
  if (o.layouts.any()) return run_in_layouts(c, o, job);
  const int threads = share_cores(c);
  const TimedPlan timed = make_plan(job.request, c.size());
  const gemm::Schedule& schedule = timed.plan.best.schedule;
  MultiplyOutcome outcome;
  gemm::Trace trace;
  {
    Progress progress(c.rank() == 0 && (o.progress || isatty(STDERR_FILENO) == 1));
    const MultiplyRun how{o.files, o.repeat, o.no_verify ? 0 : o.verify_rounds,
                          [&](int step, int steps) { progress.show(step, steps); },
                          o.trace.empty() ? nullptr : &trace};
    outcome = dispatch(job.request.problem.type, [&]<class T>() {
      return run_multiply<T>(c, schedule, as_scalar<T>(job.alpha), as_scalar<T>(job.beta), how);
    });
  }
  if (!o.trace.empty())
    write_trace_file(
        c, o.trace, trace.events(), [&](int rank) { return rank_name(schedule, rank); },
        about_trace(schedule, "measured"));
  const MultiplyResult result{job.request, timed, outcome, o.files, threads, o.verify_rounds, o.trace};
  if (c.rank() == 0) fmt::print("{}", o.json ? result_json(result).dump(2) + "\n" : result_text(result));
  if (c.rank() == 0 && !outcome.right())
    fmt::print(stderr, "cairn: the product is wrong: {}\n", describe(*outcome.verdict));
  return outcome.right();
}

}  // namespace

void add_multiply(Command app, Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const Command command = app.add_subcommand(
      "multiply", "C := alpha op(A) op(B) + beta C in native layouts, on random matrices or files");
  command.footer(
      "examples:\n  cairn multiply -m 4096 -n 4096 -k 4096 --ranks 2\n"
      "  cairn multiply --a a.npy --b b.npy --op-b T --out c.npy --ranks 2");
  add_multiply_options(command, *o);
  add_size(command, "--ranks,-P", o->ranks,
           "Ranks to start (default: one a core, at least 2); ignored under mpirun");
  command.add_option("--alpha", o->alpha, "Factor of the product (default 1)").type_name("RE[,IM]");
  command.add_option("--beta", o->beta, "Factor of C (default 0)").type_name("RE[,IM]");
  command.add_option("--repeat", o->repeat, "Times to run it; medians count (default 3)").at_least(1);
  command
      .add_option("--verify-rounds", o->verify_rounds,
                  "Random vectors the result is checked with (default 2)")
      .type_name("R")
      .at_least(1);
  command.add_flag("--no-verify", o->no_verify, "Do not check the result");
  add_file_options(command, o->files);
  add_layout_options(command, o->layouts);
  command
      .add_option("--trace", o->trace,
                  "Write what each rank did when in the last run, for chrome://tracing and Perfetto")
      .type_name("FILE.json");
  command.add_flag("--progress", o->progress, "Show on stderr how far it is (default: on a terminal)");
  command.callback([o, &invocation] {
    const Job job = read_job(*o);  // wrong arguments are found here, before any rank is started
    const int ranks = o->ranks ? narrow<int>(*o->ranks, "--ranks") : usual_ranks();
    if (!under_launcher()) {
      if (!o->trace.empty()) check_trace_file(o->trace);
      if (o->layouts.any())
        make_placed_plan(job.request, o->layouts, ranks);
      else if (!o->files.any_input())
        make_plan(job.request, ranks);
      relaunch(ranks, with_progress(invocation.arguments));
    }
    bool right = true;
    const int code = run_on_ranks(invocation.watchdog_seconds, [&](CommView c) { right = run(c, *o, job); });
    invocation.exit_code = right ? code : 1;
  });
}

}  // namespace cairn::cli
