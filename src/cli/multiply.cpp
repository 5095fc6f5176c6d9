// cairn multiply: plan, run, count, verify.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>

#include "cli/commands.hpp"
#include "cli/measure.hpp"
#include "cli/multiply_run.hpp"
#include "cli/plan_report.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using nlohmann::json;

struct Options : MultiplyOptions {
  std::string alpha = "1", beta = "0";
  int repeat = 3;
  int verify_rounds = gemm::VerifyOptions{}.rounds;
  bool no_verify = false;
};

// ---- arguments
// --------------------------------------------------------------------------------------------- "2" or
// "1.5,-2"
std::complex<double> parse_scalar(std::string_view name, const std::string& text, ScalarType type) {
  const auto wrong = [&](const char* expected) { fail("{} is '{}', expected {}", name, text, expected); };
  const std::size_t comma = text.find(',');
  double re = 0, im = 0;
  if (!CLI::detail::lexical_cast(text.substr(0, comma), re)) wrong("a number, or RE,IM for complex types");
  if (comma == std::string::npos) return re;
  if (!CLI::detail::lexical_cast(text.substr(comma + 1), im)) wrong("a number, or RE,IM for complex types");
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

Job read_job(const Options& o) {
  require(o.verify_rounds <= gemm::VerifyOptions::most_rounds, "--verify-rounds is {}, expected 1 to {}",
          o.verify_rounds, gemm::VerifyOptions::most_rounds);
  Job job{read_request(o), 1, 0};
  gemm::Problem& p = job.request.problem;
  job.alpha = parse_scalar("--alpha", o.alpha, p.type);
  job.beta = parse_scalar("--beta", o.beta, p.type);
  p.alpha = gemm::kind_of(job.alpha);
  p.beta = gemm::kind_of(job.beta);
  return job;
}

// All ranks plan for the machine that rank 0 knows.
void share_machine(CommView c, model::Machine& m) {
  std::array<double, 4> values{m.alpha, m.beta, m.gamma, m.memory_words};
  comm::broadcast(c, std::span<double>(values), 0);
  m = {values[0], values[1], values[2], values[3]};
}

// ---- progress
// ---------------------------------------------------------------------------------------------- One line on
// a terminal that is written over, once a second has passed.
class Progress {
 public:
  explicit Progress(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) == 1) {}
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

// ---- results
// -----------------------------------------------------------------------------------------------
struct Result {
  const plan::Plan& plan;
  const MultiplyOutcome& outcome;
  int threads;
  int verify_rounds;

  double median(std::vector<double> v) const {
    std::ranges::sort(v);
    return v.size() % 2 == 1 ? v[v.size() / 2] : (v[v.size() / 2 - 1] + v[v.size() / 2]) / 2;
  }
  double seconds() const { return median(outcome.seconds); }
  double local_seconds() const { return median(outcome.local_seconds); }
  double flops() const {
    const gemm::Problem& p = plan.best.schedule.problem;
    if (!p.multiplies()) return 0;
    const double per_voxel =
        dispatch(p.type, []<class T>() -> double { return ScalarTraits<T>::flops_per_voxel; });
    return per_voxel * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  }
  double rate() const { return seconds() > 0 ? flops() / seconds() : 0; }
  double share_of_local() const { return seconds() > 0 ? local_seconds() / seconds() : 0; }
  double mean(Index total) const {
    return static_cast<double>(total) / static_cast<double>(plan.best.totals.ranks);
  }
  const comm::TrafficRow* phase(std::string_view name) const {
    const auto found = std::ranges::find(outcome.traffic, name, &comm::TrafficRow::phase);
    return found == outcome.traffic.end() ? nullptr : &*found;
  }
};

json spread_json(const Result& r, const comm::Spread& s) {
  return {{"total", s.total}, {"mean", r.mean(s.total)}, {"max", s.max}};
}

json to_json(const MultiplyRequest& request, const Result& r) {
  json all = plan_json(request, r.plan);
  const comm::TrafficRow& total = r.outcome.traffic.back();
  all["words"]["sent"] = spread_json(r, total.words_sent);
  all["words"]["received"] = spread_json(r, total.words_received);
  all["messages"]["sent"] = spread_json(r, total.messages_sent);
  all["messages"]["received"] = spread_json(r, total.messages_received);
  all["seconds"]["median"] = r.seconds();
  all["seconds"]["min"] = std::ranges::min(r.outcome.seconds);
  all["seconds"]["local_blas"] = r.local_seconds();
  for (const PhaseTime& p : r.outcome.phases) all["seconds"]["phases"][p.phase] = p.seconds;
  all["threads_per_rank"] = r.threads;
  all["repeat"] = r.outcome.seconds.size();
  all["gflops"] = 1e-9 * r.rate();
  all["share_of_local_blas"] = r.share_of_local();
  const auto& verdict = r.outcome.verdict;
  all["verified"] = verdict ? json(verdict->passed) : json(nullptr);
  if (verdict) all["error_over_allowed"] = verdict->error_over_allowed();
  if (verdict) all["verify_rounds"] = r.verify_rounds;
  return all;
}

std::string words_table(const Result& r) {
  const plan::Plan& plan = r.plan;
  Table table({"words", "busiest rank", "mean", "all ranks", "busiest/bound", "mean/bound"});
  const auto add = [&](const char* what, Index busiest, Index total) {
    table.add({what, std::to_string(busiest), number_text(r.mean(total)), std::to_string(total),
               ratio_text(static_cast<double>(busiest), plan.bound_words),
               ratio_text(r.mean(total), plan.bound_words)});
  };
  const comm::TrafficRow& total = r.outcome.traffic.back();
  add("counted before", plan.best.totals.words_received, plan.best.totals.words_total);
  add("received", total.words_received.max, total.words_received.total);
  add("sent", total.words_sent.max, total.words_sent.total);
  table.add({"bound", number_text(plan.bound_words)});
  return table.text();
}

std::string phases_table(const Result& r) {
  const auto predicted = predicted_phases(r.plan);
  Table table({"phase", "seconds", "predicted", "words received, busiest", "messages received, busiest"});
  for (std::size_t i = 0; i < r.outcome.phases.size(); ++i) {
    const PhaseTime& p = r.outcome.phases[i];
    const comm::TrafficRow* moved = r.phase(p.phase);
    table.add({p.phase, fmt::format("{:.6f}", p.seconds), fmt::format("{:.6f}", predicted[i].second),
               moved != nullptr ? std::to_string(moved->words_received.max) : "0",
               moved != nullptr ? std::to_string(moved->messages_received.max) : "0"});
  }
  return table.text();
}

std::string summary_text(const Result& r) {
  const std::size_t runs = r.outcome.seconds.size();
  std::string text =
      fmt::format("{} run{}, {} BLAS thread{} a rank: median {:.6f} s, least {:.6f} s, {}\n", runs,
                  runs == 1 ? "" : "s", r.threads, r.threads == 1 ? "" : "s", r.seconds(),
                  std::ranges::min(r.outcome.seconds), with_unit(r.rate(), "flop/s"));
  if (r.flops() > 0)
    text += fmt::format(
        "the local BLAS alone, all ranks at once: {:.6f} s; the multiply has {:.3f} of its rate\n",
        r.local_seconds(), r.share_of_local());
  const auto& verdict = r.outcome.verdict;
  if (!verdict) return text + "not verified\n";
  text += fmt::format("verified with {} random vector{}: {} (largest error {:.2g} of what rounding allows)\n",
                      r.verify_rounds, r.verify_rounds == 1 ? "" : "s", verdict->passed ? "right" : "WRONG",
                      verdict->error_over_allowed());
  if (verdict->unchecked_rows > 0)
    text += fmt::format("{} rows of C could not be checked: numbers there are not finite\n",
                        verdict->unchecked_rows);
  return text;
}

void print(const MultiplyRequest& request, const Result& r, bool as_json) {
  if (as_json)
    fmt::print("{}\n", to_json(request, r).dump(2));
  else
    fmt::print("{}\n{}\n{}\n{}", plan_text(request, r.plan), words_table(r), phases_table(r),
               summary_text(r));
}

// True if the result is right, or was not looked at.
bool run(CommView c, const Options& o, Job job) {
  share_machine(c, job.request.settings.machine);
  const int threads = share_cores(c);
  const plan::Plan plan = make_plan(job.request, c.size());
  MultiplyOutcome outcome;
  {
    Progress progress(c.rank() == 0 && !o.json);
    const MultiplyRun how{o.repeat, o.no_verify ? 0 : o.verify_rounds,
                          [&](int step, int steps) { progress.show(step, steps); }};
    outcome = dispatch(job.request.problem.type, [&]<class T>() {
      return run_multiply<T>(c, plan.best.schedule, as_scalar<T>(job.alpha), as_scalar<T>(job.beta), how);
    });
  }
  const Result result{plan, outcome, threads, o.verify_rounds};
  const bool right = !outcome.verdict || outcome.verdict->passed;
  if (c.rank() == 0) print(job.request, result, o.json);
  if (c.rank() == 0 && !right)
    fmt::print(stderr, "cairn: the product is wrong: {}\n", describe(*outcome.verdict));
  return right;
}

}  // namespace

