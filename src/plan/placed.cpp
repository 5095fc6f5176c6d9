#include "plan/placed.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "gemm/simulate.hpp"
#include "layout/matching/relabel.hpp"

namespace cairn::plan {
namespace {

using gemm::Cut;
using gemm::Dim;
using gemm::Matrix;
using gemm::Placed;
using layout::IndexMap;
using layout::Layout;

// Up to so many ranks every rank's exchanges are counted, and many grids are looked at.
constexpr int few_ranks = 64;

// A dimension dealt as one of the matrices that have it: C first, which then need not be summed elsewhere.
Cut dealt(const Placed& p, Dim d, int parts) {
  for (const Matrix x : {Matrix::c, Matrix::a, Matrix::b})
    if (missing(x) != d && map_of(p, x, d).block() > 0) return Cut::by(map_of(p, x, d).dealt_to(parts));
  return {parts};
}

// Bricks on those ranks that have most of their faces: A and B to fill them, C to be summed at home.
void seat(Placed& p, int ranks) {
  p.ranks.resize(static_cast<std::size_t>(p.grid().ranks()));
  std::iota(p.ranks.begin(), p.ranks.end(), 0);
  std::vector<layout::RelabelledMove> moves;
  for (const Matrix x : {Matrix::a, Matrix::b}) moves.push_back({p.of(x), faces_of_round(p, x, 0)});
  // The faces of C on all layers, as if each were to be filled: a rank that owns a part of its face keeps it.
  const gemm::Grid g = p.grid();
  moves.push_back({p.of(Matrix::c), Layout::on_mesh(layout::Mesh({g.pm, g.pn, g.pk}),
                                                    {p.cuts[0].of_range(0, p.problem.m), {0}},
                                                    {p.cuts[1].of_range(0, p.problem.n), {1}})});
  p.ranks = layout::relabel(moves, ranks).rank_of;
}

double largest_brick(const Placed& p) {
  double voxels = 1;
  for (const Dim d : gemm::all_dims) {
    const IndexMap map = p.cuts[index(d)].of_range(0, p.problem.size(d));
    Index most = 0;
    for (int part = 0; part < map.parts(); ++part) most = std::max(most, map.count(part));
    voxels *= static_cast<double>(most);
  }
  return voxels;
}

double seconds_of(const PlacedCandidate& c, const Settings& settings, int ranks) {
  const gemm::Problem& q = c.placed.problem;
  const double flops = flops_per_voxel(q.type) * c.work * voxels(q) / ranks;
  const double words8 = c.words_busiest * bytes(q.type) / 8;
  return settings.machine.alpha * c.messages + settings.machine.beta * words8 +
         settings.machine.gamma * flops;
}

PlacedCandidate estimate(Placed p, std::string name, int ranks, const Settings& settings) {
  PlacedCandidate c{.placed = std::move(p), .why = std::move(name)};
  c.words_total = words_of_all(c.placed);
  c.words_busiest = static_cast<double>(c.words_total) / ranks;
  const gemm::Grid g = c.placed.grid();
  c.messages = g.pm + g.pn + g.pk - 3;
  c.work = largest_brick(c.placed) * ranks / std::max(1.0, voxels(c.placed.problem));
  c.seconds = seconds_of(c, settings, ranks);
  return c;
}

void count_all_ranks(PlacedCandidate& c, int ranks, const Settings& settings) {
  Index words = 0, messages = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    gemm::PlacedCounts counts = count(c.placed, rank, ranks);
    counts.gathered += counts.combined;
    words = std::max(words, counts.gathered.received.words);
    messages = std::max(messages, counts.gathered.received.messages);
  }
  c.words_busiest = static_cast<double>(words);
  c.messages = static_cast<double>(messages);
  c.counted = true;
  c.seconds = seconds_of(c, settings, ranks);
}

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
  Index with_work(const Placed& p) const {
    std::vector<Index> bytes = most_work_bytes(p, static_cast<int>(own_.size()));
    std::ranges::transform(bytes, own_, bytes.begin(), std::plus{});
    return std::ranges::max(bytes);
  }

