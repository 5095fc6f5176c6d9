#include "plan/fast.hpp"

#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "gemm/compile.hpp"
#include "gemm/fast/catalogue.hpp"
#include "gemm/fast/in_schedule.hpp"
#include "gemm/placement.hpp"
#include "plan/candidates.hpp"
#include "program/count.hpp"

namespace cairn::plan {
namespace {

using gemm::Dim;
using gemm::Matrix;
namespace fast = gemm::fast;
using Family = fast::Family;

// By how much steps must be sooner: sums and exchanges vary more from run to run than products do.
constexpr double step_handicap = 1.03;
// Up to so many products of all ranks together a schedule with steps is counted rank by rank; and up to so many
// ranks where exchanges are planned as well.
constexpr double most_counted_products = 512;
constexpr int most_counted_placed = 64;
constexpr std::size_t most_fast_tried =
    3;  // schedules with steps that are counted, the soonest by closed forms
// Nor is one counted that would have to come out by so much sooner than is estimated to be taken.
constexpr double counted_within = 1.1;

bool allows_levels(const Settings& s) {
  const Family f = s.fast.family;
  return s.fast.order == "auto" &&
         (f == Family::any || f == Family::strassen_in_2d || f == Family::strassen_in_25d);
}
bool allows_steps(const Settings& s) {
  return s.fast.family != Family::strassen_in_2d && s.fast.family != Family::strassen_in_25d;
}

fast::FastRates rates_of(const Settings& s) { return fast::rates_at(s.fast.rates, s.machine); }

// The largest product that a rank does at once.
fast::LocalProduct largest_product(const gemm::Schedule& s) {
  const auto side = [&](Dim d) {
    const Index part = ceil_div(s.problem.size(d), s.grid.extent(d));
    return s.rounds.along == d ? ceil_div(part, s.rounds.count) : part;
  };
  return {side(Dim::m), side(Dim::n), side(Dim::k)};
}

Index busiest(const gemm::Totals& t) { return std::max(t.words_received, t.words_sent); }

// ---- levels inside a brick -------------------------------------------------------------------------------

bool wants_levels(Family f) { return f == Family::strassen_in_2d || f == Family::strassen_in_25d; }

// The levels that pay within the limits. A family that is made of them has one where it can: where the sides are 2
// or more, and neither the memory nor the cap of the error forbids it.
std::vector<fast::Level> levels_within(const fast::LocalProduct& blas, ScalarType type,
                                       const fast::FastRates& rates, const fast::LocalLimits& limits,
                                       bool wanted) {
  fast::LocalProduct quick = choose_levels(blas, true, type, rates, limits);
  if (!quick.levels.empty() || !wanted || std::min({blas.m, blas.n, blas.k}) < 2) return quick.levels;
  quick.levels = fast::winograd_levels(1);
  const bool fits =
      limits.workspace_bytes < 0 || fast::most_workspace(quick) * bytes(type) <= limits.workspace_bytes;
  if (!fits || fast::error_growth(quick, type) > limits.max_error_growth) return {};
  return quick.levels;
}

// A classical candidate with the levels that pay in its bricks; none: BLAS is as fast, or the memory too small. A
// family of such bricks that was asked for has those without levels as well: nobody is left without a product
// because it is too small for a level.
std::optional<Candidate> with_levels(const Candidate& plain, const Settings& settings) {
  const gemm::Problem& p = plain.schedule.problem;
  if (plain.schedule.tree) return {};  // bricks of a tree are multiplied by BLAS
  if (!p.multiplies() || plain.schedule.transport != Transport::two_sided) return {};
  if (settings.fast.family == Family::strassen_in_2d && plain.schedule.grid.pk > 1) return {};
  const bool wanted = wants_levels(settings.fast.family);
  const fast::FastRates rates = rates_of(settings);
  const fast::LocalProduct blas = largest_product(plain.schedule);
  fast::LocalLimits limits{.max_error_growth = settings.fast.max_error_growth};
  if (settings.memory_bytes)
    limits.workspace_bytes = std::max<Index>(0, *settings.memory_bytes - plain.memory_bytes);
  fast::LocalProduct quick = blas;
  quick.levels = levels_within(blas, p.type, rates, limits, wanted);
  if (quick.levels.empty()) return wanted ? std::optional(plain) : std::nullopt;
  Candidate c = plain;
  c.schedule.fast_levels = static_cast<int>(quick.levels.size());
  c.error_growth = fast::error_growth(fast::fast_schedule_of(c.schedule));
  if (c.error_growth > settings.fast.max_error_growth) return wanted ? std::optional(plain) : std::nullopt;
  c.memory_bytes += fast::most_workspace(quick) * bytes(p.type);
  if (settings.memory_bytes && c.memory_bytes > *settings.memory_bytes)
    return wanted ? std::optional(plain) : std::nullopt;
  c.kernel = predicted_seconds(quick, true, p.type, rates) / predicted_seconds(blas, true, p.type, rates);
  const double saved = c.seconds.multiply * (1 - c.kernel);
  c.seconds.multiply -= saved;
  c.predicted =
      std::max(c.seconds.multiply, c.predicted - saved);  // what overlaps is never less than the products
  if (!c.how.empty()) c.how += fmt::format(", {} fast levels inside", c.schedule.fast_levels);
  return c;
}

// ---- steps -----------------------------------------------------------------------------------------------

fast::FastOptions options_of(const gemm::Problem& p, const Settings& settings) {
  fast::FastOptions o;
  o.machine = settings.machine;
  o.rates = settings.fast.rates;
  o.algorithm = settings.fast.algorithm;
  o.family = settings.fast.family;
  o.order = settings.fast.order;
  o.max_error_growth = settings.fast.max_error_growth;
  if (settings.memory_bytes) o.memory_words = static_cast<double>(*settings.memory_bytes) / bytes(p.type);
  return o;
}

Candidate as_candidate(const fast::FastCandidate& f, int ranks, const Settings& settings) {
  Candidate c{.schedule = fast::schedule_of(f.schedule), .exact = false};
  c.schedule.link.alpha = settings.machine.alpha;
  c.schedule.link.beta = settings.machine.beta / 8;
  const auto whole = [](double x) { return static_cast<Index>(x + 0.5); };
  const Index used = f.schedule.ranks();
  c.totals = {.ranks = used,
              .words_total = whole(f.cost.words * static_cast<double>(used)),
              .words_received = whole(f.cost.words),
              .words_sent = whole(f.cost.words),
              .messages_received = whole(f.cost.messages),
              .messages_sent = whole(f.cost.messages),
              .flops = f.cost.flops};
  c.seconds.multiply = f.cost.sum_seconds + f.cost.multiply_seconds;
  c.work = static_cast<double>(ranks) / static_cast<double>(used);
  c.memory_bytes = whole(f.cost.memory_words) * bytes(f.schedule.problem.type);
  c.error_growth = f.growth;
  c.how = fmt::format("{} steps", fast::order_of(f.schedule.steps));
  return c;
}

// What moves, whatever the layouts, at the rate of the busiest rank.
void set_step_seconds(Candidate& c, const Settings& settings) {
  const double words8 = static_cast<double>(busiest(c.totals)) * bytes(c.schedule.problem.type) / 8;
  c.seconds.gather = settings.machine.alpha * static_cast<double>(c.totals.messages_received) +
                     settings.machine.beta * words8;
  c.predicted = c.seconds.total();
}

double judged(const Candidate& c, const Settings& settings) {
  return objective_of(c, settings) * (c.schedule.steps ? step_handicap : 1);
}

// On the Programs of all ranks that work, or of all where the matrices are placed; of no more ranks than it takes to
// know that it is above `most`: the busiest rank only becomes busier.
void count_steps(Candidate& c, int ranks, double most, const Settings& settings) {
  const bool placed = c.schedule.placement != nullptr;
  const int counted = placed ? ranks : static_cast<int>(c.totals.ranks);
  gemm::Totals t{.ranks = counted, .flops = c.totals.flops};
  c.memory_bytes = 0;
  for (int rank = 0; rank < counted; ++rank) {
    const program::Program program = gemm::compile(c.schedule, rank, ranks);
    const program::Counts counts = program::count(program);
    const comm::Counters moved = counts.total();
    t.words_total += moved.received.words;
    t.words_received = std::max(t.words_received, moved.received.words);
    t.words_sent = std::max(t.words_sent, moved.sent.words);
    t.messages_received = std::max(t.messages_received, moved.received.messages);
    t.messages_sent = std::max(t.messages_sent, moved.sent.messages);
    t.work_bytes = std::max(t.work_bytes, counts.held_bytes());
    Index held = counts.held_bytes();
    for (std::size_t i = 1; i < program.array_counts.size(); ++i)
      held += program.array_counts[i] * bytes(program.type);
    c.memory_bytes = std::max(c.memory_bytes, held);
    c.totals = t;
    set_step_seconds(c, settings);
    if (judged(c, settings) > most) return;
  }
  c.exact = true;
}

// Every product of a DFS step is an action of its own.
bool can_be_counted(const Candidate& c, int ranks) {
  double products = ranks;
  for (const fast::FastStep& step : c.schedule.steps->all)
    if (step.kind == fast::StepKind::dfs) products *= step.algorithm->rank();
  return products <= most_counted_products;
}

// Schedules with steps, the soonest first, not yet counted.
std::vector<Candidate> step_candidates(const gemm::Problem& p, int ranks, const Settings& settings) {
  std::vector<Candidate> found;
  if (!allows_steps(settings) || !p.multiplies()) return found;
  for (const fast::FastCandidate& f : fast::find_candidates(p, ranks, options_of(p, settings)))
    if (!f.schedule.steps.empty()) {
      found.push_back(as_candidate(f, ranks, settings));
      set_step_seconds(found.back(), settings);
    }
  std::ranges::stable_sort(found, {}, [&](const Candidate& c) { return objective_of(c, settings); });
  if (found.size() > static_cast<std::size_t>(settings.candidates))
    found.resize(static_cast<std::size_t>(settings.candidates));
  return found;
}

// op(A), op(B) and the product are copied besides: both ends of an exchange pass over them.
void place_steps(Candidate& c, const std::array<layout::Layout, 3>& matrices, int ranks,
                 const Settings& settings) {
  auto placement = std::make_shared<gemm::Placement>();
  placement->matrices = matrices;
  c.schedule.placement = std::move(placement);
  double elements = 0;
  for (const layout::Layout& l : matrices)
    elements += static_cast<double>(l.rows()) * static_cast<double>(l.columns());
  const double share = elements / ranks;
  const ScalarType type = c.schedule.problem.type;
  c.seconds.multiply += 2 * share * bytes(type) / 8 * settings.machine.copy;
  c.totals.words_total += static_cast<Index>(elements);
  c.totals.words_received += static_cast<Index>(share);
  c.totals.words_sent += static_cast<Index>(share);
  c.totals.messages_received += ranks;
  c.totals.messages_sent += ranks;
  c.memory_bytes += static_cast<Index>(share * bytes(type));
  set_step_seconds(c, settings);
}

// ---- peeling ---------------------------------------------------------------------------------------------

// What is left of a product without the part that the steps divide: the rest of k for that part, then the last columns,
// then the last rows.
struct Part {
  std::array<Index, 3> first;
  gemm::Problem problem;
};
std::vector<Part> rests_of(const gemm::Problem& p, const gemm::Problem& core) {
  std::vector<Part> parts;
  const auto part = [&](std::array<Index, 3> first, Index m, Index n, Index k) {
    gemm::Problem x = p;
    x.m = m;
    x.n = n;
    x.k = k;
    if (voxels(x) > 0) parts.push_back({first, x});
  };
  part({0, 0, core.k}, core.m, core.n, p.k - core.k);
  if (!parts.empty()) parts.front().problem.beta = gemm::Coefficient::one;  // behind the steps
  part({0, core.n, 0}, p.m, p.n - core.n, p.k);
  part({core.m, 0, 0}, p.m - core.m, core.n, p.k);
  return parts;
}

// Seconds at least: a thin product reads its largest matrix, or adds to it, once.
double least_seconds_of_rests(const std::vector<Part>& parts, int ranks, const Settings& settings) {
  double words = 0;
  for (const Part& x : parts) {
    const auto m = static_cast<double>(x.problem.m), n = static_cast<double>(x.problem.n),
               k = static_cast<double>(x.problem.k);
    words += std::max({m * k, k * n, m * n}) * bytes(x.problem.type) / 8;
  }
  return words / ranks * settings.machine.copy;
}

// Steps on what they divide, and classical products of the rest, each the best for where the matrices lie; none where
// padding is surely sooner, which it is unless the parts of all steps are many for the sizes.
std::optional<Candidate> peeled(const Candidate& padded, const std::array<layout::Layout, 3>& matrices,
                                int ranks, const Settings& settings) {
  const gemm::Problem& p = padded.schedule.problem;
  fast::FastSchedule steps = fast::fast_schedule_of(padded.schedule);
  const fast::FastRates rates = rates_of(settings);
  const fast::FastCost with_padding = cost_of(steps, rates);
  steps.problem = fast::core_of(p, steps.steps);
  const std::vector<Part> parts = rests_of(p, steps.problem);
  if (parts.empty() || voxels(steps.problem) == 0) return {};
  const fast::FastCost core = cost_of(steps, rates);
  const double saved =
      seconds_of(with_padding, settings.machine, p.type) - seconds_of(core, settings.machine, p.type);
  if (saved < least_seconds_of_rests(parts, ranks, settings)) return {};

  Candidate c = padded;
  auto with_rests = std::make_shared<fast::Steps>(*padded.schedule.steps);
  Settings classical = settings;
  classical.fast = {};
  classical.memory_bytes.reset();
  c.seconds.multiply +=
      core.sum_seconds + core.multiply_seconds - with_padding.sum_seconds - with_padding.multiply_seconds;
  c.totals.flops += core.flops - with_padding.flops;
  for (const Part& part : parts) {
    const Plan rest =
        plan_multiply(part.problem, fast::parts_of(matrices, part.problem, part.first), ranks, classical);
    const gemm::Totals& t = rest.best.totals;
    c.seconds.multiply += rest.best.seconds.multiply;
    c.totals.words_total += t.words_total;
    c.totals.words_received += t.words_received;
    c.totals.words_sent += t.words_sent;
    c.totals.messages_received += t.messages_received;
    c.totals.messages_sent += t.messages_sent;
    c.totals.flops += t.flops;
    with_rests->rests.push_back({part.first, rest.best.schedule});
  }
  c.schedule.steps = std::move(with_rests);
  c.how += ", the rest peeled off";
  set_step_seconds(c, settings);
  return c;
}

// ---- all together ----------------------------------------------------------------------------------------

bool is_fast(const Candidate& c) { return c.schedule.steps || c.schedule.fast_levels > 0; }

// What a schedule with steps must be below to be taken: anything, where steps are asked for.
double best_of(const std::vector<Candidate>& candidates, const Settings& settings) {
  double best = HUGE_VAL;
  if (settings.fast.is_forced()) return best;
  for (const Candidate& c : candidates) best = std::min(best, judged(c, settings));
  return best;
}
// And to be counted to its end: what loses is shown as well, unless nobody looks.
double most_to_count(double best, const Settings& settings) {
  return settings.fast.only_best ? best : HUGE_VAL;
}

void sort(std::vector<Candidate>& all, const Settings& settings) {
  std::ranges::stable_sort(all, {}, [&](const Candidate& c) { return judged(c, settings); });
}

// The best few, and the best classical one, which shows what the fast ones bring.
void keep_best(std::vector<Candidate>& all, const Settings& settings) {
  const auto most = static_cast<std::size_t>(settings.candidates);
  if (all.size() <= most) return;
  const auto plain = std::ranges::find_if_not(all, is_fast);
  if (plain != all.end() && plain - all.begin() >= settings.candidates) std::swap(all[most - 1], *plain);
  all.resize(most);
}

void drop_what_is_too_large(std::vector<Candidate>& steps, const Settings& settings) {
  if (!settings.memory_bytes) return;
  std::erase_if(steps, [&](const Candidate& c) { return c.memory_bytes > *settings.memory_bytes; });
}

// What stands in the way of what was asked for, besides the memory.
std::string obstacle(const gemm::Problem& p, int ranks, const Settings& settings) {
  const auto algorithm = settings.fast.algorithm ? settings.fast.algorithm : fast::bilinear_of("winograd");
  if (settings.fast.family == Family::caps && ranks < algorithm->rank())
    return fmt::format(": a B step of {} needs {} ranks; strassen-2d and strassen-2.5d need no more than one",
                       algorithm->name, algorithm->rank());
  const double one = fast::error_growth(fast::FastSchedule{p, fast::parse_steps("D", algorithm), {}, {}, {}});
  if (allows_steps(settings) && one > settings.fast.max_error_growth)
    return fmt::format(": one step of {} has {:.3g}", algorithm->name, one);
  return "";
}

void add_all(std::vector<Candidate>& candidates, std::vector<Candidate> steps, const gemm::Problem& p,
             int ranks, const Settings& settings) {
  std::vector<Candidate> all = std::move(steps);
  drop_what_is_too_large(all, settings);
  if (allows_levels(settings))
    for (const Candidate& c : candidates)
      if (auto quick = with_levels(c, settings)) all.push_back(std::move(*quick));
  const bool forced = settings.fast.is_forced() && p.multiplies();
  require(!forced || !all.empty(),
          "no schedule of {} with steps '{}' and error growth up to {:.3g} fits {} on {} ranks{}{}",
          name(settings.fast.family), settings.fast.order, settings.fast.max_error_growth, describe(p), ranks,
          settings.memory_bytes ? fmt::format(" and {} bytes", *settings.memory_bytes) : "",
          obstacle(p, ranks, settings));
  if (!forced) all.insert(all.begin(), candidates.begin(), candidates.end());
  sort(all, settings);
  keep_best(all, settings);
  candidates = std::move(all);
}

}  // namespace

const std::vector<std::string_view>& fast_names() {
  static const std::vector<std::string_view> names{name(Family::caps), name(Family::strassen_2d),
                                                   name(Family::strassen_25d), name(Family::strassen_in_2d),
                                                   name(Family::strassen_in_25d)};
  return names;
}

bool names_fast(std::string_view algorithm) { return std::ranges::count(fast_names(), algorithm) > 0; }

Settings with_family(Settings settings, std::string_view name) {
  settings.fast.allowed = true;
  settings.fast.family = fast::parse_family(name);
  settings.one_layer = settings.fast.family == Family::strassen_in_2d;
  return settings;
}

void add_fast(std::vector<Candidate>& candidates, const gemm::Problem& p, int ranks,
              const Settings& settings) {
  std::vector<Candidate> steps = step_candidates(p, ranks, settings);
  const double best = best_of(candidates, settings);
  for (std::size_t i = 0; i < std::min(most_fast_tried, steps.size()); ++i)
    if (judged(steps[i], settings) <= counted_within * best &&
        can_be_counted(steps[i], static_cast<int>(steps[i].totals.ranks)))
      count_steps(steps[i], ranks, most_to_count(best, settings), settings);
  add_all(candidates, std::move(steps), p, ranks, settings);
}

void add_fast_placed(std::vector<Candidate>& candidates, const gemm::Problem& p,
                     const std::array<layout::Layout, 3>& matrices, int ranks, const Settings& settings) {
  for (Candidate& c : candidates)
    if (c.memory_bytes == 0) c.memory_bytes = memory_of_placed(c.schedule, ranks);
  std::vector<Candidate> steps = step_candidates(p, ranks, settings);
  std::vector<Candidate> with_peeling;
  const double best = best_of(candidates, settings);
  const auto count = [&](Candidate& c) {
    if (ranks <= most_counted_placed && judged(c, settings) <= counted_within * best &&
        can_be_counted(c, ranks))
      count_steps(c, ranks, most_to_count(best, settings), settings);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool too_slow = judged(steps[i], settings) > best;  // even if nothing had to move in or out
    place_steps(steps[i], matrices, ranks, settings);
    if (i >= most_fast_tried) continue;
    if (auto other = peeled(steps[i], matrices, ranks, settings)) {
      count(*other);
      with_peeling.push_back(std::move(*other));
    }
    if (!too_slow) count(steps[i]);
  }
  std::ranges::move(with_peeling, std::back_inserter(steps));
  add_all(candidates, std::move(steps), p, ranks, settings);
}

double error_bound(const gemm::Schedule& s) {
  return fast::error_bound(fast::fast_schedule_of(s)).product * fast::unit_roundoff(s.problem.type);
}

std::string fast_hint(const Plan& plan, const Settings& settings) {
  const gemm::Schedule& s = plan.best.schedule;
  Settings allowed = settings;
  allowed.fast.allowed = true;
  allowed.fast.only_best = true;
  const auto ranks = static_cast<int>(plan.ranks);
  std::vector<Candidate> all{plan.best};
  if (s.placement)
    add_fast_placed(all, s.problem, s.placement->matrices, ranks, allowed);
  else
    add_fast(all, s.problem, ranks, allowed);
  const Candidate& best = all.front();
  if (!is_fast(best)) return "would not be faster";
  return fmt::format("{}, {} fast level{} inside: {:.3g} times as fast, error bound {:.3g} times larger",
                     best.schedule.steps ? fast::describe_steps(best.schedule) : "the same bricks",
                     best.schedule.fast_levels, best.schedule.fast_levels == 1 ? "" : "s",
                     plan.best.predicted / best.predicted, best.error_growth);
}

}  // namespace cairn::plan