void add_multiply(CLI::App& app, Invocation& invocation) {
  auto o = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("multiply", "C := alpha op(A) op(B) + beta C on random matrices, in native layouts");
  command->footer("example:\n  cairn multiply -m 4096 -n 4096 -k 4096 --ranks 2");
  add_multiply_options(*command, *o);
  add_size(*command, "--ranks,-P", o->ranks,
           "Ranks to start (default: one a core, at least 2); ignored under mpirun");
  command->add_option("--alpha", o->alpha, "Factor of the product (default 1)")->type_name("RE[,IM]");
  command->add_option("--beta", o->beta, "Factor of C (default 0)")->type_name("RE[,IM]");
  command->add_option("--repeat", o->repeat, "Times to run it; medians count (default 3)")
      ->check(whole_number(1));
  command
      ->add_option("--verify-rounds", o->verify_rounds,
                   "Random vectors the result is checked with (default 2)")
      ->type_name("R")
      ->check(whole_number(1));
  command->add_flag("--no-verify", o->no_verify, "Do not check the result");
  command->callback([o, &invocation] {
    const Job job = read_job(*o);  // wrong arguments are found here, before any rank is started
    const int ranks = o->ranks ? narrow<int>(*o->ranks, "--ranks") : usual_ranks();
    if (!under_launcher()) {
      make_plan(job.request, ranks);
      relaunch(ranks, invocation.arguments);
    }
    bool right = true;
    const int code = run_on_ranks(invocation.watchdog_seconds, [&](CommView c) { right = run(c, *o, job); });
    invocation.exit_code = right ? code : 1;
  });
}

}  // namespace cairn::cli
