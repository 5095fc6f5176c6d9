#include "cli/multiply_native.hpp"

#include <algorithm>

#include "cli/brick_picture.hpp"
#include "cli/gemm_trace.hpp"
#include "cli/table.hpp"
#include "gemm/count.hpp"
#include "gemm/simulate.hpp"

namespace cairn::cli {
namespace {

using gemm::Dim;
using nlohmann::json;

std::string rounds_text(const gemm::Schedule& s) {
  std::string text = "1 round";
  if (s.rounds.count > 1) text = fmt::format("{} rounds along {}", s.rounds.count, name(s.rounds.along));
  if (s.rounds.count > 1 && s.lookahead > 0) text += fmt::format(", {} ahead", s.lookahead);
  if (s.combines > 1) text += fmt::format(", C combined in {} parts", s.combines);
  return text;
}

std::string brick_text(const gemm::Schedule& s) {
  const auto longest = [&](Dim d) { return ceil_div(s.problem.size(d), s.grid.extent(d)); };
  return fmt::format("{} x {} x {}", longest(Dim::m), longest(Dim::n), longest(Dim::k));
}

std::string idle_text(Index idle) {
  return idle == 0 ? "no idle ranks" : fmt::format("{} idle rank{}", idle, idle == 1 ? "" : "s");
}

Candidate native_candidate(const plan::Candidate& c) {
  const gemm::Grid& g = c.schedule.grid;
  const gemm::Rounds& rounds = c.schedule.rounds;
  return {
      .cells = {{"grid", describe(g)},
                {"rounds", rounds.count == 1 ? "1" : fmt::format("{} {}", rounds.count, name(rounds.along))}},
      .fields = {{"grid", {g.pm, g.pn, g.pk}},
                 {"rounds", rounds.count},
                 {"rounds_along", name(rounds.along)}},
      .seconds = c.predicted,
      .words_total = c.totals.words_total,
      .words_received = c.totals.words_received,
      .words_sent = c.totals.words_sent,
      .messages = c.totals.messages_received,
      .work = c.work,
      .memory_bytes = c.memory_bytes,
      .why = c.why};
}

plan::Plan make_plan(const MultiplyRequest& r, int ranks) {
  plan::Plan plan = r.grid ? plan::plan_schedule(given_schedule(r), ranks, r.settings)
                           : plan::plan_named(r.algorithm, r.problem, ranks, r.settings, r.options);
  require<MemoryError>(
      !r.settings.memory_bytes || plan.best.memory_bytes <= *r.settings.memory_bytes,
      "--memory is {} bytes per rank, and {} needs {}: more rounds or another algorithm need less",
      r.settings.memory_bytes.value_or(0), describe(plan.best.schedule), plan.best.memory_bytes);
  return plan;
}

void add_schedule(Planned& p, const plan::Plan& plan) {
  const gemm::Schedule& s = plan.best.schedule;
  p.fields.update({{"grid", {s.grid.pm, s.grid.pn, s.grid.pk}},
                   {"rounds", s.rounds.count},
                   {"rounds_along", name(s.rounds.along)},
                   {"lookahead", s.lookahead},
                   {"combines", s.combines},
                   {"transport", s.transport == comm::Transport::one_sided ? "one-sided" : "two-sided"},
                   {"work", plan.best.work}});
  p.lines.emplace_back("schedule", fmt::format("{}: grid {}, {}, {}", p.algorithm, describe(s.grid),
                                               rounds_text(s), idle_text(plan.idle_ranks())));
  p.lines.emplace_back("bricks", fmt::format("{} at most, {:.3f} of an even share of the work", brick_text(s),
                                             plan.best.work));
}

void add_costs(Planned& p, const plan::Plan& plan) {
  const gemm::Totals& t = plan.best.totals;
  p.active_ranks = static_cast<int>(t.ranks);
  p.words = {.sent = {t.words_sent, t.words_total, plan.mean_words},
             .received = {t.words_received, t.words_total, plan.mean_words}};
  p.messages = {.sent = {t.messages_sent, 0, 0}, .received = {t.messages_received, 0, 0}};
  p.bound = plan.bound_words;
  p.memory_bytes = plan.best.memory_bytes;
  p.seconds = plan.best.predicted;
  const gemm::PhaseSeconds& s = plan.best.seconds;
  p.phases = {{"gather A", s.gather_a},
              {"gather B", s.gather_b},
              {"multiply", s.multiply},
              {"combine C", s.combine_c}};
}

std::vector<RankTrace> simulated(const gemm::Schedule& s, const bounds::Machine& machine) {
  std::vector<RankTrace> traces;
  const int ranks = static_cast<int>(s.grid.ranks());
  for (const int rank : simulated_ranks(ranks, ranks > most_simulated_ranks ? gemm::busiest_rank(s) : 0)) {
    const gemm::Program program = gemm::compile(s, rank);
    traces.push_back(
        {rank, brick_name(s.grid, rank, rank), general_trace(trace_of(program, simulate(program, machine)))});
  }
  return traces;
}

// The brick that the local BLAS multiplies alone, and what Freivalds' check asks for.
Index measuring_bytes(const gemm::Schedule& s, const SharedOptions& shared) {
  const auto longest = [&](Dim d) { return ceil_div(s.problem.size(d), s.grid.extent(d)); };
  const Index m = longest(Dim::m), n = longest(Dim::n), k = longest(Dim::k);
  const gemm::Problem& p = s.problem;
  return (m * k + k * n + m * n) * bytes(p.type) + 16 * (shared.checks() + 1) * (3 * p.m + p.n + p.k);
}

}  // namespace

Planned planned_product(const MultiplyRequest& r, int ranks) {
  const gemm::Problem& p = r.problem;
  Planned planned;
  planned.title =
      fmt::format("{} x {} x {} (m x n x k) {}, op(A) {}, op(B) {}, on {} rank{}", p.m, p.n, p.k,
                  name(p.type), gemm::name(p.op_a), gemm::name(p.op_b), ranks, ranks == 1 ? "" : "s");
  planned.ranks = planned.active_ranks = ranks;
  planned.fields = {
      {"m", p.m},
      {"n", p.n},
      {"k", p.k},
      {"op_a", gemm::name(p.op_a)},
      {"op_b", gemm::name(p.op_b)},
      {"type", dispatch(p.type, []<class T>() { return std::string(1, ScalarTraits<T>::letter); })},
      {"objective", name(r.settings.objective)}};
  planned.flops = p.multiplies() ? flops_per_voxel(p.type) * voxels(p) : 0;
  return planned;
}

WorkVerdict verdict_of_product(const gemm::Verdict& v, int rounds) {
  return {.passed = v.passed,
          .error_over_allowed = v.error_over_allowed(),
          .how = fmt::format("with {} random vector{}", rounds, rounds == 1 ? "" : "s"),
          .problem = describe(v),
          .note = v.unchecked_rows == 0
                      ? ""
                      : fmt::format("{} rows of C could not be checked: numbers there are not finite",
                                    v.unchecked_rows),
          .fields = {{"verify_rounds", rounds}}};
}

Planned plan_native(const MultiplyOptions& o, const SharedOptions& shared, int ranks) {
  const MultiplyRequest& r = o.request;
  const plan::Plan plan = make_plan(r, ranks);
  const gemm::Schedule schedule = plan.best.schedule;
  Planned planned = planned_product(r, ranks);
  planned.algorithm = r.algorithm;
  add_schedule(planned, plan);
  add_costs(planned, plan);
  planned.measuring_bytes = measuring_bytes(schedule, shared);
  for (const plan::Candidate& c : plan.candidates) planned.candidates.push_back(native_candidate(c));
  if (shared.explain)
    for (const std::string_view name : gemm::fixed_names())
      planned.algorithms.emplace_back(
          name, native_candidate(plan::plan_named(name, r.problem, ranks, r.settings).best));
  planned.simulate = [schedule, machine = r.settings.machine] { return simulated(schedule, machine); };
  planned.picture = [plan, algorithm = r.algorithm] { return brick_svg(plan, algorithm); };
  planned.rank_name = [grid = schedule.grid](int rank) {
    return rank < grid.ranks() ? brick_name(grid, rank, rank) : fmt::format("rank {}, idle", rank);
  };
  planned.own = plan;
  return planned;
}

}  // namespace cairn::cli
