#include "plan/plan.hpp"

#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>

#include "bounds/classical.hpp"
#include "gemm/compile.hpp"
#include "gemm/tree_count.hpp"
#include "plan/candidates.hpp"
#include "plan/fast.hpp"
#include "plan/search.hpp"
#include "plan/trees.hpp"
#include "program/count.hpp"
#include "program/simulate.hpp"

std::string_view cairn::name(Objective objective) {
  static constexpr std::array<std::string_view, 3> names{"time", "words", "volume"};
  return names[static_cast<std::size_t>(objective)];
}

namespace cairn::plan {

// On native layouts all have a slice each, and a rank sends what it receives but for a column.
Index busiest_words(const Candidate& c) {
  const gemm::Totals& t = c.totals;
  return c.schedule.placement ? std::max(t.words_received, t.words_sent) : t.words_received;
}

gemm::Totals counted_totals(const gemm::Schedule& s, int ranks) {
  gemm::Totals t{.ranks = s.placement ? ranks : gemm::bricks_of(s), .flops = gemm::brick_flops(s)};
  for (int rank = 0; rank < ranks; ++rank) {
    const program::Counts counts = program::count(gemm::compile(s, rank, ranks));
    const comm::Counters moved = counts.total();
    t.words_total += moved.received.words;
    t.words_received = std::max(t.words_received, moved.received.words);
    t.words_sent = std::max(t.words_sent, moved.sent.words);
    t.messages_received = std::max(t.messages_received, moved.received.messages);
    t.messages_sent = std::max(t.messages_sent, moved.sent.messages);
    t.work_bytes = std::max(t.work_bytes, counts.work_bytes + counts.transient_bytes);
  }
  return t;
}

double objective_of(const Candidate& c, const Settings& settings) {
  switch (settings.objective) {
    case Objective::words:
      return static_cast<double>(busiest_words(c));
    case Objective::volume:
      return static_cast<double>(c.totals.words_total);
    case Objective::time:
      break;
  }
  return c.predicted;
}

namespace {

using gemm::Schedule;

Schedule wanted_schedule(const gemm::Problem& p, const Settings& settings) {
  Schedule s{.problem = p, .lookahead = settings.lookahead, .transport = settings.transport};
  s.link.alpha = settings.machine.alpha;
  s.link.beta = settings.machine.beta / 8;
  if (settings.objective != Objective::time) s.collectives = gemm::Collectives::fewest_words;
  return s;
}

// A problem with nothing to multiply is laid out like the smallest one that has: its C must lie somewhere.
gemm::Problem with_work(gemm::Problem p) {
  p.m = std::max<Index>(p.m, 1);
  p.n = std::max<Index>(p.n, 1);
  p.k = std::max<Index>(p.k, 1);
  if (p.alpha == gemm::Coefficient::zero) p.alpha = gemm::Coefficient::one;
  return p;
}

Candidate cost_of(const Schedule& s, Index ranks, const Settings& settings) {
  Candidate c{.schedule = s};
  c.seconds = gemm::phase_seconds(s, settings.machine);
  c.predicted = c.seconds.total();
  if (s.lookahead > 0 && s.problem.multiplies())
    c.predicted = program::simulate(gemm::compile(s, 0), settings.machine).seconds;
  c.totals = gemm::totals(s);
  c.work =
      voxels(s.problem) > 0 ? gemm::largest_brick(s) * static_cast<double>(ranks) / voxels(s.problem) : 1;
  c.memory_bytes = memory_bytes(s, c.totals);
  return c;
}

// Rounds ahead and parts of C. Those that the model finds alike differ in practice: words arrive in bursts,
// which more rounds ahead even out. So the deepest come first, and stay unless another one is better.
struct Ahead {
  int lookahead;
  Index combines;
};
constexpr std::array depths{Ahead{3, 4}, Ahead{2, 4}, Ahead{1, 4}, Ahead{2, 1}, Ahead{1, 1}};

// The same grid in rounds that overlap, if some are done sooner and fit.
Candidate with_overlap(Candidate best, Index ranks, const Settings& settings) {
  constexpr Index most_rounds = 16;  // the BLAS is slow on thin bricks
  const gemm::Schedule plain = best.schedule;
  double least = best.predicted;
  for (const gemm::Dim along : gemm::all_dims)
    for (Index rounds = 2; rounds <= std::min<Index>(most_rounds, plain.problem.size(along)); rounds *= 2) {
      for (const Ahead& ahead : depths) {
        gemm::Schedule s = plain;
        s.rounds = {along, rounds};
        s.lookahead = ahead.lookahead;
        s.combines = ahead.combines;
        if (s.combines > most_combines(s) || (s.tree && s.lookahead > 1)) continue;
        const double judged =
            program::simulate(gemm::compile(s, 0), settings.machine).seconds * overlap_handicap(along);
        if (judged >= least) continue;
        const Candidate c = cost_of(s, ranks, settings);
        if (settings.memory_bytes && c.memory_bytes > *settings.memory_bytes) continue;
        best = c;
        least = judged;
      }
    }
  return best;
}

// Rounds along k, then n and m, the fewest powers of two that fit.
std::optional<Candidate> fitting(const Schedule& plain, Index ranks, const Settings& settings) {
  Candidate c = cost_of(plain, ranks, settings);
  if (!settings.memory_bytes || c.memory_bytes <= *settings.memory_bytes) return c;
  for (const gemm::Dim along : {gemm::Dim::k, gemm::Dim::n, gemm::Dim::m})
    for (Index rounds = 2; rounds <= std::min<Index>(1024, plain.problem.size(along)); rounds *= 2) {
      Schedule s = plain;
      s.rounds = {along, rounds};
      c = cost_of(s, ranks, settings);
      if (c.memory_bytes <= *settings.memory_bytes) return c;
    }
  return {};
}

bool too_much_work(const Candidate& c, const Settings& settings) {
  return settings.objective != Objective::time && c.work > settings.work_limit;
}

// Those of the trees that were found whose busiest rank moves fewest words, as schedules.
std::vector<Schedule> best_trees(const Schedule& wanted, int ranks) {
  constexpr std::size_t most = 8;
  std::vector<std::pair<Index, Schedule>> found;
  for (gemm::Tree& tree : find_trees(with_work(wanted.problem), ranks)) {
    Schedule s = wanted;
    s.tree = std::make_shared<const gemm::Tree>(std::move(tree));
    Index words = 0;
    for (const gemm::BrickWords& w : gemm::words_of_bricks(s)) words = std::max({words, w.received, w.sent});
    found.emplace_back(words, std::move(s));
  }
  std::ranges::stable_sort(found, {}, [](const auto& f) { return f.first; });
  std::vector<Schedule> best;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) best.push_back(std::move(found[i].second));
  return best;
}

// Every rank has a brick. Words are exact; for few ranks messages and memory, too, are those of the run.
std::vector<Candidate> tree_candidates(const gemm::Problem& p, int ranks, const Settings& settings) {
  std::vector<Candidate> all;
  if (settings.transport == Transport::one_sided || settings.lookahead > 1) return all;
  for (const Schedule& s : best_trees(wanted_schedule(p, settings), ranks))
    if (std::optional<Candidate> c = fitting(s, ranks, settings); c && !too_much_work(*c, settings))
      all.push_back(std::move(*c));
  return all;
}

void sort_candidates(std::vector<Candidate>& all, const Settings& settings) {
  std::ranges::stable_sort(all, {}, [&](const Candidate& c) {
    return std::tuple(too_much_work(c, settings), objective_of(c, settings), c.work);
  });
  if (std::cmp_greater(all.size(), settings.candidates))
    all.resize(static_cast<std::size_t>(settings.candidates));
}

// Messages and memory of a tree as the run will have them, where that takes no time.
void count_tree(Candidate& c, int ranks) {
  constexpr Index few = 64;
  if (!c.schedule.tree || ranks > few || c.schedule.rounds.count > few) return;
  const Index at_most = c.totals.work_bytes;
  c.totals = counted_totals(c.schedule, ranks);
  c.memory_bytes += c.totals.work_bytes - at_most;
}

double bound_of(const gemm::Problem& p, Index ranks, const Settings& settings) {
  if (!p.multiplies() || ranks == 1) return 0;
  const bounds::Product product{p.m, p.n, p.k};
  if (!settings.memory_bytes) return bounds::classical::memory_independent(product, ranks).words();
  const double memory = static_cast<double>(*settings.memory_bytes) / bytes(p.type);
  return bounds::classical::words_lower_bound(product, ranks, memory);
}

void finish(Plan& plan, const gemm::Problem& p, const Settings& settings) {
  const gemm::Totals& t = plan.best.totals;
  plan.bound_words = plan.best.schedule.steps ? 0 : std::max(0.0, bound_of(p, plan.ranks, settings));
  plan.mean_words = static_cast<double>(t.words_total) / static_cast<double>(t.ranks);
  if (t.words_received > 0)
    plan.ratio = plan.best.schedule.steps ? 0 : static_cast<double>(t.words_received) / plan.bound_words;
}

void check_arguments(const gemm::Problem& p, int ranks, const Settings& settings) {
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  gemm::check(Schedule{.problem = p}, 1);
  check(settings);
}

// A search looks at all grids, which takes seconds for a million ranks.
void check_searched(int ranks) {
  require(ranks <= most_searched_ranks,
          "ranks is {}, expected at most {} to look for the best grid; a named algorithm takes any number",
          ranks, most_searched_ranks);
}

// The phase in which it loses most.
std::string largest_loss(const gemm::PhaseSeconds& x, const gemm::PhaseSeconds& best) {
  const std::array losses{std::pair("gather A", x.gather_a - best.gather_a),
                          std::pair("gather B", x.gather_b - best.gather_b),
                          std::pair("multiply", x.multiply - best.multiply),
                          std::pair("combine C", x.combine_c - best.combine_c)};
  const auto worst =
      std::ranges::max_element(losses, {}, [](const std::pair<const char*, double>& l) { return l.second; });
  return worst->second > 0 ? fmt::format("most of it in {}", worst->first) : std::string();
}

}  // namespace

