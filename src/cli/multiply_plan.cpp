#include "cli/multiply_plan.hpp"

#include <algorithm>
#include <numeric>

#include "cli/brick_picture.hpp"
#include "gemm/bricks.hpp"
#include "gemm/compile.hpp"
#include "gemm/count.hpp"
#include "gemm/fast/in_schedule.hpp"
#include "gemm/placement.hpp"
#include "layout/kinds.hpp"
#include "plan/fast.hpp"
#include "program/count.hpp"
#include "program/simulate.hpp"

namespace cairn::cli {
namespace {

using gemm::Dim;
using gemm::Matrix;
using nlohmann::json;

std::string rounds_text(const gemm::Schedule& s) {
  std::string text = "1 round";
  if (s.rounds.count > 1) text = fmt::format("{} rounds along {}", s.rounds.count, name(s.rounds.along));
  if (s.rounds.count > 1 && s.lookahead > 0) text += fmt::format(", {} ahead", s.lookahead);
  if (s.combines > 1) text += fmt::format(", C combined in {} parts", s.combines);
  return text;
}

gemm::Box largest_box(const gemm::Schedule& s) {
  if (!s.tree) return gemm::box_of(s, 0);
  return std::ranges::max(gemm::boxes_of(s), {}, &gemm::Box::voxels);
}

std::string brick_text(const gemm::Schedule& s) {
  const gemm::Box box = largest_box(s);
  return fmt::format("{} x {} x {}", box[Dim::m].count, box[Dim::n].count, box[Dim::k].count);
}

std::string idle_text(Index idle) {
  return idle == 0 ? "no idle ranks" : fmt::format("{} idle rank{}", idle, idle == 1 ? "" : "s");
}

std::string usual_layout(int ranks) {
  int rows = 1;
  for (int d = 1; d * d <= ranks; ++d)
    if (ranks % d == 0) rows = d;
  return fmt::format("blocked {}x{}", rows, ranks / rows);
}

layout::Layout read_layout(const gemm::Problem& p, Matrix x, const std::string& text) {
  try {
    return layout::parse_layout(text, stored_rows(p, x), stored_columns(p, x));
  } catch (const ArgumentError& e) {
    fail("--layout-{}: {}", "abc"[index(x)], e.what());
  }
}

std::vector<std::string> in_place(const gemm::Schedule& s) {
  std::vector<std::string> names;
  for (const Matrix x : gemm::all_matrices)
    if (stays(s, x)) names.emplace_back(name(x));
  return names;
}

std::string steps_text(const gemm::Schedule& s) {
  return s.steps ? gemm::fast::order_of(s.steps->all) : std::string();
}

json schedule_fields(const plan::Candidate& c) {
  const gemm::Schedule& s = c.schedule;
  json fields{{"grid", s.tree ? json() : json{s.grid.pm, s.grid.pn, s.grid.pk}},
              {"bricks", describe_bricks(s)},
              {"rounds", s.rounds.count},
              {"rounds_along", name(s.rounds.along)},
              {"in_place", in_place(s)},
              {"work", c.work},
              {"schedule", steps_text(s)},
              {"levels", static_cast<int>(steps_text(s).size()) + s.fast_levels},
              {"error_growth", c.error_growth}};
  if (s.placement) fields.update({{"cut", c.how}, {"counted", c.exact}});
  return fields;
}

// `fast`: with columns for steps and levels.
Candidate shown_candidate(const plan::Candidate& c, bool fast = false) {
  const Rounds& rounds = c.schedule.rounds;
  const std::vector<std::string> stay = in_place(c.schedule);
  Candidate shown{
      .cells = {{"grid", describe_bricks(c.schedule)},
                {"rounds", rounds.count == 1 ? "1" : fmt::format("{} {}", rounds.count, name(rounds.along))},
                {"in place", stay.empty() ? "none" : fmt::format("{}", fmt::join(stay, ", "))}},
      .fields = schedule_fields(c),
      .seconds = c.predicted,
      .words_total = c.totals.words_total,
      .words_received = c.totals.words_received,
      .words_sent = c.totals.words_sent,
      .messages = c.totals.messages_received,
      .work = c.work,
      .memory_bytes = c.memory_bytes,
      .why = c.why};
  if (fast)
    shown.cells.insert(shown.cells.begin(), {{"steps", c.schedule.steps ? steps_text(c.schedule) : "none"},
                                             {"levels inside", std::to_string(c.schedule.fast_levels)}});
  return shown;
}

plan::Plan plan_native(const MultiplyRequest& r, int ranks) {
  plan::Plan plan = r.grid ? plan::plan_schedule(given_schedule(r), ranks, r.settings)
                           : plan::plan_named(r.algorithm, r.problem, ranks, r.settings, r.options);
  require<MemoryError>(
      !r.settings.memory_bytes || plan.best.memory_bytes <= *r.settings.memory_bytes,
      "--memory is {} bytes per rank, and {} needs {}: more rounds or another algorithm need less",
      r.settings.memory_bytes.value_or(0), describe(plan.best.schedule), plan.best.memory_bytes);
  return plan;
}

plan::Plan plan_placed(const MultiplyOptions& o, int ranks, Planned& planned) {
  const MultiplyRequest& r = o.request;
  const bool family = plan::names_fast(r.algorithm);
  require(r.algorithm == "auto" || r.algorithm == "tree" || family || r.grid,
          "--layout-* with --algorithm {}: expected auto, tree or a fast algorithm", r.algorithm);
  require(r.rounds.count == 1, "--layout-* with --rounds: such a product chooses its own rounds");
  std::array<layout::Layout, 3> matrices;
  for (const Matrix x : gemm::all_matrices) {
    const std::string& given = x == Matrix::a ? o.layouts.a : x == Matrix::b ? o.layouts.b : o.layouts.c;
    const std::string text = given.empty() ? usual_layout(ranks) : given;
    matrices[index(x)] = read_layout(r.problem, x, text);
    planned.fields["layouts"][std::string(1, "abc"[index(x)])] = text;
    planned.lines.emplace_back(name(x), text);
  }
  plan::Settings settings = family ? plan::with_family(r.settings, r.algorithm) : r.settings;
  settings.only_trees = r.algorithm == "tree";
  if (r.grid) settings.tree = r.tree ? r.tree : std::make_shared<const gemm::Tree>(gemm::Tree::leaf(*r.grid));
  return plan::plan_multiply(r.problem, matrices, ranks, settings);
}

void add_schedule(Planned& p, const plan::Plan& plan) {
  const gemm::Schedule& s = plan.best.schedule;
  p.fields.update(schedule_fields(plan.best));
  p.fields.update({{"lookahead", s.lookahead},
                   {"combines", s.combines},
                   {"transport", s.transport == Transport::one_sided ? "one-sided" : "two-sided"}});
  const double error = plan::error_bound(s);
  p.fields["error_bound"] = error;
  const std::string stay = s.placement && !s.steps ? describe_placement(s) : "";
  std::string before, inside;
  if (s.steps) before = fmt::format("steps {}, then ", gemm::fast::describe_steps(s));
  if (s.fast_levels > 0)
    inside = fmt::format(", {} fast level{} inside", s.fast_levels, s.fast_levels == 1 ? "" : "s");
  p.lines.emplace_back("schedule", fmt::format("{}: {}{} {}{}{}, {}, {}", p.algorithm, before,
                                               s.tree ? "tree" : "grid", describe_bricks(s), inside, stay,
                                               rounds_text(s), idle_text(plan.idle_ranks())));
  if (!s.steps)
    p.lines.emplace_back("bricks", fmt::format("{} at most, {:.3f} of an even share of the work",
                                               brick_text(s), plan.best.work));
  if (s.steps || s.fast_levels > 0)
    p.lines.emplace_back("error bound", fmt::format("{:.3g} max|A| max|B|, {:.3g} times the classical one",
                                                    error, plan.best.error_growth));
}

void add_costs(Planned& p, const plan::Plan& plan) {
  const gemm::Totals& t = plan.best.totals;
  p.active_ranks = static_cast<int>(t.ranks);
  p.exact = plan.best.exact;
  p.words = {.sent = {t.words_sent, t.words_total, plan.mean_words},
             .received = {t.words_received, t.words_total, plan.mean_words}};
  p.messages = {.sent = {t.messages_sent, 0, 0}, .received = {t.messages_received, 0, 0}};
  if (!plan.best.schedule.steps) p.bound = plan.bound_words;
  p.memory_bytes = plan.best.memory_bytes;
  p.seconds = plan.best.predicted;
  const gemm::PhaseSeconds& s = plan.best.seconds;
  if (plan.best.schedule.steps)
    p.phases = {{"multiply", s.multiply}};
  else if (plan.best.schedule.placement)
    p.phases = {{"gather", s.gather}, {"multiply", s.multiply}};
  else if (plan.best.schedule.tree)
    p.phases = {{"gather", s.gather}, {"multiply", s.multiply}, {"combine C", s.combine_c}};
  else
    p.phases = {{"gather A", s.gather_a},
                {"gather B", s.gather_b},
                {"multiply", s.multiply},
                {"combine C", s.combine_c}};
}

// Up to this many ranks a simulated timeline shows all; beyond that rank 0 and the one that receives most words.
constexpr int most_simulated_ranks = 64;

int rank_that_receives_most(const gemm::Schedule& s, int ranks) {
  if (s.steps && !s.placement) return 0;
  if (!s.placement) return gemm::busiest_rank(s);
  int busiest = 0;
  Index most = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const Index words = program::count(gemm::compile(s, rank, ranks)).total().received.words;
    if (words > most) busiest = rank;
    most = std::max(most, words);
  }
  return busiest;
}

std::vector<int> simulated_ranks(const gemm::Schedule& s, int ranks) {
  if (ranks > most_simulated_ranks) {
    const int busiest = rank_that_receives_most(s, ranks);
    return busiest == 0 ? std::vector{0} : std::vector{0, busiest};
  }
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string rank_name(const gemm::Schedule& s, int rank) {
  if (s.steps) return fmt::format("rank {}{}", rank, rank < working_ranks(s) ? "" : ", no product");
  std::optional<int> brick;
  if (s.placement)
    brick = brick_of(s, rank);
  else if (rank < gemm::bricks_of(s))
    brick = rank;
  if (!brick) return fmt::format("rank {}, {}", rank, s.placement ? "no brick" : "idle");
  if (s.tree) return fmt::format("rank {}, brick {} of a tree", rank, *brick);
  const gemm::Coordinates at = coordinates(s.grid, *brick);
  return fmt::format("rank {}, brick ({}, {}, {})", rank, at.at[0], at.at[1], at.at[2]);
}

std::vector<RankTrace> simulated(const gemm::Schedule& s, int ranks, const Machine& machine) {
  std::vector<RankTrace> traces;
  for (const int rank : simulated_ranks(s, ranks)) {
    const program::Program program = gemm::compile(s, rank, ranks);
    traces.push_back({rank, rank_name(s, rank), trace_of(program, program::simulate(program, machine))});
  }
  return traces;
}

// The brick that the local BLAS multiplies alone, and what Freivalds' check asks for.
Index measuring_bytes(const gemm::Schedule& s, const SharedOptions& shared) {
  const gemm::Box box = largest_box(s);
  const Index m = box[Dim::m].count, n = box[Dim::n].count, k = box[Dim::k].count;
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

Planned plan_product(const MultiplyOptions& o, const SharedOptions& shared, int ranks) {
  const MultiplyRequest& r = o.request;
  Planned planned = planned_product(r, ranks);
  const plan::Plan plan = o.layouts.any() ? plan_placed(o, ranks, planned) : plan_native(r, ranks);
  const gemm::Schedule schedule = plan.best.schedule;
  planned.algorithm = schedule.placement ? "placed" : r.algorithm;
  add_schedule(planned, plan);
  add_costs(planned, plan);
  planned.measuring_bytes = measuring_bytes(schedule, shared);
  for (const plan::Candidate& c : plan.candidates)
    planned.candidates.push_back(shown_candidate(c, r.settings.fast.allowed));
  if (shared.explain && !schedule.placement)
    for (const std::string_view name : gemm::fixed_names()) {
      const bool one_sided = r.settings.transport == Transport::one_sided;
      if (one_sided && gemm::named_schedule(name, r.problem, ranks).tree) continue;  // trees are two-sided
      planned.algorithms.emplace_back(
          name, shown_candidate(plan::plan_named(name, r.problem, ranks, r.settings).best,
                                r.settings.fast.allowed));
    }
  const int shown = schedule.placement ? ranks : static_cast<int>(working_ranks(schedule));
  planned.simulate = [=, machine = r.settings.machine] { return simulated(schedule, shown, machine); };
  if (!schedule.steps)
    planned.picture = [plan, algorithm = planned.algorithm] { return brick_svg(plan, algorithm); };
  planned.rank_name = [schedule](int rank) { return rank_name(schedule, rank); };
  planned.own = plan;
  return planned;
}

}  // namespace cairn::cli
