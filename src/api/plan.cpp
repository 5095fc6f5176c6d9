#include "cairn/plan.hpp"

#include <algorithm>
#include <bit>

#include "api/checks.hpp"
#include "api/plan_state.hpp"
#include "comm/agreement.hpp"

namespace cairn {
namespace {

using gemm::Dim;

// Bricks or rounds that were given; all else as the planner makes it, which `3d` shows at no cost.
plan::Plan plan_given(const gemm::Problem& p, int ranks, const PlanOptions& o,
                      const plan::Settings& settings) {
  gemm::Schedule s = plan::plan_named(o.grid || !o.tree.empty() ? "3d" : o.algorithm, p, ranks, settings,
                                      {.layers = o.layers})
                         .best.schedule;
  if (o.grid) s.grid = {(*o.grid)[0], (*o.grid)[1], (*o.grid)[2]};
  if (!o.tree.empty()) {
    s.grid = {};
    s.tree = std::make_shared<const gemm::Tree>(gemm::Tree::parse(o.tree));
  }
  s.rounds = o.rounds ? gemm::Rounds{static_cast<Dim>(o.rounds->along), o.rounds->count} : gemm::Rounds{};
  if (s.rounds.count == 1) s.rounds = {};
  return plan::plan_schedule(s, ranks, settings);
}

plan::Plan make_plan(const gemm::Problem& p, int ranks, const PlanOptions& o) {
  detail::check(o);
  const plan::Settings settings = detail::settings_of(o);
  plan::Plan made = o.grid || !o.tree.empty() || o.rounds
                        ? plan_given(p, ranks, o, settings)
                        : plan::plan_named(o.algorithm, p, ranks, settings, {.layers = o.layers});
  require<MemoryError>(!o.memory_bytes || made.best.memory_bytes <= *o.memory_bytes,
                       "memory is {} bytes a rank, and {} needs {}", o.memory_bytes.value_or(0),
                       gemm::describe(made.best.schedule), made.best.memory_bytes);
  return made;
}

Layout native_layout(const std::shared_ptr<const detail::PlanCore>& core, gemm::Matrix x) {
  return Layout(std::make_shared<const detail::LayoutState>(core, x));
}

std::array<bool, 3> which_stay(const gemm::Schedule& s) {
  return {stays(s, gemm::Matrix::a), stays(s, gemm::Matrix::b), stays(s, gemm::Matrix::c)};
}

PlanCandidate public_candidate(const plan::Candidate& c) {
  const gemm::Schedule& s = c.schedule;
  return {.grid = {s.grid.pm, s.grid.pn, s.grid.pk},
          .bricks = gemm::describe_bricks(s),
          .rounds = detail::public_rounds(s.rounds),
          .stays = which_stay(s),
          .words = c.totals.words_received,
          .exact = c.exact,
          .seconds = c.predicted,
          .work = c.work,
          .memory_bytes = c.memory_bytes,
          .why = c.why};
}

std::string stays_text(const std::array<bool, 3>& stays) {
  std::string text;
  for (std::size_t x = 0; x < 3; ++x)
    if (stays[x]) text += fmt::format("{}{}", text.empty() ? "" : ", ", "ABC"[x]);
  return text.empty() ? "none" : text;
}

}  // namespace

plan::Settings detail::settings_of(const PlanOptions& o) {
  plan::Settings s;
  s.objective = o.objective == Objective::time    ? plan::Objective::time
                : o.objective == Objective::words ? plan::Objective::words
                                                  : plan::Objective::volume;
  s.work_limit = o.work_limit;
  s.machine.alpha = o.machine.alpha;
  s.machine.beta = o.machine.beta;
  s.machine.gamma = o.machine.gamma;
  s.memory_bytes = o.memory_bytes;
  s.transport = o.transport == Transport::one_sided ? comm::Transport::one_sided : comm::Transport::two_sided;
  s.lookahead = o.lookahead;
  s.overlap = o.overlap;
  s.candidates = o.candidates;
  return s;
}

Rounds detail::public_rounds(const gemm::Rounds& r) { return {static_cast<Dimension>(r.along), r.count}; }

void detail::check(const PlanOptions& o) {
  require(o.lookahead >= 0, "lookahead is {}, expected 0 or more", o.lookahead);
  require(
      o.objective == Objective::time || o.objective == Objective::words || o.objective == Objective::volume,
      "objective is Objective({}), expected time, words or volume", static_cast<int>(o.objective));
  if (o.grid)
    require(o.algorithm == "auto", "grid {} and algorithm '{}' are given, expected one of them",
            gemm::describe(gemm::Grid{(*o.grid)[0], (*o.grid)[1], (*o.grid)[2]}), o.algorithm);
  if (!o.tree.empty()) {
    require(o.algorithm == "auto" && !o.grid,
            "tree '{}' and algorithm '{}' or a grid are given, expected one of them", o.tree, o.algorithm);
    gemm::Tree::parse(o.tree);
  }
  if (o.layers)
    require(o.algorithm.starts_with("summa3d") || o.algorithm == "2.5d",
            "layers is {} and algorithm '{}', expected summa3d-a, -b, -c or 2.5d", *o.layers, o.algorithm);
  for (const auto& [name, value] : {std::pair("alpha", o.machine.alpha), std::pair("beta", o.machine.beta),
                                    std::pair("gamma", o.machine.gamma)})
    require(value >= 0 && value <= 1e6, "{} of the machine is {} seconds, expected 0 or more", name, value);
  plan::check(settings_of(o));
}

std::string detail::rounds_text(const Rounds& r) {
  if (r.count == 1) return "1";
  return fmt::format("{} along {}", r.count, gemm::name(static_cast<Dim>(r.along)));
}

gemm::Problem detail::problem_of(const Product& p) {
  return {.m = p.m, .n = p.n, .k = p.k, .op_a = p.op_a, .op_b = p.op_b, .type = p.type};
}

bool detail::name_a_schedule(const PlanOptions& o) {
  return o.algorithm != "auto" || o.grid || !o.tree.empty() || o.rounds || o.layers ||
         o.transport != Transport::two_sided || o.lookahead != 0;
}

detail::PlanState::PlanState(std::shared_ptr<const PlanCore> planned)
    : core(std::move(planned)),
      layouts{native_layout(core, gemm::Matrix::a), native_layout(core, gemm::Matrix::b),
              native_layout(core, gemm::Matrix::c)} {}

detail::PlanState::PlanState(std::shared_ptr<const PlanCore> planned, const std::array<Layout, 3>& placed)
    : core(std::move(planned)), layouts(placed) {}

Index detail::PlanState::fingerprint() const {
  const gemm::Problem& p = schedule().problem;
  return comm::fingerprint(std::array<Index, 4>{p.m, p.n, p.k, gemm::fingerprint(schedule())});
}

Index detail::fingerprint(const PlanOptions& o) {
  const std::array<int, 3> grid = o.grid.value_or(std::array{-1, -1, -1});
  const Rounds rounds = o.rounds.value_or(Rounds{Dimension::k, -1});
  std::vector<Index> values{static_cast<Index>(o.objective),
                            std::bit_cast<Index>(o.work_limit),
                            grid[0],
                            grid[1],
                            grid[2],
                            static_cast<Index>(rounds.along),
                            rounds.count,
                            o.layers.value_or(-1),
                            o.memory_bytes.value_or(-1),
                            static_cast<Index>(o.transport),
                            o.lookahead,
                            static_cast<Index>(o.overlap),
                            std::bit_cast<Index>(o.machine.alpha),
                            std::bit_cast<Index>(o.machine.beta),
                            std::bit_cast<Index>(o.machine.gamma)};
  values.insert(values.end(), o.algorithm.begin(), o.algorithm.end());
  values.push_back(-1);
  values.insert(values.end(), o.tree.begin(), o.tree.end());
  return comm::fingerprint(values);
}

namespace {

void check_ops(const Product& product) {
  detail::check_op("op_a", product.op_a);
  detail::check_op("op_b", product.op_b);
}

}  // namespace

Plan plan_multiply(const Product& product, int ranks, const PlanOptions& options) {
  check_ops(product);
  return Plan(std::make_shared<const detail::PlanState>(std::make_shared<const detail::PlanCore>(
      detail::PlanCore{product, options, make_plan(detail::problem_of(product), ranks, options)})));
}

Plan plan_multiply(const Product& product, const Layout& a, const Layout& b, const Layout& c, int ranks,
                   const PlanOptions& options) {
  check_ops(product);
  require(!detail::name_a_schedule(options),
          "algorithm '{}', grid, rounds, layers, transport or lookahead are given, expected none of them: a "
          "plan for matrices where they are chooses its own",
          options.algorithm);
  detail::check(options);
  plan::Plan made = plan::plan_multiply(detail::problem_of(product),
                                        {a.state().general(), b.state().general(), c.state().general()},
                                        ranks, detail::settings_of(options));
  return Plan(std::make_shared<const detail::PlanState>(
      std::make_shared<const detail::PlanCore>(detail::PlanCore{product, options, std::move(made)}),
      std::array{a, b, c}));
}

Machine load_machine(const std::string& file) {
  const bounds::Machine m = bounds::load_machine(file);
  return {m.alpha, m.beta, m.gamma};
}

const std::vector<std::string_view>& algorithm_names() { return plan::algorithm_names(); }

const Product& Plan::product() const { return state_->core->product; }
const PlanOptions& Plan::options() const { return state_->core->options; }
int Plan::ranks() const { return static_cast<int>(state_->core->plan.ranks); }
int Plan::idle_ranks() const { return static_cast<int>(state_->core->plan.idle_ranks()); }
std::array<int, 3> Plan::grid() const {
  const gemm::Grid& g = state_->schedule().grid;
  return {g.pm, g.pn, g.pk};
}
std::string Plan::bricks() const { return gemm::describe_bricks(state_->schedule()); }
double Plan::work() const { return state_->core->plan.best.work; }
Rounds Plan::rounds() const { return detail::public_rounds(state_->schedule().rounds); }

PlanWords Plan::words() const {
  const plan::Plan& p = state_->core->plan;
  const gemm::Totals& t = p.best.totals;
  return {t.words_total, p.mean_words, t.words_received, t.words_sent, p.bound_words, p.ratio, p.best.exact};
}

PlanSeconds Plan::seconds() const {
  const gemm::PhaseSeconds& s = state_->core->plan.best.seconds;
  return {s.gather_a, s.gather_b, s.gather, s.multiply, s.combine_c};
}

double Plan::predicted() const { return state_->core->plan.best.predicted; }
Index Plan::messages() const { return state_->core->plan.best.totals.messages_received; }
Index Plan::memory_bytes() const { return state_->core->plan.best.memory_bytes; }

std::vector<PlanCandidate> Plan::candidates() const {
  std::vector<PlanCandidate> all;
  std::ranges::transform(state_->core->plan.candidates, std::back_inserter(all), public_candidate);
  return all;
}

bool Plan::is_placed() const { return state_->is_placed(); }
bool Plan::a_stays() const { return stays(state_->schedule(), gemm::Matrix::a); }
bool Plan::b_stays() const { return stays(state_->schedule(), gemm::Matrix::b); }
bool Plan::c_stays() const { return stays(state_->schedule(), gemm::Matrix::c); }
Layout Plan::layout_a() const { return state_->layouts[0]; }
Layout Plan::layout_b() const { return state_->layouts[1]; }
Layout Plan::layout_c() const { return state_->layouts[2]; }

std::string Plan::describe() const { return gemm::describe(state_->schedule()); }

std::string Plan::explain() const {
  const PlanWords w = words();
  std::string text = fmt::format("{}, {} of {} ranks idle\n", describe(), idle_ranks(), ranks());
  for (std::size_t x = 0; is_placed() && x < 3; ++x)
    text += fmt::format("{}: {}\n", "ABC"[x], state_ -> layouts[x].text());
  text +=
      fmt::format("words received: {} by the busiest rank{}, {:.6g} on average, {} in all; sent by one: {}\n",
                  w.busiest, w.exact ? "" : " (not counted: the mean)", w.mean, w.total, w.sent);
  text += fmt::format("least possible for the busiest rank: {:.6g}; ratio {:.4g}\n", w.bound, w.ratio);
  text += fmt::format("messages {}, memory {} bytes per rank, predicted {:.3g} s\n", messages(),
                      memory_bytes(), predicted());
  text += fmt::format("{:>18}  {:>14}  {:>8}  {:>12}  {:>10}  {:>6}  {}\n", "bricks", "rounds", "in place",
                      "words", "seconds", "work", "why");
  for (const PlanCandidate& c : candidates())
    text +=
        fmt::format("{:>18}  {:>14}  {:>8}  {:>12}  {:>10.3g}  {:>6.3g}  {}\n", c.bricks,
                    detail::rounds_text(c.rounds), stays_text(c.stays), c.words, c.seconds, c.work, c.why);
  return text;
}

}  // namespace cairn
