#include "cairn/plan.hpp"

#include <algorithm>
#include <bit>

#include "api/checks.hpp"
#include "api/plan_state.hpp"
#include "comm/agreement.hpp"
#include "gemm/fast/catalogue.hpp"
#include "gemm/fast/in_schedule.hpp"
#include "gemm/placement.hpp"
#include "plan/fast.hpp"

namespace cairn {
namespace {

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
  s.rounds = o.rounds && o.rounds->count != 1 ? *o.rounds : Rounds{};
  return plan::plan_schedule(s, ranks, settings);
}

plan::Plan make_plan(const gemm::Problem& p, int ranks, const PlanOptions& o) {
  detail::check(o);
  const plan::Settings settings = detail::settings_of(o);
  plan::Plan made = o.grid || !o.tree.empty() || o.rounds
                        ? plan_given(p, ranks, o, settings)
                        : plan::plan_named(o.algorithm, p, ranks, settings, {.layers = o.layers});
  require<MemoryError>(!o.memory_bytes || made.best.memory_bytes <= *o.memory_bytes,
                       "memory is {} bytes per rank, and {} needs {}", o.memory_bytes.value_or(0),
                       gemm::describe(made.best.schedule), made.best.memory_bytes);
  if (made.best.schedule.steps) made.best.schedule = gemm::fast::where_dealt(made.best.schedule);
  return made;
}

Layout native_layout(const std::shared_ptr<const detail::PlanCore>& core, gemm::Matrix x) {
  return Layout(std::make_shared<const detail::LayoutState>(core, x));
}

std::array<bool, 3> which_stay(const gemm::Schedule& s) {
  return {stays(s, gemm::Matrix::a), stays(s, gemm::Matrix::b), stays(s, gemm::Matrix::c)};
}

std::string order_of(const gemm::Schedule& s) {
  return s.steps ? gemm::fast::order_of(s.steps->all) : std::string();
}

PlanCandidate public_candidate(const plan::Candidate& c) {
  const gemm::Schedule& s = c.schedule;
  return {.grid = {s.grid.pm, s.grid.pn, s.grid.pk},
          .bricks = gemm::describe_bricks(s),
          .rounds = s.rounds,
          .stays = which_stay(s),
          .words = c.totals.words_received,
          .exact = c.exact,
          .seconds = c.predicted,
          .work = c.work,
          .memory_bytes = c.memory_bytes,
          .why = c.why,
          .steps = order_of(s),
          .fast_levels = s.fast_levels};
}

// "[2, 1, 1]", "m(2:3)", "BB [1, 1, 1] +2": steps before, levels inside.
std::string bricks_text(const PlanCandidate& c) {
  std::string text = c.bricks;
  if (!c.steps.empty()) text = c.steps + " " + text;
  return c.fast_levels == 0 ? text : fmt::format("{} +{}", text, c.fast_levels);
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
  s.objective = o.objective;
  s.work_limit = o.work_limit;
  s.machine = o.machine;
  s.memory_bytes = o.memory_bytes;
  s.transport = o.transport;
  s.lookahead = o.lookahead;
  s.overlap = o.overlap;
  s.candidates = o.candidates;
  s.fast.allowed = o.fast != "off";
  if (s.fast.allowed) s.fast.order = o.fast;
  if (s.fast.allowed || plan::names_fast(o.algorithm))
    s.fast.algorithm = gemm::fast::bilinear_of(o.fast_entry);
  if (o.max_error_growth) s.fast.max_error_growth = *o.max_error_growth;
  return s;
}

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
                                    std::pair("gamma", o.machine.gamma), std::pair("copy", o.machine.copy)})
    require(value >= 0 && value <= 1e6, "{} of the machine is {} seconds, expected 0 or more", name, value);
  const bool fast = o.fast != "off" || plan::names_fast(o.algorithm);
  require(
      !fast || (!o.grid && !o.rounds && !o.layers && o.transport == Transport::two_sided && o.lookahead == 0),
      "fast is '{}' with algorithm '{}' and a grid, rounds, layers, transport or lookahead, expected none of "
      "them",
      o.fast, o.algorithm);
  if (o.fast != "off" && o.fast != "auto") gemm::fast::parse_steps(o.fast, nullptr);
  require(o.fast == "off" || o.algorithm == "auto" || plan::names_fast(o.algorithm),
          "fast is '{}' with algorithm '{}', expected auto, caps, strassen-2d, strassen-2.5d, 2d-strassen or "
          "2.5d-strassen",
          o.fast, o.algorithm);
  require(!o.max_error_growth || *o.max_error_growth >= 1, "max_error_growth is {}, expected 1 or more",
          o.max_error_growth.value_or(1));
  plan::check(settings_of(o));
}

