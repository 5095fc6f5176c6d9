// Planning for matrices that already lie somewhere: plan_multiply with layouts.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "bounds/classical.hpp"
#include "gemm/compile.hpp"
#include "gemm/placed_count.hpp"
#include "gemm/placed_tree.hpp"
#include "layout/matching/relabel.hpp"
#include "plan/candidates.hpp"
#include "plan/fast.hpp"
#include "plan/trees.hpp"
#include "program/simulate.hpp"

namespace cairn::plan {
namespace {

using gemm::Cut;
using gemm::Dim;
using gemm::Matrix;
using gemm::Placement;
using gemm::Schedule;
using layout::Layout;

// Up to so many ranks all candidates are counted on every rank, and many grids are looked at.
constexpr int few_ranks = 64;
// Up to so many the best few are; beyond that nothing is counted but the mean.
constexpr int most_counted_ranks = 4096;

// A dimension dealt as one of the matrices that have it: C first, which then need not be summed elsewhere.
Cut dealt(const Schedule& p, Dim d, int parts) {
  for (const Matrix x : {Matrix::c, Matrix::a, Matrix::b})
    if (missing(x) != d && map_of(p, x, d).block() > 0) return Cut::by(map_of(p, x, d).dealt_to(parts));
  return {parts};
}

// Bricks on the first ranks.
Schedule unseated(const gemm::Problem& problem, Placement p) {
  p.ranks.resize(static_cast<std::size_t>(p.grid().ranks()));
  std::iota(p.ranks.begin(), p.ranks.end(), 0);
  Schedule s = schedule_on(problem, std::move(p));
  const bool sums_first = is_better_summed_first(s);
  change_placement(s, [&](Placement& placed) { placed.sums_first = sums_first; });
  return s;
}

// Bricks on those ranks that have most of their faces: A and B to fill them, C to be summed at home.
void seat(Schedule& s, int ranks) {
  const gemm::Problem& problem = s.problem;
  const gemm::Grid g = s.grid;
  std::vector<layout::RelabelledMove> moves;
  for (const Matrix x : {Matrix::a, Matrix::b}) moves.push_back({layout_of(s, x), faces_of_round(s, x, 0)});
  // The faces of C on all layers, as if each were to be filled: a rank that owns a part of its face keeps it.
  const auto& cuts = s.placement->cuts;
  moves.push_back({layout_of(s, Matrix::c),
                   Layout::on_mesh(layout::Mesh({g.pm, g.pn, g.pk}), {cuts[0].of_range(0, problem.m), {0}},
                                   {cuts[1].of_range(0, problem.n), {1}})});
  std::vector<int> seats = layout::relabel(moves, ranks).rank_of;
  change_placement(s, [&](Placement& placed) { placed.ranks = std::move(seats); });
}

// The same for a tree: what each rank owns of each face.
void seat_tree(Schedule& s, int ranks) {
  const std::vector<gemm::Box> boxes = boxes_of(s);
  const layout::BenefitTable owned(
      static_cast<int>(boxes.size()), ranks, [&](int brick, layout::BenefitTable::Row& row) {
        for (const Matrix x : gemm::all_matrices)
          for_each_owner_of_face(layout_of(s, x), face_of(s, x, boxes[static_cast<std::size_t>(brick)]),
                                 [&](int rank, Index words) { row.add(rank, words); });
      });
  std::vector<int> seats = layout::assign_positions(owned).rank_of;
  change_placement(s, [&](Placement& placed) { placed.ranks = std::move(seats); });
}

// Words of exchanges are packed where they leave and unpacked where they arrive.
Machine with_packing(Machine machine) {
  machine.beta += 2 * machine.copy;
  return machine;
}

// Gathers and combines are judged together: the larger of what the busiest rank sends and receives.
void set_seconds(Candidate& c, const Settings& settings, int ranks) {
  const gemm::Problem& q = c.schedule.problem;
  const double words8 = static_cast<double>(busiest_words(c)) * bytes(q.type) / 8;
  const auto messages = static_cast<double>(std::max(c.totals.messages_received, c.totals.messages_sent));
  c.totals.flops = flops_per_voxel(q.type) * c.work * voxels(q) / ranks;
  c.seconds = {.gather = settings.machine.alpha * messages + with_packing(settings.machine).beta * words8,
               .multiply = settings.machine.gamma * c.totals.flops * c.kernel};
  c.predicted = c.seconds.total();
}

// As if every rank moved the mean.
Candidate estimate_placed(Schedule s, std::string how, int ranks, const Settings& settings) {
  Candidate c{.schedule = std::move(s), .exact = false, .how = std::move(how)};
  const gemm::Grid& g = c.schedule.grid;
  c.totals.ranks = ranks;
  c.totals.words_total = words_of_all_placed(c.schedule);
  c.totals.words_received = c.totals.words_sent = ceil_div(c.totals.words_total, Index{ranks});
  c.totals.messages_received = c.totals.messages_sent =
      c.schedule.tree ? static_cast<Index>(3 * std::cbrt(ranks)) : g.pm + g.pn + g.pk - 3;
  c.work = largest_placed_brick(c.schedule) * ranks / std::max(1.0, voxels(c.schedule.problem));
  set_seconds(c, settings, ranks);
  return c;
}

}  // namespace

void count_all_ranks(Candidate& c, int ranks, const Settings& settings) {
  c.totals = totals_of_placed(c.schedule, ranks);
  c.exact = true;
  set_seconds(c, settings, ranks);
}

namespace {

// Bytes of every rank's parts of A, B and C: the same for all candidates.
class OwnBytes {
 public:
  OwnBytes(const std::array<Layout, 3>& matrices, ScalarType type, int ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
      Index elements = 0;
      for (const Layout& l : matrices) elements += l.elements(rank);
      own_.push_back(elements * bytes(type));
    }
  }
  // Of the rank that holds most, all work memory of `p` included.
  Index with_work(const Schedule& p) const {
    std::vector<Index> bytes = most_work_bytes(p, static_cast<int>(own_.size()));
    std::ranges::transform(bytes, own_, bytes.begin(), std::plus{});
    return std::ranges::max(bytes);
  }

