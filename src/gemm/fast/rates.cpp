#include "gemm/fast/rates.hpp"

#include <algorithm>
#include <cmath>

#include "gemm/fast/error_bound.hpp"

namespace cairn::gemm::fast {
namespace {

using Levels = std::span<const Level>;

// Single precision has twice the rate, and half the bytes.
struct Speed {
  const FastRates& rates;
  ScalarType type;

  // The harmonic mean: a product is as slow as its shortest side makes it.
  double gemm(double m, double n, double k) const {
    if (m <= 0 || n <= 0 || k <= 0) return 0;
    const double side = 3 / (1 / m + 1 / n + 1 / k);
    const bool single = type == ScalarType::f32 || type == ScalarType::c32;
    const double rate = gemm_rate_at(rates.gemm, side) * (single ? 2 : 1);
    return m * n * k * flops_per_voxel(type) / rate;
  }
  double pass(double elements, double touched) const {
    if (elements <= 0) return 0;
    const double block = elements * bytes(type);
    return touched * block / rate_at(rates.sums, std::sqrt(block / 8));
  }
};

double level_seconds(Levels levels, double m, double n, double k, bool keeps, const Speed& speed) {
  if (levels.empty()) return speed.gemm(m, n, k);
  const Recipe& r = levels.front().recipe(keeps);
  const double bm = m / r.m0, bn = n / r.n0, bk = k / r.k0;
  const auto touched = r.touched();
  double seconds =
      speed.pass(bm * bk, touched[0]) + speed.pass(bk * bn, touched[1]) + speed.pass(bm * bn, touched[2]);
  int kept = 0;
  for (const auto& step : r.steps)
    if (const auto* p = std::get_if<ProductStep>(&step)) kept += p->keep != 0 ? 1 : 0;
  const Levels below = levels.subspan(1);
  seconds += (r.products() - kept) * level_seconds(below, bm, bn, bk, false, speed);
  if (kept > 0) seconds += kept * level_seconds(below, bm, bn, bk, true, speed);
  return seconds;
}

}  // namespace

double rate_at(std::span<const FastRates::Point> points, double side) {
  require(!points.empty(), "the rates have no points, expected one or more");
  if (side <= points.front().side) return points.front().rate;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (side <= points[i].side) {
      const double part = std::log(side / points[i - 1].side) / std::log(points[i].side / points[i - 1].side);
      return points[i - 1].rate + part * (points[i].rate - points[i - 1].rate);
    }
  return points.back().rate;
}

// What BLAS loses to packing shrinks as 1/side: seconds per flop are a line over it, which the last two points
// give. A larger product is never taken for slower, nor for more than a tenth faster than what was measured.
double gemm_rate_at(std::span<const FastRates::Point> points, double side) {
  const double measured = rate_at(points, side);
  if (points.size() < 2 || side <= points.back().side) return measured;
  const FastRates::Point &x = points[points.size() - 2], &y = points.back();
  const double slope = (1 / x.rate - 1 / y.rate) / (1 / x.side - 1 / y.side);
  const double slowness = 1 / y.rate - std::max(0.0, slope) * (1 / y.side - 1 / side);
  return 1 / std::max(slowness, 1 / (1.1 * y.rate));
}

double predicted_seconds(const LocalProduct& p, bool keeps, ScalarType type, const FastRates& rates) {
  const Speed speed{rates, type};
  const auto m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  const Core core = core_of(p);
  if (p.levels.empty() || core.m == 0 || core.n == 0 || core.k == 0) return speed.gemm(m, n, k);
  const auto cm = static_cast<double>(core.m), cn = static_cast<double>(core.n),
             ck = static_cast<double>(core.k);
  return level_seconds(p.levels, cm, cn, ck, keeps, speed) + speed.gemm(cm, cn, k - ck) +
         speed.gemm(m, n - cn, k) + speed.gemm(m - cm, cn, k);
}

LocalProduct choose_levels(LocalProduct p, bool keeps, ScalarType type, const FastRates& rates,
                           const LocalLimits& limits) {
  p.levels.clear();
  LocalProduct best = p;
  const double plain = predicted_seconds(p, keeps, type, rates);
  double least = plain / (limits.least_gain + rates.noise);  // a gain within the noise is none
  for (int l = 1; l <= limits.levels; ++l) {
    p.levels.push_back(winograd_level(Temporaries::few));
    const Core core = core_of(p);
    if (std::min({core.m, core.n, core.k}) >> l < limits.least_leaf) break;
    if (limits.workspace_bytes >= 0 && workspace_elements(p, keeps) * bytes(type) > limits.workspace_bytes)
      continue;  // fewer temporaries on deeper levels do not help, but peeling may
    if (error_growth(p, type) > limits.max_error_growth) break;
    if (const double seconds = predicted_seconds(p, keeps, type, rates); seconds < least) {
      least = seconds;
      best = p;
    }
  }
  return best;
}

}  // namespace cairn::gemm::fast