 private:
  std::vector<Index> own_;
};

}  // namespace

Index memory_of(const Placed& p, int ranks) {
  return OwnBytes(p.matrices, p.problem.type, ranks).with_work(p);
}

namespace {

// The fewest rounds along some dimension with which a candidate fits, its pieces under way as these options
// say; false if none does.
bool fit(PlacedCandidate& c, std::span<const layout::RedistributeOptions> exchanges, const OwnBytes& own,
         Index limit, Index& least) {
  constexpr Index most_rounds = 1024;
  for (Index rounds = 1; rounds <= most_rounds; rounds *= 2)
    for (const Dim d : gemm::all_dims)
      for (const layout::RedistributeOptions& exchange : exchanges) {
        if (rounds == 1 ? d != Dim::k : rounds > c.placed.problem.size(d)) continue;
        c.placed.rounds = {d, rounds};
        c.placed.exchange = exchange;
        c.memory_bytes = own.with_work(c.placed);
        least = least == 0 ? c.memory_bytes : std::min(least, c.memory_bytes);
        if (c.memory_bytes <= limit) return true;
      }
  return false;
}

// With shorter pieces if need be, and with very short ones, which cost many messages, where nothing else
// helps.
bool fit(PlacedCandidate& c, const OwnBytes& own, Index limit, Index& least) {
  layout::RedistributeOptions shorter = c.placed.exchange, shortest = c.placed.exchange;
  shorter.piece_bytes = Index{1} << 14;
  shortest.piece_bytes = Index{1} << 12;
  shortest.pieces_under_way = 2;
  const std::array usual{c.placed.exchange, shorter};
  return fit(c, usual, own, limit, least) || fit(c, std::span(&shortest, 1), own, limit, least);
}

double objective_of(const PlacedCandidate& c, const Settings& settings) {
  switch (settings.objective) {
    case Objective::words:
      return c.words_busiest;
    case Objective::volume:
      return static_cast<double>(c.words_total);
    case Objective::time:
      break;
  }
  return c.seconds;
}

class Search {
 public:
  Search(const gemm::Problem& problem, const std::array<Layout, 3>& matrices, int ranks,
         const Settings& settings)
      : problem_(problem), matrices_(matrices), ranks_(ranks), settings_(settings) {}

  std::vector<PlacedCandidate> run() {
    for (const Matrix x : {Matrix::c, Matrix::a, Matrix::b})
      if (auto p = gemm::in_place(problem_, matrices_, x))
        add(std::move(*p), fmt::format("{} in place", name(x)));
    for (const gemm::Grid& grid : grids()) add_bricks(grid);
    sort();
    count_the_best();
    if (settings_.memory_bytes) keep_what_fits();
    if (settings_.overlap && settings_.objective == Objective::time && problem_.multiplies()) overlap();
    if (std::cmp_greater(all_.size(), settings_.candidates))
      all_.resize(static_cast<std::size_t>(settings_.candidates));
    return std::move(all_);
  }

 private:
  void add(Placed p, std::string name) {
    all_.push_back(estimate(std::move(p), std::move(name), ranks_, settings_));
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
      for (const Candidate& c : plan_multiply(problem_, ranks_, native).candidates)
        if (std::ranges::find(all, c.schedule.grid) == all.end()) all.push_back(c.schedule.grid);
    }
    return all;
  }

  void add_bricks(const gemm::Grid& grid) {
    const Placed empty = Placed{.problem = problem_, .matrices = matrices_};
    for (const bool as_dealt : {true, false}) {
      Placed p = empty;
      bool differs = false;
      for (const Dim d : gemm::all_dims) {
        p.cuts[index(d)] = as_dealt ? dealt(empty, d, grid.extent(d)) : Cut{grid.extent(d)};
        differs |= p.cuts[index(d)].map.has_value();
      }
      if (as_dealt && !differs) continue;
      seat(p, ranks_);
      add(std::move(p), as_dealt ? "bricks cut as the matrices are dealt" : "bricks cut evenly");
    }
  }

