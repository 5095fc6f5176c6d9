#include "bench/volume_point.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "bench/limited_grid.hpp"
#include "bounds/classical.hpp"

namespace cairn::bench {
namespace {

constexpr double word_bytes = 8;

double own_words(const Product& p, int ranks) { return bounds::all_words(p) / ranks; }
gemm::Problem problem(const Product& p) { return {.m = p.m, .n = p.n, .k = p.k}; }

Volume volume(const plan::Plan& p) {
  return {p.mean_words, as_real(p.best.totals.words_received), describe_bricks(p.best.schedule)};
}

Volume repeated(const plan::Plan& p, int halvings) {
  Volume v = volume(p);
  const double times = std::exp2(halvings);
  v.words *= times;
  v.busiest *= times;
  if (halvings > 0) v.how = fmt::format("{:.0f} times {}", times, v.how);
  return v;
}

}  // namespace

VolumePoint::VolumePoint(const Setting& at, int ranks) : at_(at), ranks_(ranks) {
  settings_.objective = Objective::words;
  settings_.candidates = 1;
  settings_.memory_bytes = static_cast<Index>(word_bytes * at.memory_words);
}

Volume VolumePoint::cosma() const {
  plan::Settings free = settings_;
  free.memory_bytes.reset();
  const plan::Plan plan = plan::plan_multiply(problem(at_.product), ranks_, free);
  if (plan.best.memory_bytes <= *settings_.memory_bytes) return volume(plan);
  try {
    return volume(plan_within_memory(problem(at_.product), ranks_, settings_));
  } catch (const MemoryError&) {
    return {.how = "does not fit", .fits = false};
  }
}

double VolumePoint::bound() const {
  return std::max(0.0, bounds::classical::words_lower_bound(at_.product, ranks_, at_.memory_words));
}

Volume VolumePoint::summa() const {
  const Product& p = at_.product;
  gemm::Grid best;
  double least = std::numeric_limits<double>::infinity();
  for (int d0 = 1; d0 <= std::min<Index>(ranks_, p.m); ++d0) {
    const int d1 = static_cast<int>(std::min<Index>(ranks_ / d0, p.n));
    const double brick = as_real(ceil_div(p.m, d0)) * as_real(ceil_div(p.n, d1)),
                 words = brick <= 1.10 * as_real(p.m) * as_real(p.n) / ranks_
                             ? as_real(p.k) * (as_real(p.m) / d0 + as_real(p.n) / d1)
                             : std::numeric_limits<double>::infinity();
    if (words >= least) continue;
    least = words;
    best = {d0, d1, 1};
  }
  return in_panels(best);
}

Volume VolumePoint::layers() const {
  Volume best;
  for (int c = 1; Index{c} * c * c <= ranks_; ++c) {
    const Volume v =
        in_panels(gemm::named_schedule("2.5d", problem(at_.product), ranks_, {.layers = c}).grid);
    if (c == 1 || (v.fits && (!best.fits || v.words < best.words))) best = v;
  }
  return best;
}

Volume VolumePoint::carma() const {
  const int ranks = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks_)));
  Product part = at_.product;
  for (int steps = 0; steps < 40; ++steps) {
    const plan::Plan plan = plan::plan_named("carma", problem(part), ranks, settings_);
    const double bytes = as_real(plan.best.memory_bytes) +
                         word_bytes * (own_words(at_.product, ranks) - own_words(part, ranks));
    if (bytes <= as_real(*settings_.memory_bytes)) return repeated(plan, steps);
    Index& longest = *std::max({&part.m, &part.n, &part.k}, [](Index* x, Index* y) { return *x < *y; });
    if (longest == 1) break;
    longest = ceil_div(longest, 2);
  }
  return {.how = "does not fit", .fits = false};
}

// Panels of k are as narrow as they must be: the words stay the same.
Volume VolumePoint::in_panels(const gemm::Grid& grid) const {
  gemm::Schedule s{.problem = problem(at_.product), .grid = grid};
  s.collectives = gemm::Collectives::fewest_words;
  const Index most = std::max<Index>(1, at_.product.k / grid.pk);
  for (Index rounds = 1;; rounds = std::min(most, rounds * 4)) {
    s.rounds = rounds == 1 ? Rounds{} : Rounds{gemm::Dim::k, rounds};
    const plan::Plan plan = plan::plan_schedule(s, ranks_, settings_);
    if (plan.best.memory_bytes <= *settings_.memory_bytes) return volume(plan);
    if (rounds == most)
      return {.how = fmt::format("does not fit: {:.2f} of the memory",
                                 as_real(plan.best.memory_bytes) / as_real(*settings_.memory_bytes)),
              .fits = false};
  }
}

}  // namespace cairn::bench