std::string why_lost(const Candidate& c, const Candidate& best, const Settings& settings) {
  const double mine = objective_of(c, settings), least = objective_of(best, settings);
  const bool time = settings.objective == Objective::time;
  const std::string_view what = time                                     ? "time"
                                : settings.objective == Objective::words ? "words on the busiest rank"
                                                                         : "words in all";
  if (mine <= least * (1 + 1e-12))
    return fmt::format("the same {}, {}", what,
                       c.work > best.work ? "more work on the busiest rank" : "no fewer ranks");
  const double more = least > 0 ? 100 * (mine / least - 1) : 100;
  std::string text = fmt::format("{:.3g}% more {}", more, what);
  if (time) {
    const std::string where = largest_loss(c.seconds, best.seconds);
    if (!where.empty()) text += ", " + where;
  }
  return text;
}

void check(const Settings& settings) {
  require(settings.work_limit >= 1, "work limit is {}, expected 1 or more", settings.work_limit);
  require(settings.candidates >= 1, "candidates is {}, expected 1 or more", settings.candidates);
  require(!settings.memory_bytes || *settings.memory_bytes > 0, "memory is {} bytes, expected more than 0",
          settings.memory_bytes.value_or(0));
}

bool operator==(const Settings& x, const Settings& y) {
  const auto key = [](const Settings& s) {
    return std::tuple(s.objective, s.work_limit, s.machine.alpha, s.machine.beta, s.machine.gamma,
                      s.machine.memory_words, s.memory_bytes, s.transport, s.lookahead, s.overlap,
                      s.candidates, s.trees, s.only_trees, s.one_layer, s.fast);
  };
  return key(x) == key(y) && (x.tree == y.tree || (x.tree && y.tree && *x.tree == *y.tree));
}

