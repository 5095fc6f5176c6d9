#include "cli/multiply_fast.hpp"

#include <algorithm>

#include "cli/fast_options.hpp"
#include "cli/multiply_plan.hpp"
#include "cli/rates_file.hpp"
#include "gemm/fast/compile.hpp"
#include "program/count.hpp"
#include "program/simulate.hpp"

namespace cairn::cli {
namespace {

namespace fast = gemm::fast;
using nlohmann::json;

constexpr int most_counted_ranks = 256;  // beyond, the first rank stands for all

fast::FastOptions choice_of(const MultiplyOptions& o) {
  const MultiplyRequest& r = o.request;
  fast::FastOptions f;
  f.machine = r.settings.machine;
  f.rates = known_rates(1).rates;
  f.algorithm = bilinear_of(o.fast.entry);
  const auto& names = fast_family_names();
  if (std::ranges::count(names, r.algorithm) > 0) f.family = fast::parse_family(r.algorithm);
  f.order = o.fast.order == "off" ? "auto" : o.fast.order;
  if (o.fast.max_error_growth) f.max_error_growth = *o.fast.max_error_growth;
  if (r.settings.memory_bytes)
    f.memory_words = static_cast<double>(*r.settings.memory_bytes) / bytes(r.problem.type);
  return f;
}

Candidate fast_row(const fast::FastCandidate& c, double ranks) {
  const std::string order = fast::order_of(c.schedule.steps);
  const auto whole = [](double x) { return static_cast<Index>(x); };
  return {.cells = {{"steps", order.empty() ? "none" : order},
                    {"levels inside", std::to_string(c.schedule.local.size())},
                    {"base", describe(c.schedule.base)},
                    {"error growth", fmt::format("{:.3g}", c.growth)}},
          .fields = {{"schedule", order},
                     {"levels", c.schedule.steps.size() + c.schedule.local.size()},
                     {"error_growth", c.growth}},
          .seconds = c.seconds,
          .words_total = whole(c.cost.words * static_cast<double>(c.schedule.ranks())),
          .words_received = whole(c.cost.words),
          .words_sent = whole(c.cost.words),
          .messages = whole(c.cost.messages),
          .work = ranks / static_cast<double>(c.schedule.ranks()),
          .memory_bytes = whole(c.cost.memory_words * bytes(c.schedule.problem.type)),
          .why = {}};
}

// Counted rank by rank on the Programs that run.
void add_counts(Planned& p, const fast::FastSchedule& s, int ranks) {
  const int working = static_cast<int>(s.ranks());
  const int counted = std::min(working, most_counted_ranks);
  p.exact = counted == working;
  p.active_ranks = working;
  for (int rank = 0; rank < counted; ++rank) {
    const program::Program program = fast::compile(s, rank, ranks);
    const program::Counts counts = program::count(program);
    const comm::Counters all = counts.total();
    const auto add = [](comm::Spread& spread, Index value) {
      spread.max = std::max(spread.max, value);
      spread.total += value;
    };
    add(p.words.sent, all.sent.words);
    add(p.words.received, all.received.words);
    add(p.messages.sent, all.sent.messages);
    add(p.messages.received, all.received.messages);
    Index held = counts.held_bytes();
    for (std::size_t i = 1; i < program.array_counts.size(); ++i)
      held += program.array_counts[i] * bytes(s.problem.type);
    p.memory_bytes = std::max(p.memory_bytes, held);
  }
  for (comm::Spread* x : {&p.words.sent, &p.words.received, &p.messages.sent, &p.messages.received})
    x->mean = static_cast<double>(x->total) / counted;
}

void add_text(Planned& p, const std::vector<fast::FastCandidate>& all) {
  const fast::FastCandidate& best = all.front();
  const double bound =
      fast::error_bound(best.schedule).product * fast::unit_roundoff(best.schedule.problem.type);
  p.fields.update(json{{"schedule", fast::order_of(best.schedule.steps)},
                       {"levels", best.schedule.steps.size() + best.schedule.local.size()},
                       {"error_bound", bound},
                       {"error_growth", best.growth}});
  p.lines.emplace_back("schedule", fast::describe(best.schedule));
  p.lines.emplace_back(
      "error bound", fmt::format("{:.3g} max|A| max|B|, {:.3g} times the classical one", bound, best.growth));
}

}  // namespace

const std::vector<std::string>& fast_family_names() {
  static const std::vector<std::string> names{"caps", "strassen-2d", "strassen-2.5d", "2d-strassen",
                                              "2.5d-strassen"};
  return names;
}

void add_fast_choice(Command app, FastChoice& o) {
  app.add_option("--fast", o.order,
                 "Strassen-like steps: off (default), auto, or an order such as BBD (B: BFS, D: DFS)")
      .type_name("off|auto|ORDER");
  app.add_option("--entry", o.entry, "The bilinear algorithm of the steps: see cairn fast list")
      .type_name("NAME|FILE");
  add_amount(app, "--max-error-growth", o.max_error_growth,
             "Most by which steps may enlarge the bound of the rounding error");
}

bool wants_fast(const MultiplyOptions& o) {
  return o.fast.order != "off" || std::ranges::count(fast_family_names(), o.request.algorithm) > 0;
}

Planned plan_fast(const MultiplyOptions& o, const SharedOptions& shared, int ranks) {
  const MultiplyRequest& r = o.request;
  const auto all = fast::candidates(r.problem, ranks, choice_of(o));
  const fast::FastSchedule schedule = all.front().schedule;
  Planned p = planned_product(r, ranks);
  p.algorithm = r.algorithm;
  add_counts(p, schedule, ranks);
  add_text(p, all);
  p.seconds = all.front().seconds;
  p.measuring_bytes = 16 * (shared.checks() + 1) * (3 * r.problem.m + r.problem.n + r.problem.k);
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 8); ++i)
    p.candidates.push_back(fast_row(all[i], ranks));
  p.simulate = [schedule, ranks, machine = r.settings.machine] {
    const program::Program program = fast::compile(schedule, 0, ranks);
    return std::vector<RankTrace>{{0, "rank 0", trace_of(program, simulate(program, machine))}};
  };
  p.rank_name = [working = schedule.ranks()](int rank) {
    return fmt::format("rank {}{}", rank, rank < working ? "" : ", idle");
  };
  p.own = schedule;
  return p;
}

std::string fast_hint(const MultiplyOptions& o, int ranks) {
  const auto all = fast::candidates(o.request.problem, ranks, choice_of(o));
  const auto plain = std::ranges::find_if(
      all, [](const fast::FastCandidate& c) { return c.schedule.steps.empty() && c.schedule.local.empty(); });
  const fast::FastCandidate& best = all.front();
  if (plain == all.end() || plain == all.begin()) return "would not be faster (--fast auto)";
  const std::string order = fast::order_of(best.schedule.steps);
  return fmt::format(
      "--fast auto would take {}, {} levels inside: {:.2f} times as fast as predicted for bricks, error "
      "bound {:.3g} times larger",
      order.empty() ? "no steps" : order, best.schedule.local.size(), plain->seconds / best.seconds,
      best.growth);
}

}  // namespace cairn::cli
