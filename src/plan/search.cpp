#include "plan/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "gemm/compile.hpp"
#include "gemm/native.hpp"
#include "gemm/tree_count.hpp"

namespace cairn::plan {
namespace {

using gemm::Dim;
using gemm::Grid;
using gemm::Schedule;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Estimates and costs add up the same numbers in another order.
constexpr double slack = 1 - 1e-11;

bool better(const Found& x, const Found& y) {
  const auto key = [](const Found& f) { return std::tuple(f.cost, f.work, f.schedule.grid.ranks()); };
  return key(x) < key(y);
}

// The best few, sorted.
class Best {
 public:
  explicit Best(int most) : most_(static_cast<std::size_t>(most)) {}

  // Whatever costs more than this cannot be among them.
  double threshold() const { return found_.size() < most_ ? infinity : found_.back().cost; }
  void offer(const Found& found) {
    if (std::ranges::any_of(found_, [&](const Found& f) { return f.schedule == found.schedule; })) return;
    const auto at = std::upper_bound(found_.begin(), found_.end(), found, better);
    found_.insert(at, found);
    if (found_.size() > most_) found_.pop_back();
  }
  std::vector<Found> take() { return std::move(found_); }

 private:
  std::size_t most_;
  std::vector<Found> found_;
};

// Numbers of rounds that are worth looking at for a part of so many indices, ascending, from 2 on: the fewest
// and the most with each length of the longest round. Between them a rank's own share, whose slices are
// rounded up round by round, changes in one direction. O(sqrt(part)) of them. A Program holds more than a
// kilobyte a round besides the matrices: beyond some thousands rounds would cost what they save.
std::vector<Index> counts_of_rounds(Index part) {
  constexpr Index most_rounds = 4096;
  const Index limit = std::min(part, most_rounds);
  std::vector<Index> counts;
  for (Index fewest = 2; fewest <= limit;) {
    const Index longest = ceil_div(part, fewest);
    const Index most = std::min(limit, longest == 1 ? fewest : (part - 1) / (longest - 1));
    counts.push_back(fewest);
    if (most > fewest) counts.push_back(most);
    if (longest == 1) break;
    fewest = most + 1;
  }
  return counts;
}

class Search {
 public:
  Search(const Schedule& wanted, int ranks, const Settings& settings)
      : wanted_(wanted),
        ranks_(ranks),
        settings_(settings),
        estimates_(wanted, ranks, settings.machine),
        allowed_work_(allowed_work()),
        best_(settings.candidates) {}

  std::vector<Found> run() {
    seed();
    if (by_time())
      search_time();
    else
      search_words();
    return best_.take();
  }

  // Of all schedules that may be chosen. Looks at all grids again: only for an error.
  Index least_memory() {
    Index least = std::numeric_limits<Index>::max();
    // Those of the seeds first: then most others are passed over at once.
    for_each_seed([&](const Grid& grid) { lower(least, grid); });
    for_each_allowed([&](const Grid& grid) { lower(least, grid); });
    return least;
  }

 private:
  bool by_time() const { return settings_.objective == Objective::time; }

  void lower(Index& least, const Grid& grid) {
    if (estimates_.own_bytes(grid) >= static_cast<double>(least)) return;
    Schedule s = wanted_;
    s.grid = grid;
    const auto look = [&] {
      if (bytes_of_first(s) < least) least = std::min(least, memory(s));
      return false;
    };
    if (bytes_at_least(s) < static_cast<double>(least)) look();
    for (const Dim along : gemm::all_dims) for_each_rounds(s, along, static_cast<double>(least), look);
  }

  // Calls f with those numbers of rounds in s.rounds, from few to many, whose faces leave a chance to hold at most so
  // many bytes, until it says true.
  template <class F>
  void for_each_rounds(Schedule& s, Dim along, double most_bytes, F&& f) {
    const std::vector<Index>& counts = counts_for(estimates_.part(along, s.grid.extent(along)));
    const auto too_large = [&](Index count) {
      s.rounds = {along, count};
      return bytes_at_least(s) > most_bytes;
    };
    if (counts.empty()) return;
    // Without lookahead more rounds have smaller faces.
    const bool shrinks = s.lookahead == 0;
    if (shrinks && too_large(counts.back())) return;
    auto count = shrinks ? std::partition_point(counts.begin(), counts.end(), too_large) : counts.begin();
    for (; count != counts.end(); ++count)
      if (!too_large(*count) && f()) return;
  }
  const std::vector<Index>& counts_for(Index part) {
    const auto found = counts_.find(part);
    return found != counts_.end() ? found->second : counts_[part] = counts_of_rounds(part);
  }

