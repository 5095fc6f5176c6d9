#include "cli/plan_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/table.hpp"

namespace cairn::cli {
namespace {

using gemm::Dim;
using nlohmann::json;

double real(Index x) { return static_cast<double>(x); }

std::string type_letter(ScalarType type) {
  return dispatch(type, []<class T>() { return std::string(1, ScalarTraits<T>::letter); });
}

std::string idle_text(Index idle) {
  return idle == 0 ? "no idle ranks" : fmt::format("{} idle rank{}", idle, idle == 1 ? "" : "s");
}

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

std::string words_text(const plan::Plan& plan) {
  const double busiest = real(plan.best.totals.words_received);
  return fmt::format("busiest rank {}, mean {}, bound {}; busiest/bound {}, mean/bound {}",
                     plan.best.totals.words_received, number_text(plan.mean_words),
                     number_text(plan.bound_words), ratio_text(busiest, plan.bound_words),
                     ratio_text(plan.mean_words, plan.bound_words));
}

std::string phases_text(const plan::Plan& plan) {
  std::string text;
  for (const auto& [phase, seconds] : predicted_phases(plan))
    text += fmt::format("{}{} {:.4g} s", text.empty() ? "" : ", ", phase, seconds);
  return text;
}

}  // namespace

std::string ratio_text(double words, double bound) {
  return bound > 0 ? fmt::format("{:.3f}", words / bound) : "-";
}

json ratio_json(double words, double bound) { return bound > 0 ? json(words / bound) : json(nullptr); }

std::vector<std::pair<std::string, double>> predicted_phases(const plan::Plan& plan) {
  const gemm::PhaseSeconds& s = plan.best.seconds;
  return {{"gather A", s.gather_a},
          {"gather B", s.gather_b},
          {"multiply", s.multiply},
          {"combine C", s.combine_c}};
}

std::string plan_text(const MultiplyRequest& r, const TimedPlan& timed) {
  const plan::Plan& plan = timed.plan;
  const plan::Candidate& best = plan.best;
  const gemm::Schedule& s = best.schedule;
  const gemm::Problem& p = s.problem;
  const bounds::Machine& machine = r.settings.machine;
  std::string text = fmt::format("{} x {} x {} (m x n x k) {}, op(A) {}, op(B) {}, on {} rank{}\n\n", p.m,
                                 p.n, p.k, name(p.type), gemm::name(p.op_a), gemm::name(p.op_b), plan.ranks,
                                 plan.ranks == 1 ? "" : "s");
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("{:<16}{}\n", what, value);
  };
  line("schedule", fmt::format("{}: grid {}, {}, {}", r.algorithm, describe(s.grid), rounds_text(s),
                               idle_text(plan.idle_ranks())));
  line("bricks", fmt::format("{} at most, {:.3f} of an even share of the work", brick_text(s), best.work));
  line("words received", words_text(plan));
  line("messages", fmt::format("busiest rank receives {}, sends {}", best.totals.messages_received,
                               best.totals.messages_sent));
  line("memory",
       fmt::format("{} a rank at most{}", bytes_text(real(best.memory_bytes)),
                   r.settings.memory_bytes ? fmt::format(" of {}", bytes_text(real(*r.settings.memory_bytes)))
                                           : std::string()));
  line("predicted", fmt::format("{:.4g} s: {}", best.predicted, phases_text(plan)));
  line("planned in", fmt::format("{:.4g} s", timed.seconds));
  line("machine",
       fmt::format("message {:.3g} us, word of 8 bytes {:.3g} ns, flop {:.3g} ns ({})", 1e6 * machine.alpha,
                   1e9 * machine.beta, 1e9 * machine.gamma, r.machine_source));
  return text;
}

json plan_json(const MultiplyRequest& r, const TimedPlan& timed) {
  const plan::Plan& plan = timed.plan;
  const plan::Candidate& best = plan.best;
  const gemm::Schedule& s = best.schedule;
  const gemm::Problem& p = s.problem;
  const double busiest = real(best.totals.words_received);
  json phases = json::object();
  for (const auto& [phase, seconds] : predicted_phases(plan)) phases[phase] = seconds;
  return {
      {"m", p.m},
      {"n", p.n},
      {"k", p.k},
      {"op_a", gemm::name(p.op_a)},
      {"op_b", gemm::name(p.op_b)},
      {"type", type_letter(p.type)},
      {"ranks", plan.ranks},
      {"algorithm", r.algorithm},
      {"objective", name(r.settings.objective)},
      {"grid", {s.grid.pm, s.grid.pn, s.grid.pk}},
      {"rounds", s.rounds.count},
      {"rounds_along", name(s.rounds.along)},
      {"lookahead", s.lookahead},
      {"combines", s.combines},
      {"idle_ranks", plan.idle_ranks()},
      {"work", best.work},
      {"words",
       {{"counted",
         {{"total", best.totals.words_total},
          {"mean", plan.mean_words},
          {"max", best.totals.words_received},
          {"max_sent", best.totals.words_sent}}},
        {"bound", plan.bound_words},
        {"max_to_bound", ratio_json(busiest, plan.bound_words)},
        {"mean_to_bound", ratio_json(plan.mean_words, plan.bound_words)}}},
      {"messages",
       {{"counted",
         {{"max_received", best.totals.messages_received}, {"max_sent", best.totals.messages_sent}}}}},
      {"memory_bytes_per_rank", best.memory_bytes},
      {"seconds", {{"predicted", best.predicted}, {"predicted_phases", phases}, {"planning", timed.seconds}}},
      {"machine",
       {{"alpha", r.settings.machine.alpha},
        {"beta", r.settings.machine.beta},
        {"gamma", r.settings.machine.gamma},
        {"source", r.machine_source}}}};
}

}  // namespace cairn::cli