  // The candidates near the best in rounds that overlap, where some are done sooner. The objective is time.
  void overlap() {
    const std::size_t tried = ranks_ <= few_ranks ? 3 : 1;
    for (std::size_t i = 0; i < std::min(tried, all_.size()); ++i) overlap(all_[i]);
    sort();
  }
  void overlap(PlacedCandidate& c) const {
    constexpr Index most_rounds = 16;  // the BLAS is slow on thin bricks
    const Placed plain = c.placed;
    double least = c.seconds;
    for (const Dim along : gemm::all_dims)
      for (Index rounds = 2; rounds <= std::min<Index>(most_rounds, problem_.size(along)); rounds *= 2) {
        Placed p = plain;
        p.rounds = {along, rounds};
        p.lookahead = 1;
        const double seconds = simulated_seconds(p);
        const double judged = seconds * overlap_handicap(along);
        if (judged >= least || too_large(p)) continue;
        least = judged;
        if (settings_.memory_bytes) c.memory_bytes = memory_of(p, ranks_);
        c.placed = std::move(p);
        c.seconds = seconds;
      }
  }
  double simulated_seconds(const Placed& p) const {
    double over = 0;
    for (const gemm::TraceEvent& e : simulated_trace(p, p.ranks.front(), ranks_, settings_.machine))
      over = std::max(over, e.end);
    return over;
  }
  bool too_large(const Placed& p) const {
    return settings_.memory_bytes && memory_of(p, ranks_) > *settings_.memory_bytes;
  }

  static bool leaves_a_matrix(const PlacedCandidate& c) {
    return std::ranges::any_of(gemm::all_matrices, [&](Matrix x) { return stays(c.placed, x); });
  }
  bool too_much_work(const PlacedCandidate& c) const {
    return settings_.objective != Objective::time && c.work > settings_.work_limit && !leaves_a_matrix(c);
  }

  void sort() {
    std::ranges::stable_sort(all_, [&](const PlacedCandidate& x, const PlacedCandidate& y) {
      const bool slow = too_much_work(x), other = too_much_work(y);
      return std::pair(slow, objective_of(x, settings_)) < std::pair(other, objective_of(y, settings_));
    });
  }

  // What is near the best on average, or leaves a matrix in place, is counted on every rank and comes first.
  void count_the_best() {
    if (ranks_ > few_ranks) return;
    constexpr std::size_t near_the_best = 4;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (i < near_the_best || leaves_a_matrix(all_[i])) count_all_ranks(all_[i], ranks_, settings_);
    sort();
    std::stable_partition(all_.begin(), all_.end(), std::mem_fn(&PlacedCandidate::counted));
  }

  // The best few that fit; others are looked at only while there is none.
  void keep_what_fits() {
    const OwnBytes own(matrices_, problem_.type, ranks_);
    Index least = 0;
    constexpr std::size_t most_tried = 8;
    std::vector<PlacedCandidate> fitting;
    for (std::size_t i = 0; i < all_.size() && (i < most_tried || fitting.empty()); ++i)
      if (fit(all_[i], own, *settings_.memory_bytes, least)) fitting.push_back(std::move(all_[i]));
    all_ = std::move(fitting);
    require<MemoryError>(!all_.empty(), "memory is {} bytes a rank, and the least that was found is {}",
                         *settings_.memory_bytes, least);
  }

  const gemm::Problem& problem_;
  const std::array<Layout, 3>& matrices_;
  int ranks_;
  const Settings& settings_;
  std::vector<PlacedCandidate> all_;
};

}  // namespace

PlacedPlan plan_placed(const gemm::Problem& problem, const std::array<Layout, 3>& matrices, int ranks,
                       const Settings& settings) {
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  check(settings);
  check(Placed{.problem = problem, .matrices = matrices, .ranks = {0}}, ranks);
  PlacedPlan plan{.ranks = ranks};
  plan.candidates = Search(problem, matrices, ranks, settings).run();
  plan.best = plan.candidates.front();
  return plan;
}

}  // namespace cairn::plan