  // ---- enumeration ---------------------------------------------------------------------------------------
  // Calls f(pm, pn, the most pk) for all pairs that leave at least one part of k.
  template <class F>
  void for_each_pair(F&& f) const {
    for (int pm = 1; pm <= estimates_.most_parts(Dim::m); ++pm)
      for (int pn = 1; pn <= std::min(ranks_ / pm, estimates_.most_parts(Dim::n)); ++pn)
        f(pm, pn, std::min(ranks_ / pm / pn, most_layers()));
  }
  int most_layers() const { return settings_.one_layer ? 1 : estimates_.most_parts(Dim::k); }

  // Calls f(grid) for all grids that may be chosen.
  template <class F>
  void for_each_allowed(F&& f) const {
    for_each_pair([&](int pm, int pn, int most_pk) {
      for (int pk = fewest_parts_of_k(pm, pn); pk <= most_pk; ++pk) f(Grid{pm, pn, pk});
    });
  }

  // The fewest parts of k whose bricks have no more voxels than may be; more than there can be where none have.
  int fewest_parts_of_k(int pm, int pn) const {
    if (by_time()) return 1;
    const double plane =
        static_cast<double>(estimates_.part(Dim::m, pm)) * static_cast<double>(estimates_.part(Dim::n, pn));
    const double length = std::floor(allowed_work_ / plane);  // of the longest part of k
    return length < 1 ? ranks_ + 1
                      : static_cast<int>(std::min(
                            ranks_ + 1.0, std::ceil(static_cast<double>(wanted_.problem.k) / length)));
  }

  // Some good grids first, so that most others are passed over at once.
  void seed() {
    for_each_seed([&](const Grid& grid) { visit(grid); });
  }
  template <class F>
  void for_each_seed(F&& f) const {
    std::vector<int> extents;
    for (int e = 1; e <= ranks_; e = std::max(e + 1, e * 4 / 3)) extents.push_back(e);
    for (const int pm : extents)
      for (const int pn : extents) {
        if (Index{pm} * pn > ranks_) break;
        if (pm > estimates_.most_parts(Dim::m) || pn > estimates_.most_parts(Dim::n)) continue;
        const int most_pk = std::min(ranks_ / pm / pn, most_layers());
        if (by_time())
          for (const int pk : extents) {
            if (pk > most_pk) break;
            f(Grid{pm, pn, pk});
          }
        else if (fewest_parts_of_k(pm, pn) <= most_pk)  // those with so little work are few
          f(Grid{pm, pn, most_pk});
      }
  }

  void search_time() {
    for_each_pair([&](int pm, int pn, int most_pk) { search_time(pm, pn, 1, most_pk); });
  }

  // Halves the range of pk until a lower bound of all of it is too much, or one is left.
  void search_time(int pm, int pn, int fewest_pk, int most_pk) {
    // More parts of k leave less of each matrix to a rank.
    if (settings_.memory_bytes && !may_fit({pm, pn, most_pk})) return;
    if (estimates_.least_seconds(pm, pn, fewest_pk, most_pk) * slack > best_.threshold()) return;
    if (fewest_pk == most_pk) return visit({pm, pn, fewest_pk});
    const int middle = fewest_pk + (most_pk - fewest_pk) / 2;
    search_time(pm, pn, fewest_pk, middle);
    search_time(pm, pn, middle + 1, most_pk);
  }

  // Grids whose largest brick has at most `most` voxels: for given pm and pn a range of pk.
  void search_words() {
    for_each_allowed([&](const Grid& grid) { visit(grid); });
  }

  double allowed_work() const {
    if (by_time()) return infinity;
    double least = infinity;
    for_each_pair([&](int pm, int pn, int most_pk) {
      least = std::min(least, estimates_.work({pm, pn, most_pk}));
    });
    const gemm::Problem& p = wanted_.problem;
    const double even =
        static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) / ranks_;
    return std::max(least, settings_.work_limit * even) * (1 + 1e-12);
  }

  // ---- one grid ------------------------------------------------------------------------------------------
  void visit(const Grid& grid) {
    if (settings_.memory_bytes && !may_fit(grid)) return;
    if (!may_be_among_best(grid)) return;
    Schedule s = wanted_;
    s.grid = grid;
    if (surely_fits(grid) || fits(s)) return offer(s);
    for (const Dim along : gemm::all_dims) offer_fewest_rounds(s, along);
  }