Objective parse_objective(std::string_view text) {
  for (const Objective o : {Objective::time, Objective::words, Objective::volume})
    if (text == name(o)) return o;
  fail<ArgumentError>("objective is '{}', expected time, words or volume", text);
}

Plan plan_multiply(const gemm::Problem& problem, int ranks, const Settings& settings) {
  check_arguments(problem, ranks, settings);
  check_searched(ranks);
  Index least_memory = 0;
  const std::vector<Found> found =
      search(wanted_schedule(with_work(problem), settings), ranks, settings, least_memory);
  std::vector<Candidate> trees;
  if (settings.trees && !settings.fast.is_forced()) trees = tree_candidates(problem, ranks, settings);
  const Index given = settings.memory_bytes.value_or(0);
  require<MemoryError>(!found.empty() || !trees.empty(),
                       "memory is {} bytes per rank, and the least that would do is {}", given, least_memory);
  Plan plan{.ranks = ranks};
  for (const Found& f : found) {
    Schedule s = f.schedule;
    s.problem = problem;
    plan.candidates.push_back(cost_of(s, ranks, settings));
  }
  if (!trees.empty()) {
    plan.candidates.insert(plan.candidates.end(), trees.begin(), trees.end());
    sort_candidates(plan.candidates, settings);
  }
  if (settings.overlap && settings.objective == Objective::time && problem.multiplies()) {
    for (Candidate& c : plan.candidates) c = with_overlap(c, ranks, settings);
    std::ranges::stable_sort(plan.candidates, {}, &Candidate::predicted);
  }
  if (settings.fast.allowed) add_fast(plan.candidates, problem, ranks, settings);
  count_tree(plan.candidates.front(), ranks);
  plan.best = plan.candidates.front();
  for (Candidate& c : plan.candidates) c.why = why_lost(c, plan.best, settings);
  plan.candidates.front().why = plan.best.why = fmt::format("chosen: least {}", name(settings.objective));
  finish(plan, problem, settings);
  return plan;
}