std::string detail::rounds_text(const Rounds& r) {
  if (r.count == 1) return "1";
  return fmt::format("{} along {}", r.count, name(r.along));
}

gemm::Problem detail::problem_of(const Product& p) {
  return {.m = p.m, .n = p.n, .k = p.k, .op_a = p.op_a, .op_b = p.op_b, .type = p.type};
}

bool detail::name_a_schedule(const PlanOptions& o) {
  return (o.algorithm != "auto" && !plan::names_fast(o.algorithm)) || o.grid || !o.tree.empty() || o.rounds ||
         o.layers || o.transport != Transport::two_sided || o.lookahead != 0;
}

detail::PlanState::PlanState(std::shared_ptr<const PlanCore> planned)
    : core(std::move(planned)),
      layouts{native_layout(core, gemm::Matrix::a), native_layout(core, gemm::Matrix::b),
              native_layout(core, gemm::Matrix::c)} {}

detail::PlanState::PlanState(std::shared_ptr<const PlanCore> planned, const std::array<Layout, 3>& placed)
    : core(std::move(planned)), layouts(placed) {}

std::array<Layout, 3> detail::dealt_layouts(const std::shared_ptr<const PlanCore>& core) {
  const auto made = [&](gemm::Matrix x) {
    return Layout(std::make_shared<const LayoutState>(layout_of(core->schedule(), x), Native{core, x}));
  };
  return {made(gemm::Matrix::a), made(gemm::Matrix::b), made(gemm::Matrix::c)};
}

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
                            std::bit_cast<Index>(o.machine.gamma),
                            std::bit_cast<Index>(o.machine.copy),
                            std::bit_cast<Index>(o.max_error_growth.value_or(0)),
                            static_cast<Index>(o.scaled)};
  for (const std::string* text : {&o.algorithm, &o.fast, &o.fast_entry, &o.tree}) {
    values.insert(values.end(), text->begin(), text->end());
    values.push_back(-1);
  }
  return comm::fingerprint(values);
}

std::vector<comm::Argument> detail::arguments_of(const PlanOptions& o) {
  const auto given = [](const auto& x) { return x ? fmt::format("{}", *x) : std::string("not given"); };
  return {
      {"algorithm", o.algorithm},
      {"objective", std::string(name(o.objective))},
      {"work_limit", comm::scalar_text(o.work_limit)},
      {"grid", o.grid ? fmt::format("[{}, {}, {}]", (*o.grid)[0], (*o.grid)[1], (*o.grid)[2]) : "not given"},
      {"tree", o.tree.empty() ? "not given" : o.tree},
      {"rounds", o.rounds ? rounds_text(*o.rounds) : "not given"},
      {"layers", given(o.layers)},
      {"memory_bytes", given(o.memory_bytes)},
      {"transport", o.transport == Transport::one_sided ? "one_sided" : "two_sided"},
      {"lookahead", std::to_string(o.lookahead)},
      {"overlap", o.overlap ? "true" : "false"},
      {"alpha of the machine", comm::scalar_text(o.machine.alpha)},
      {"beta of the machine", comm::scalar_text(o.machine.beta)},
      {"gamma of the machine", comm::scalar_text(o.machine.gamma)},
      {"copy of the machine", comm::scalar_text(o.machine.copy)},
      {"fast", o.fast},
      {"fast_entry", o.fast_entry},
      {"max_error_growth", given(o.max_error_growth)},
      {"scaled", o.scaled ? "true" : "false"}};
}

namespace {

void check_ops(const Product& product) {
  detail::check_op("op_a", product.op_a);
  detail::check_op("op_b", product.op_b);
}

}  // namespace

Plan plan_multiply(const Product& product, int ranks, const PlanOptions& options) {
  check_ops(product);
  const auto core = std::make_shared<const detail::PlanCore>(
      detail::PlanCore{product, options, make_plan(detail::problem_of(product), ranks, options)});
  return Plan(core->schedule().placement
                  ? std::make_shared<const detail::PlanState>(core, detail::dealt_layouts(core))
                  : std::make_shared<const detail::PlanState>(core));
}