 private:
  std::vector<Index> own_;
};

Index memory_of(const Schedule& p, int ranks) {
  return OwnBytes(p.placement->matrices, p.problem.type, ranks).with_work(p);
}

}  // namespace

Index memory_of_placed(const Schedule& p, int ranks) { return memory_of(p, ranks); }

namespace {

// The fewest rounds along some dimension with which a candidate fits, its pieces under way as these options
// say; false if none does.
bool fit(Candidate& c, std::span<const layout::RedistributeOptions> exchanges, const OwnBytes& own,
         Index limit, Index& least) {
  constexpr Index most_rounds = 1024;
  for (Index rounds = 1; rounds <= most_rounds; rounds *= 2)
    for (const Dim d : gemm::all_dims)
      for (const layout::RedistributeOptions& exchange : exchanges) {
        if (rounds == 1 ? d != Dim::k : rounds > c.schedule.problem.size(d)) continue;
        c.schedule.rounds = {d, rounds};
        change_placement(c.schedule, [&](Placement& p) { p.exchange = exchange; });
        c.memory_bytes = own.with_work(c.schedule);
        least = least == 0 ? c.memory_bytes : std::min(least, c.memory_bytes);
        if (c.memory_bytes <= limit) return true;
      }
  return false;
}

// With shorter pieces if need be, and with very short ones, which cost many messages, where nothing else
// helps.
bool fit(Candidate& c, const OwnBytes& own, Index limit, Index& least) {
  const layout::RedistributeOptions given = c.schedule.placement->exchange;
  layout::RedistributeOptions shorter = given, shortest = given;
  shorter.piece_bytes = Index{1} << 14;
  shortest.piece_bytes = Index{1} << 12;
  shortest.pieces_under_way = 2;
  const std::array usual{given, shorter};
  return fit(c, usual, own, limit, least) || fit(c, std::span(&shortest, 1), own, limit, least);
}

class PlacedSearch {
 public:
  PlacedSearch(const gemm::Problem& problem, const std::array<Layout, 3>& matrices, int ranks,
               const Settings& settings)
      : problem_(problem), matrices_(matrices), ranks_(ranks), settings_(settings) {}