Index least_memory(const gemm::Problem& problem, int ranks, const Settings& settings) {
  check_arguments(problem, ranks, settings);
  check_searched(ranks);
  Settings nothing = settings;
  nothing.memory_bytes = 1;
  Index least = 0;
  const gemm::Schedule wanted = wanted_schedule(with_work(problem), nothing);
  const std::vector<Found> found = search(wanted, ranks, nothing, least);
  return found.empty() ? least : 1;
}

Plan plan_schedule(const Schedule& schedule, int ranks, const Settings& settings) {
  check_arguments(schedule.problem, ranks, settings);
  gemm::check(schedule, ranks);
  Plan plan{.ranks = ranks, .best = cost_of(schedule, ranks, settings)};
  count_tree(plan.best, ranks);
  plan.best.why = "given";
  plan.candidates = {plan.best};
  finish(plan, schedule.problem, settings);
  return plan;
}

const std::vector<std::string_view>& algorithm_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all{"auto", "cosma", "tree"};
    all.insert(all.end(), gemm::fixed_names().begin(), gemm::fixed_names().end());
    return all;
  }();
  return names;
}

namespace {

// The best tree; a grid where no tree is better than the grid it could be cut into.
Plan plan_tree(const gemm::Problem& problem, int ranks, const Settings& settings) {
  require(settings.transport == Transport::two_sided,
          "algorithm is 'tree' with one-sided transport, expected two-sided");
  Plan plan = plan_multiply(problem, ranks, settings);
  std::vector<Candidate> trees = tree_candidates(problem, ranks, settings);
  if (trees.empty()) return plan;
  sort_candidates(trees, settings);
  count_tree(trees.front(), ranks);
  plan.candidates = std::move(trees);
  plan.best = plan.candidates.front();
  for (Candidate& c : plan.candidates) c.why = why_lost(c, plan.best, settings);
  plan.candidates.front().why = plan.best.why = fmt::format("chosen: least {}", name(settings.objective));
  plan.ratio = 1;
  finish(plan, problem, settings);
  return plan;
}

}  // namespace

Plan plan_named(std::string_view name, const gemm::Problem& problem, int ranks, const Settings& settings,
                const gemm::NamedOptions& options) {
  if (names_fast(name)) return plan_multiply(problem, ranks, with_family(settings, name));
  require(std::ranges::count(algorithm_names(), name) > 0, "algorithm is '{}', expected one of {}, {}", name,
          fmt::join(algorithm_names(), ", "), fmt::join(fast_names(), ", "));
  if (name == "auto") return plan_multiply(problem, ranks, settings);
  if (name == "cosma") {
    Settings words = settings;
    words.objective = Objective::words;
    words.trees = false;
    return plan_multiply(problem, ranks, words);
  }
  if (name == "tree") return plan_tree(problem, ranks, settings);
  check_arguments(problem, ranks, settings);
  const Schedule fixed = gemm::named_schedule(name, problem, ranks, options);
  Schedule s = wanted_schedule(problem, settings);
  s.grid = fixed.grid;
  s.tree = fixed.tree;
  if (s.tree) s.lookahead = std::min(s.lookahead, 1);
  s.rounds = fixed.rounds;
  return plan_schedule(s, ranks, settings);
}

}  // namespace cairn::plan
