#include "cli/multiply_run.hpp"

#include <algorithm>

#include "cli/local_product.hpp"
#include "cli/measure.hpp"
#include "cli/multiply_parts.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "comm/window.hpp"
#include "gemm/context.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using gemm::Matrix;

// Freivalds' check of the product in its native layouts.
template <Scalar T>
class NativeCheck {
 public:
  NativeCheck(CommView c, const gemm::Schedule& s, const MultiplyParts<T>& parts, int rounds)
      : rank_(c.rank()),
        schedule_(s),
        parts_(parts),
        freivalds_(c, s.problem.m, s.problem.n, {.rounds = rounds}) {}

  void save_c() { freivalds_.save(blocks(Matrix::c)); }
  gemm::Verdict check(T alpha, T beta) const {
    const gemm::Problem& p = schedule_.problem;
    return freivalds_.check(alpha, {p.op_a, blocks(Matrix::a)}, {p.op_b, blocks(Matrix::b)}, beta,
                            blocks(Matrix::c));
  }

 private:
  gemm::LocalBlocks<T> blocks(Matrix x) const {
    return gemm::blocks_of<T>(gemm::NativeLayout(schedule_, x), rank_, parts_.of(x));
  }

  int rank_;
  const gemm::Schedule& schedule_;
  const MultiplyParts<T>& parts_;
  gemm::Freivalds<T> freivalds_;
};

// The time of the slowest rank.
template <class F>
double timed(CommView c, F&& f) {
  const CommView plain = c.unchecked();
  comm::barrier(plain);
  const double start = seconds_now();
  f();
  return comm::allreduce(plain, seconds_now() - start, comm::ReduceOp::max);
}

std::string_view phase_name(const gemm::Operation& operation) {
  if (const auto* gather = std::get_if<gemm::Gather>(&operation.action)) return phase_of(gather->matrix);
  if (std::holds_alternative<gemm::Combine>(operation.action)) return phase_of(Matrix::c);
  return "multiply";
}

// Runs the Program an operation at a time, each over before the next begins, and reads the clock in between.
template <Scalar T>
std::vector<PhaseTime> run_in_steps(CommView c, const gemm::Schedule& s, T alpha, T beta,
                                    const MultiplyParts<T>& parts) {
  const comm::ProcessGrid grid(c, comm::GridShape({s.grid.pm, s.grid.pn, s.grid.pk}));
  gemm::Program program = gemm::compile(s, c.rank());
  const std::vector<gemm::Operation> operations = std::move(program.operations);
  const bool one_sided = s.transport == comm::Transport::one_sided;
  const Buffer<T> work(one_sided ? gemm::work_count(s) : program.work_count);
  std::optional<comm::Window> window;
  if (one_sided) window.emplace(c, work.span());
  std::ranges::fill(work.span(), T(0));  // the system gives pages when they are touched, which is not timed
  const gemm::Memory<T> memory{parts.of(Matrix::a).data(), parts.of(Matrix::b).data(),
                               parts.of(Matrix::c).data(), work.data()};
  std::vector<PhaseTime> times{{"gather A"}, {"gather B"}, {"multiply"}, {"combine C"}};
  comm::barrier(c);
  if (!program.idle)
    for (const gemm::Operation& operation : operations) {
      program.operations = {operation};
      program.operations.front().waits.fill(gemm::Operation::none);
      const double start = seconds_now();
      gemm::run<T>(program, grid, window ? &*window : nullptr, alpha, beta, memory);
      const auto phase = std::ranges::find(times, phase_name(operation), &PhaseTime::phase);
      phase->seconds += seconds_now() - start;
    }
  for (PhaseTime& t : times) t.seconds = comm::allreduce(c, t.seconds, comm::ReduceOp::max);
  return times;
}

// Without agreements and what the measuring itself moves.
std::vector<comm::TrafficRow> data_traffic(CommView c, comm::TrafficSnapshot moved) {
  std::erase_if(moved.phases, [](const auto& phase) {
    return std::ranges::none_of(gemm::all_matrices, [&](Matrix x) { return phase.first == phase_of(x); });
  });
  return comm::gather_traffic(c, moved);
}

}  // namespace

template <Scalar T>
MultiplyOutcome run_multiply(CommView c, const gemm::Schedule& s, T alpha, T beta, const MultiplyRun& how) {
  std::optional<MultiplyParts<T>> parts;
  std::optional<LocalProduct<T>> local;
  std::optional<NativeCheck<T>> check;
  comm::agree(c, "multiply: memory of the matrices", [&] {
    parts.emplace(s, c.rank(), how.files);
    local.emplace(s, c.rank());
    if (how.verify_rounds > 0) check.emplace(c, s, *parts, how.verify_rounds);
  });
  gemm::Context context(c);
  const auto multiply = [&] {
    if (how.trace != nullptr) how.trace->start();  // right after a barrier
    context.multiply<T>(s, alpha, parts->of(Matrix::a), parts->of(Matrix::b), beta, parts->of(Matrix::c));
  };
  MultiplyOutcome outcome;
  const double read_seconds = timed(c, [&] { parts->fill(c); });
  if (how.files.any_input()) outcome.read_seconds = read_seconds;
  for (int i = 0; i <= how.repeat; ++i) {  // the first one makes communicators and touches the memory
    how.progress(i, how.repeat + 2);
    if (beta != T(0)) parts->restore_c();
    if (check && beta != T(0) && i == how.repeat) comm::agree(c, "multiply: C", [&] { check->save_c(); });
    const comm::TrafficSnapshot before = c.traffic().snapshot();
    if (i == how.repeat) context.record(how.trace);
    const double seconds = timed(c, multiply);
    if (i == how.repeat) outcome.traffic = data_traffic(c, c.traffic().snapshot() - before);
    const double local_seconds = timed(c, [&] { local->run(); });
    if (i == 0) continue;
    outcome.seconds.push_back(seconds);
    outcome.local_seconds.push_back(local_seconds);
  }
  if (check) outcome.verdict = check->check(alpha, beta);
  if (!how.files.out.empty() && outcome.right()) outcome.write_seconds = timed(c, [&] { parts->write_c(c); });
  how.progress(how.repeat + 1, how.repeat + 2);
  outcome.phases = run_in_steps<T>(c.unchecked(), s, alpha, beta, *parts);
  return outcome;
}

template MultiplyOutcome run_multiply(CommView, const gemm::Schedule&, float, float, const MultiplyRun&);
template MultiplyOutcome run_multiply(CommView, const gemm::Schedule&, double, double, const MultiplyRun&);
template MultiplyOutcome run_multiply(CommView, const gemm::Schedule&, std::complex<float>,
                                      std::complex<float>, const MultiplyRun&);
template MultiplyOutcome run_multiply(CommView, const gemm::Schedule&, std::complex<double>,
                                      std::complex<double>, const MultiplyRun&);

}  // namespace cairn::cli
