#include "bounds/classical.hpp"

#include <array>
#include <cmath>

#include "bounds/phases.hpp"

namespace cairn::bounds::classical {
namespace {

void require_valid(const Product& p, Index ranks) {
  bounds::require_valid(p);
  require_positive(ranks, "ranks");
}

double voxels_per_rank(const Product& p, Index ranks) { return voxels(p) / as_real(ranks); }

std::array<double, 3> sorted_sizes(const Product& p) {
  std::array<double, 3> d{as_real(p.m), as_real(p.n), as_real(p.k)};
  std::sort(d.begin(), d.end(), std::greater<>());
  return d;
}

double touched(Cut cut, const std::array<double, 3>& d, double ranks) {
  const double largest = d[0] * d[1] / ranks;
  if (cut == Cut::one) return largest + d[0] * d[2] / ranks + d[1] * d[2];
  if (cut == Cut::two) return largest + 2 * std::sqrt(largest) * d[2];
  return 3 * std::pow(d[0] * d[1] * d[2] / ranks, 2.0 / 3);
}

}  // namespace

Domain optimal_domain(const Product& p, Index ranks, double memory) {
  require_valid(p, ranks);
  require_positive(memory, "memory");
  const double volume = voxels_per_rank(p, ranks);
  const double a = std::min(std::sqrt(memory), std::cbrt(volume));
  return {a, volume / (a * a)};
}

double domain_words(const Domain& domain) { return 2 * domain.a * domain.b + domain.a * domain.a; }

double io_lower_bound(const Product& p, Index ranks, double memory) {
  return domain_words(optimal_domain(p, ranks, memory));
}

FacesBound memory_independent(const Product& p, Index ranks) {
  require_valid(p, ranks);
  const auto d = sorted_sizes(p);
  const double count = as_real(ranks);
  Cut cut = Cut::three;
  if (count * d[1] <= d[0])
    cut = Cut::one;
  else if (count * d[2] * d[2] <= d[0] * d[1])
    cut = Cut::two;
  return {cut, touched(cut, d, count), all_words(p) / count};
}

double words_lower_bound(const Product& p, Index ranks, double memory) {
  const FacesBound faces = memory_independent(p, ranks);
  if (ranks == 1) return 0;  // it owns all, and rounding must not say otherwise
  return std::max({0.0, faces.words(), io_lower_bound(p, ranks, memory) - faces.owned});
}

double proven_words_lower_bound(const Product& p, Index ranks, double memory) {
  const FacesBound faces = memory_independent(p, ranks);
  if (ranks == 1) return 0;
  return std::max(faces.words(), least_events_smooth(voxels_per_rank(p, ranks), memory) - faces.owned);
}

Cost trade_off(const Product& p, Index ranks, double memory, double a) {
  require_valid(p, ranks);
  require_positive(a, "a");
  require(a * a + 2 * a <= memory * (1 + 1e-12), "a is {}, expected a^2 + 2a <= memory = {}", a, memory);
  const double volume = voxels_per_rank(p, ranks);
  return {.words = 2 * volume / a + a * a,
          .messages = 2 * volume / (a * (memory - a * a)),
          .flops = 2 * volume,
          .memory = memory};
}

double fewest_rounds_side(double memory) {
  require_positive(memory, "memory");
  return std::sqrt(memory / 3);
}

}  // namespace cairn::bounds::classical