  // From cheap to less cheap; each is a lower bound.
  bool may_be_among_best(const Grid& grid) const {
    const double threshold = best_.threshold();
    const auto above = [&](double bound) { return bound * slack > threshold; };
    switch (settings_.objective) {
      case Objective::volume:
        return !above(estimates_.volume(grid));
      case Objective::words:
        return !above(surely_fits(grid) ? static_cast<double>(estimates_.words_of_longest(grid))
                                        : estimates_.mean_words(grid));
      case Objective::time:
        break;
    }
    return surely_fits(grid) ? !estimates_.seconds_exceed(grid, threshold / slack)
                             : !above(estimates_.mean_seconds(grid));
  }

  bool surely_fits(const Grid& grid) const {
    return !settings_.memory_bytes ||
           (settings_.lookahead == 0 &&
            estimates_.most_bytes(grid) <= static_cast<double>(*settings_.memory_bytes));
  }

  bool may_fit(const Grid& grid) const {
    return estimates_.own_bytes(grid) <= static_cast<double>(*settings_.memory_bytes);
  }
  static Index memory(const Schedule& s) {
    return memory_bytes(s, {.work_bytes = gemm::native_work_bytes(s)});
  }
  // Of rank 0: at most memory().
  static Index bytes_of_first(const Schedule& s) {
    return memory_bytes(s, {.work_bytes = gemm::native_work_bytes_of_first(s)});
  }
  bool fits(const Schedule& s) const {
    return bytes_of_first(s) <= *settings_.memory_bytes && memory(s) <= *settings_.memory_bytes;
  }
  // The faces, and rank 0's share if it were not cut into rounds.
  double bytes_at_least(const Schedule& s) const {
    double faces = 0;
    for (const gemm::Matrix x : gemm::all_matrices)
      if (s.grid.extent(missing(x)) > 1)
        faces += static_cast<double>(slots_of(s, x)) * longest(s, row_dim(s.problem, x)) *
                 longest(s, col_dim(s.problem, x));
    return estimates_.own_bytes(s.grid) + faces * bytes(s.problem.type) * slack;
  }
  // Of the longest part in the longest round.
  double longest(const Schedule& s, Dim d) const {
    const Index part = estimates_.part(d, s.grid.extent(d));
    return static_cast<double>(s.rounds.along == d ? ceil_div(part, s.rounds.count) : part);
  }

  // The fewest rounds along one dimension that fit. More rounds have smaller faces, but not always hold less:
  // where a round has fewer columns than the fibre has ranks, the first ranks own all of them.
  void offer_fewest_rounds(Schedule s, Dim along) {
    for_each_rounds(s, along, static_cast<double>(*settings_.memory_bytes), [&] {
      if (!fits(s)) return false;
      offer(s);
      return true;
    });
  }

  void offer(const Schedule& s) { best_.offer({cost(s), estimates_.work(s.grid), s}); }

  double cost(const Schedule& s) const {
    if (by_time()) return gemm::phase_seconds(s, settings_.machine).total();
    if (settings_.objective == Objective::volume) return estimates_.volume(s.grid);
    return static_cast<double>(s.rounds.count == 1 ? estimates_.words(s.grid)
                                                   : gemm::totals(s).words_received);
  }

  const Schedule& wanted_;
  int ranks_;
  const Settings& settings_;
  Estimates estimates_;
  double allowed_work_;  // of a brick
  Best best_;
  std::unordered_map<Index, std::vector<Index>> counts_;  // of rounds, by the length of the part
};

}  // namespace

std::vector<Found> search(const Schedule& wanted, int ranks, const Settings& settings, Index& least_memory) {
  Search search(wanted, ranks, settings);
  std::vector<Found> found = search.run();
  if (found.empty()) least_memory = search.least_memory();
  return found;
}

Index memory_bytes(const Schedule& s, const gemm::Totals& totals) {
  if (s.tree) return gemm::most_owned_bytes(s) + totals.work_bytes;
  Index elements = 0;  // rank 0 has the longest parts and slices
  for (const gemm::Matrix x : gemm::all_matrices) elements += gemm::NativeLayout(s, x).local_count(0);
  return elements * bytes(s.problem.type) + totals.work_bytes;
}

}  // namespace cairn::plan