  std::vector<Candidate> run() {
    const bool only_trees = settings_.tree || settings_.only_trees;
    if (!only_trees) add_grids();
    if (settings_.tree)
      add_given(*settings_.tree);
    else if (settings_.trees && !settings_.one_layer)
      add_trees();
    if (all_.empty()) add_grids();
    sort();
    count_the_best();
    if (settings_.memory_bytes) keep_what_fits();
    if (settings_.overlap && settings_.objective == Objective::time && problem_.multiplies()) overlap();
    if (std::cmp_greater(all_.size(), settings_.candidates))
      all_.resize(static_cast<std::size_t>(settings_.candidates));
    return std::move(all_);
  }

 private:
  void add_grids() {
    for (const Matrix x : {Matrix::c, Matrix::a, Matrix::b})
      if (auto p = gemm::in_place(problem_, matrices_, x); p && !(settings_.one_layer && p->grid.pk > 1))
        add(std::move(*p), fmt::format("{} in place", name(x)));
    for (const gemm::Grid& grid : grids()) add_bricks(grid);
  }

  void add(Schedule s, std::string how) {
    all_.push_back(estimate_placed(std::move(s), std::move(how), ranks_, settings_));
  }

  // Those that would be best in layouts of their own.
  std::vector<gemm::Grid> grids() const {
    std::vector<gemm::Grid> all;
    const bool time = settings_.objective == Objective::time;
    for (const Objective objective : {time ? Objective::words : settings_.objective, Objective::time}) {
      Settings native = settings_;
      native.objective = objective;
      native.memory_bytes.reset();
      native.candidates = ranks_ <= few_ranks ? 12 : 2;
      native.trees = false;
      native.fast = {};
      for (const Candidate& c : plan_multiply(problem_, ranks_, native).candidates)
        if (std::ranges::find(all, c.schedule.grid) == all.end()) all.push_back(c.schedule.grid);
    }
    return all;
  }

  void add_bricks(const gemm::Grid& grid) {
    const Schedule uncut = schedule_on(problem_, {.matrices = matrices_});
    for (const bool as_dealt : {true, false}) {
      Placement p{.matrices = matrices_};
      bool differs = false;
      for (const Dim d : gemm::all_dims) {
        p.cuts[index(d)] = as_dealt ? dealt(uncut, d, grid.extent(d)) : Cut{grid.extent(d)};
        differs |= p.cuts[index(d)].map.has_value();
      }
      if (as_dealt && !differs) continue;
      Schedule s = unseated(problem_, std::move(p));
      if (ranks_ <= few_ranks) seat(s, ranks_);
      add(std::move(s), as_dealt ? "bricks cut as the matrices are dealt" : "bricks cut evenly");
    }
  }

  // Those whose largest faces are least.
  void add_trees() {
    const std::size_t most = ranks_ <= 16 ? 4 : ranks_ <= few_ranks ? 2 : 1;
    std::vector<std::pair<Index, Schedule>> found;
    for (gemm::Tree& tree : find_trees(problem_, ranks_)) {
      Schedule s = on_tree(std::move(tree));
      found.emplace_back(largest_faces(s), std::move(s));
    }
    std::ranges::stable_sort(found, {}, [](const auto& f) { return f.first; });
    for (std::size_t i = 0; i < std::min(most, found.size()); ++i) add_tree(std::move(found[i].second));
  }
  void add_given(const gemm::Tree& tree) {
    require(tree.ranks() <= ranks_, "the {} {} has {} ranks, expected at most {}",
            tree.is_leaf() ? "grid" : "tree", tree.is_leaf() ? describe(tree.grid()) : tree.text(),
            tree.ranks(), ranks_);
    tree.is_leaf() ? add_bricks(tree.grid()) : add_tree(on_tree(tree));
  }
  Schedule on_tree(gemm::Tree tree) const {
    Placement p{.matrices = matrices_};
    p.ranks.resize(static_cast<std::size_t>(tree.ranks()));
    std::iota(p.ranks.begin(), p.ranks.end(), 0);
    return schedule_on(problem_, std::move(p), std::make_shared<const gemm::Tree>(std::move(tree)));
  }
  // Counting takes long on many ranks: there it must be worth it on average.
  void add_tree(Schedule s) {
    constexpr double worth_counting = 0.95;
    if (ranks_ <= few_ranks) seat_tree(s, ranks_);
    Candidate tree = estimate_placed(std::move(s), "bricks of a tree", ranks_, settings_);
    const bool better = std::ranges::all_of(all_, [&](const Candidate& c) {
      return too_much_work(c) || objective_of(tree, settings_) < worth_counting * objective_of(c, settings_);
    });
    if (ranks_ <= few_ranks || better) all_.push_back(std::move(tree));
  }
  // Elements of all three faces of the brick that has most.
  static Index largest_faces(const Schedule& s) {
    Index most = 0;
    for (const gemm::Box& box : boxes_of(s)) {
      Index elements = 0;
      for (const Matrix x : gemm::all_matrices) elements += face_of(s, x, box).count();
      most = std::max(most, elements);
    }
    return most;
  }

