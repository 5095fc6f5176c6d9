#include "gemm/fast/choose.hpp"

#include <algorithm>
#include <cmath>

#include "gemm/fast/catalogue.hpp"

namespace cairn::gemm::fast {
namespace {

constexpr std::array families{Family::any,          Family::caps,           Family::strassen_2d,
                              Family::strassen_25d, Family::strassen_in_2d, Family::strassen_in_25d};

bool flat(Family f) { return f == Family::strassen_2d || f == Family::strassen_in_2d; }

// The bricks of c ranks with the fewest words for this size; pk = 1 if `flat`.
Grid best_grid(const Problem& p, double m, double n, double k, int c, bool flat) {
  Grid best{c, 1, 1};
  double least = 1e300;
  for (int pm = 1; pm <= c; ++pm)
    for (int pn = 1; pm * pn <= c; ++pn) {
      if (c % (pm * pn) != 0) continue;
      const int pk = c / pm / pn;
      if (flat && pk > 1) continue;
      const double words = m * k / (static_cast<double>(pm) * pk) * (1 - 1.0 / pn) +
                           k * n / (static_cast<double>(pn) * pk) * (1 - 1.0 / pm) +
                           m * n / (static_cast<double>(pm) * pn) * (1 - 1.0 / pk);
      const bool fits = pm <= std::max<Index>(1, p.m) && pn <= std::max<Index>(1, p.n);
      if (fits && words < least) {
        least = words;
        best = {pm, pn, pk};
      }
    }
  return best;
}

// All orders of at most `most` steps with at most `bfs` BFS steps among them.
std::vector<std::string> orders(int most, int bfs) {
  std::vector<std::string> all{""};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string order = all[i];
    if (static_cast<int>(order.size()) == most) continue;
    if (std::count(order.begin(), order.end(), 'B') < bfs) all.push_back(order + 'B');
    all.push_back(order + 'D');
  }
  return all;
}

bool belongs(const FastSchedule& s, Family family) {
  const std::string order = order_of(s.steps);
  const bool has_bfs = order.find('B') != std::string::npos;
  switch (family) {
    case Family::any:
      return true;
    case Family::caps:
      return has_bfs;
    case Family::strassen_2d:
    case Family::strassen_25d:
      return !has_bfs && !order.empty();
    case Family::strassen_in_2d:
    case Family::strassen_in_25d:
      return order.empty() && !s.local.empty();
  }
  return false;
}

class CandidateSearch {
 public:
  CandidateSearch(const Problem& problem, int ranks, const FastOptions& options)
      : problem_(problem),
        ranks_(ranks),
        options_(options),
        rates_(rates_at(options.rates, options.machine)) {
    if (!options_.algorithm) options_.algorithm = find_bilinear("winograd");
  }

  std::vector<FastCandidate> all() {
    const auto q = static_cast<double>(options_.algorithm->rank());
    const int bfs = q > 1 ? static_cast<int>(std::log(ranks_ + 0.5) / std::log(q)) : 0;
    if (options_.order != "auto") {
      consider(options_.order);
    } else {
      const std::vector<std::string> all = orders(options_.most_steps, bfs);
      for (const std::string& order : all) consider(order);
      // Who asks for a family gets it for small matrices as well: blocks are padded.
      if (found_.empty() && options_.family != Family::any) {
        least_block_ = 1;
        for (const std::string& order : all) consider(order);
      }
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const FastCandidate& x, const FastCandidate& y) { return x.seconds < y.seconds; });
    return std::move(found_);
  }
  double least_memory() const { return least_memory_; }