Plan plan_multiply(const Product& product, const Layout& a, const Layout& b, const Layout& c, int ranks,
                   const PlanOptions& options) {
  check_ops(product);
  require(!detail::name_a_schedule(options),
          "algorithm '{}', grid, rounds, layers, transport or lookahead are given, expected none of them: a "
          "plan for given layouts chooses its own",
          options.algorithm);
  detail::check(options);
  plan::Settings settings = detail::settings_of(options);
  if (plan::names_fast(options.algorithm)) settings = plan::with_family(settings, options.algorithm);
  plan::Plan made =
      plan::plan_multiply(detail::problem_of(product),
                          {a.state().general(), b.state().general(), c.state().general()}, ranks, settings);
  return Plan(std::make_shared<const detail::PlanState>(
      std::make_shared<const detail::PlanCore>(detail::PlanCore{product, options, std::move(made)}),
      std::array{a, b, c}));
}

Machine load_machine(const std::string& file) { return bounds::load_machine(file); }

const std::vector<std::string_view>& algorithm_names() { return plan::algorithm_names(); }
const std::vector<std::string_view>& fast_algorithm_names() { return plan::fast_names(); }

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
Rounds Plan::rounds() const { return state_->schedule().rounds; }

PlanWords Plan::words() const {
  const plan::Plan& p = state_->core->plan;
  const gemm::Totals& t = p.best.totals;
  return {.total = t.words_total,
          .mean = p.mean_words,
          .busiest = t.words_received,
          .sent = t.words_sent,
          .bound = p.bound_words,
          .ratio = p.ratio,
          .exact = p.best.exact};
}

PlanSeconds Plan::seconds() const {
  const gemm::PhaseSeconds& s = state_->core->plan.best.seconds;
  return {.gather_a = s.gather_a,
          .gather_b = s.gather_b,
          .gather = s.gather,
          .multiply = s.multiply,
          .combine_c = s.combine_c};
}

double Plan::predicted() const { return state_->core->plan.best.predicted; }
Index Plan::messages() const { return state_->core->plan.best.totals.messages_received; }
Index Plan::memory_bytes() const { return state_->core->plan.best.memory_bytes; }

std::vector<PlanCandidate> Plan::candidates() const {
  std::vector<PlanCandidate> all;
  std::ranges::transform(state_->core->plan.candidates, std::back_inserter(all), public_candidate);
  return all;
}

std::string Plan::steps() const { return order_of(state_->schedule()); }
int Plan::levels() const { return static_cast<int>(steps().size()) + state_->schedule().fast_levels; }
double Plan::error_bound() const { return plan::error_bound(state_->schedule()); }
double Plan::error_growth() const { return state_->core->plan.best.error_growth; }

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
  if (steps().empty())
    text += fmt::format("least possible for the busiest rank: {:.6g}; ratio {:.4g}\n", w.bound, w.ratio);
  text += fmt::format("messages {}, memory {} bytes per rank, predicted {:.3g} s\n", messages(),
                      memory_bytes(), predicted());
  text += fmt::format("error bound {:.3g} max|A| max|B|{}\n", error_bound(),
                      levels() == 0 ? "" : fmt::format(", {:.3g} times the classical one", error_growth()));
  if (options().fast == "off" && levels() == 0 && options().transport == Transport::two_sided &&
      detail::problem_of(product()).multiplies())
    text += fmt::format("fast steps, if allowed: {}\n",
                        plan::fast_hint(state_->core->plan, detail::settings_of(options())));
  text += fmt::format("{:>18}  {:>14}  {:>8}  {:>12}  {:>10}  {:>6}  {}\n", "bricks", "rounds", "in place",
                      "words", "seconds", "work", "why");
  for (const PlanCandidate& c : candidates())
    text +=
        fmt::format("{:>18}  {:>14}  {:>8}  {:>12}  {:>10.3g}  {:>6.3g}  {}\n", bricks_text(c),
                    detail::rounds_text(c.rounds), stays_text(c.stays), c.words, c.seconds, c.work, c.why);
  return text;
}

}  // namespace cairn