  // The candidates near the best in rounds that overlap, where some are done sooner. The objective is time.
  void overlap() {
    const std::size_t tried = ranks_ <= few_ranks ? 3 : 1;
    for (std::size_t i = 0; i < std::min(tried, all_.size()); ++i) overlap(all_[i]);
    sort();
  }
  void overlap(Candidate& c) const {
    constexpr Index most_rounds = 16;  // the BLAS is slow on thin bricks
    const Schedule plain = c.schedule;
    double least = c.predicted;
    for (const Dim along : gemm::all_dims)
      for (Index rounds = 2; rounds <= std::min<Index>(most_rounds, problem_.size(along)); rounds *= 2) {
        Schedule s = plain;
        s.rounds = {along, rounds};
        s.lookahead = 1;
        const double seconds = simulated_seconds(s);
        const double judged = seconds * overlap_handicap(along);
        if (judged >= least || too_large(s)) continue;
        least = judged;
        if (settings_.memory_bytes) c.memory_bytes = memory_of(s, ranks_);
        c.schedule = std::move(s);
        c.predicted = seconds;
      }
  }
  double simulated_seconds(const Schedule& s) const {
    const Machine machine = with_packing(settings_.machine);
    return program::simulate(gemm::compile(s, s.placement->ranks.front(), ranks_), machine).seconds;
  }
  bool too_large(const Schedule& s) const {
    return settings_.memory_bytes && memory_of(s, ranks_) > *settings_.memory_bytes;
  }

  static bool leaves_a_matrix(const Candidate& c) {
    return std::ranges::any_of(gemm::all_matrices, [&](Matrix x) { return stays(c.schedule, x); });
  }
  // A matrix that stays decides itself how even the work is, if it lies on nearly all ranks.
  bool too_much_work(const Candidate& c) const {
    const bool spread = static_cast<double>(bricks_of(c.schedule)) * settings_.work_limit >= ranks_;
    return settings_.objective != Objective::time && c.work > settings_.work_limit &&
           !(spread && leaves_a_matrix(c));
  }
  // Those with too much work come last, the one with the least of it first.
  std::array<double, 3> key(const Candidate& c) const {
    const bool slow = too_much_work(c);
    return {slow ? 1.0 : 0.0, slow ? c.work : 0.0, objective_of(c, settings_)};
  }

  void sort() {
    std::ranges::stable_sort(all_, {}, [&](const Candidate& c) { return key(c); });
    if (settings_.objective == Objective::time) break_near_ties();
  }
  // The model is not better than this: of what is about as fast, that with the fewest words comes first.
  void break_near_ties() {
    constexpr double about = 1.05;
    const auto end = std::ranges::find_if(
        all_, [&](const Candidate& c) { return c.predicted > about * all_.front().predicted; });
    const auto fewest = std::min_element(all_.begin(), end, [](const Candidate& x, const Candidate& y) {
      return busiest_words(x) < busiest_words(y);
    });
    if (fewest != all_.end()) std::rotate(all_.begin(), fewest, fewest + 1);
  }