 private:
  void consider(const std::string& order) {
    FastSchedule s{problem_, parse_steps(order, options_.algorithm), {}, {}, {}};
    const Index used = s.ranks();
    require(used <= ranks_, "the order {} needs {} ranks or more, there are {}", order, used, ranks_);
    double m = static_cast<double>(problem_.m), n = static_cast<double>(problem_.n),
           k = static_cast<double>(problem_.k);
    for (const FastStep& step : s.steps) {
      m = std::ceil(m / step.algorithm->m0);
      n = std::ceil(n / step.algorithm->n0);
      k = std::ceil(k / step.algorithm->k0);
    }
    if (options_.order == "auto" && !order.empty() && std::min({m, n, k}) < least_block_) return;
    // A number with few divisors has long bricks: a few ranks less may move less than they compute more.
    const int c = static_cast<int>(ranks_ / used), fewest = c <= 64 ? c - c / 8 : c;
    for (int base = c; base >= fewest; --base) {
      s.base = best_grid(problem_, m, n, k, base, flat(options_.family));
      s.local.clear();
      keep(s);
      s.local = local_levels(s, m, n, k);
      if (!s.local.empty()) keep(s);
    }
  }

  std::vector<Level> local_levels(const FastSchedule& s, double m, double n, double k) const {
    const auto part = [](double size, int parts) {
      return std::max<Index>(1, std::llround(size / static_cast<double>(parts)));
    };
    const LocalProduct p{part(m, s.base.pm), part(n, s.base.pn), part(k, s.base.pk)};
    const bool wanted =
        options_.family == Family::strassen_in_2d || options_.family == Family::strassen_in_25d;
    std::vector<Level> levels = choose_levels(p, false, problem_.type, rates_).levels;
    if (wanted && levels.empty()) levels.push_back(winograd_level(Temporaries::few));
    return levels;
  }

  void keep(FastSchedule s) {
    double growth = error_growth(s);
    for (; growth > options_.max_error_growth && !s.local.empty(); growth = error_growth(s))
      s.local.pop_back();
    if (!belongs(s, options_.family) || growth > options_.max_error_growth) return;
    const FastCost cost = cost_of(s, rates_);
    least_memory_ = std::min(least_memory_, cost.memory_words);
    if (options_.memory_words > 0 && cost.memory_words > options_.memory_words) return;
    found_.push_back({s, cost, seconds_of(cost, options_.machine, problem_.type), growth});
  }

  Problem problem_;
  int ranks_;
  FastOptions options_;
  FastRates rates_;
  std::vector<FastCandidate> found_;
  double least_memory_ = 1e300;
  double least_block_ = 16;  // shortest side of what the steps leave, where their order is free
};

}  // namespace

FastRates rates_at(FastRates rates, const Machine& machine) {
  if (machine.gamma <= 0) return rates;
  const double factor = 1 / machine.gamma / rates.gemm.back().rate;
  for (auto* points : {&rates.gemm, &rates.sums})
    for (FastRates::Point& p : *points) p.rate *= factor;
  return rates;
}

std::string_view name(Family family) {
  constexpr std::array<std::string_view, 6> names{"any",           "caps",        "strassen-2d",
                                                  "strassen-2.5d", "2d-strassen", "2.5d-strassen"};
  return names[static_cast<std::size_t>(family)];
}

Family parse_family(std::string_view text) {
  for (const Family f : families)
    if (name(f) == text) return f;
  fail(
      "'{}' is not a family of fast algorithms, expected any, caps, strassen-2d, strassen-2.5d, 2d-strassen "
      "or "
      "2.5d-strassen",
      text);
}

std::vector<FastCandidate> find_candidates(const Problem& problem, int ranks, const FastOptions& options) {
  return CandidateSearch(problem, ranks, options).all();
}

std::vector<FastCandidate> candidates(const Problem& problem, int ranks, const FastOptions& options) {
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  for (const Dim d : all_dims) require_not_negative(problem.size(d), name(d));
  CandidateSearch search(problem, ranks, options);
  std::vector<FastCandidate> all = search.all();
  require(
      !all.empty(),
      "no schedule of {} with steps '{}' and error growth up to {} fits {} ranks and {} words of memory{}",
      name(options.family), options.order, options.max_error_growth, ranks, options.memory_words,
      search.least_memory() < 1e300 ? fmt::format("; {:.0f} would do", search.least_memory()) : "");
  return all;
}

}  // namespace cairn::gemm::fast