  // What is near the best on average, or leaves a matrix in place, is counted on every rank and comes first.
  void count_the_best() {
    const std::size_t near_the_best = ranks_ <= few_ranks ? all_.size() : 2;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool stays = leaves_a_matrix(all_[i]);
      if (i >= near_the_best && !stays) continue;
      if (ranks_ > few_ranks && !stays && !all_[i].schedule.tree)
        seat(all_[i].schedule, ranks_);  // takes longer than all the rest
      if (ranks_ <= most_counted_ranks)
        count_all_ranks(all_[i], ranks_, settings_);
      else
        all_[i] = estimate_placed(all_[i].schedule, all_[i].how, ranks_, settings_);
    }
    sort();
    std::stable_partition(all_.begin(), all_.end(), std::mem_fn(&Candidate::exact));
  }

  // The best few that fit; others are looked at only while there is none.
  void keep_what_fits() {
    const OwnBytes own(matrices_, problem_.type, ranks_);
    Index least = 0;
    constexpr std::size_t most_tried = 8;
    std::vector<Candidate> fitting;
    for (std::size_t i = 0; i < all_.size() && (i < most_tried || fitting.empty()); ++i)
      if (fit(all_[i], own, *settings_.memory_bytes, least)) fitting.push_back(std::move(all_[i]));
    all_ = std::move(fitting);
    require<MemoryError>(!all_.empty(), "memory is {} bytes per rank, and the least that was found is {}",
                         *settings_.memory_bytes, least);
  }

  const gemm::Problem& problem_;
  const std::array<Layout, 3>& matrices_;
  int ranks_;
  const Settings& settings_;
  std::vector<Candidate> all_;
};

// Some rank has at least mnk/P voxels and touches what they need; it owns at most what the rank with most of
// all three matrices does.
double bound_of_placed(const gemm::Problem& p, const std::array<Layout, 3>& matrices, int ranks) {
  if (!p.multiplies() || ranks == 1) return 0;
  Index most = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    Index own = 0;
    for (const Layout& l : matrices) own += l.elements(rank);
    most = std::max(most, own);
  }
  const double touched = bounds::classical::memory_independent({p.m, p.n, p.k}, ranks).touched;
  return std::max(0.0, touched - static_cast<double>(most));
}

void finish_placed(Plan& plan, const std::array<Layout, 3>& matrices, const Settings& settings) {
  // What was found with rounds is counted with them: small ones, and all that is chosen for few ranks.
  constexpr Index most_exchanges = most_counted_ranks;
  Candidate& best = plan.candidates.front();
  if (best.schedule.steps) {  // counted, or estimated, where it was found
  } else if (best.schedule.rounds.count <= most_exchanges / plan.ranks) {
    const double predicted = best.predicted;
    count_all_ranks(best, static_cast<int>(plan.ranks), settings);
    if (best.schedule.lookahead > 0) best.predicted = predicted;
  } else if (best.schedule.rounds.count > 1) {
    best.exact = false;
  }
  if (best.memory_bytes == 0) best.memory_bytes = memory_of(best.schedule, static_cast<int>(plan.ranks));
  for (Candidate& c : plan.candidates) c.why = fmt::format("{}; {}", c.how, why_lost(c, best, settings));
  best.why = fmt::format("{}; chosen: least {}", best.how, name(settings.objective));
  plan.best = best;
  if (!best.schedule.steps)
    plan.bound_words = bound_of_placed(best.schedule.problem, matrices, static_cast<int>(plan.ranks));
  plan.mean_words = static_cast<double>(best.totals.words_total) / static_cast<double>(plan.ranks);
  const auto busiest = static_cast<double>(std::max(best.totals.words_received, best.totals.words_sent));
  if (busiest > 0) plan.ratio = best.schedule.steps ? 0 : busiest / plan.bound_words;
}

}  // namespace

Plan plan_multiply(const gemm::Problem& problem, const std::array<Layout, 3>& matrices, int ranks,
                   const Settings& settings) {
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  check(settings);
  gemm::check(schedule_on(problem, {.matrices = matrices, .ranks = {0}}), ranks);
  Plan plan{.ranks = ranks};
  plan.candidates = PlacedSearch(problem, matrices, ranks, settings).run();
  if (settings.fast.allowed) add_fast_placed(plan.candidates, problem, matrices, ranks, settings);
  finish_placed(plan, matrices, settings);
  return plan;
}

}  // namespace cairn::plan
