#include "bounds/sparse.hpp"

#include <cmath>
#include <numbers>

namespace cairn::bounds::sparse {
namespace {

void check(const Random& x) {
  require_positive(x.n, "n");
  require_positive(x.ranks, "ranks");
  require(x.d > 0 && x.d <= as_real(x.n), "d is {}, expected 0 < d <= n = {}", x.d, x.n);
}

double count(const Random& x) { return as_real(x.ranks); }
double size(const Random& x) { return as_real(x.n); }
double log_ranks(const Random& x) { return std::log2(count(x)); }

// 1 - (1 - probability)^trials, exact for small probabilities too.
double hit(double probability, double trials) { return -std::expm1(trials * std::log1p(-probability)); }

// An entry of C is met by `inner` of the k indices.
double entry_of_c(const Random& x, double inner) {
  const double density = x.d / size(x);
  return hit(density * density, inner);
}

Index levels(const Random& x) {
  Index result = 0;
  for (Index left = x.ranks; left > 1; left /= 4, ++result)
    require(left % 4 == 0, "ranks is {}, expected a power of 4", x.ranks);
  return result;
}

double unroll(const Random& x, double m, double k, double ranks) {
  if (ranks <= 1) return 0;
  const double n = size(x);
  const double gather = 2 * x.d * m * k / (n * ranks);
  const double exchange = 0.75 * x.d * x.d * m * m * k / (n * n * ranks);
  if (gather <= exchange) return gather + unroll(x, m / 2, k, ranks / 4);
  return exchange + unroll(x, m, k / 4, ranks / 4);
}

}  // namespace

double nonzeros(const Random& x) {
  check(x);
  return x.d * size(x);
}

double products(const Random& x) { return x.d * nonzeros(x); }

double nonzeros_of_c(const Random& x) {
  check(x);
  return size(x) * size(x) * entry_of_c(x, size(x));
}

Cost lower_bound(const Random& x) {
  return {.words = std::min(nonzeros(x) / std::sqrt(count(x)), products(x) / count(x)), .messages = 1};
}

double lower_bound_with_constants(const Random& x) {
  const double held = nonzeros(x) / count(x), made = products(x) / count(x);
  const double gathered = (1 - 1 / std::numbers::e) * nonzeros(x) / std::sqrt(24 * count(x));
  return std::max(0.0, std::min({made / 4, gathered - held, made / 12 - held}));
}

double previous_lower_bound(const Random& x, double memory) {
  require_positive(memory, "memory");
  return products(x) / (count(x) * std::sqrt(memory));
}

Cost naive_block_row(const Random& x) {
  return {.words = (1 - 1 / count(x)) * nonzeros(x), .messages = count(x) - 1};
}

Cost improved_block_row(const Random& x) {
  check(x);
  const double n = size(x), rows = n - n / count(x);
  return {.words = x.d * rows * hit(x.d / n, n / count(x)),
          .messages = std::min(log_ranks(x), nonzeros(x) / count(x))};
}

Cost outer_product(const Random& x) {
  check(x);
  const double made = size(x) * size(x) * entry_of_c(x, size(x) / count(x));
  return {.words = (1 - 1 / count(x)) * made, .messages = log_ranks(x)};
}

Cost summa(const Random& x) {
  const double side = std::sqrt(count(x));
  return {.words = 2 * (1 - 1 / side) * nonzeros(x) / side, .messages = side};
}

Cost iterative(const Random& x, double layers) {
  require(layers >= 1 && layers <= count(x), "layers is {}, expected 1 <= layers <= ranks = {}", layers,
          x.ranks);
  const double leave = 1 - 1 / layers;
  const double inputs = 2 * leave * nonzeros(x) / count(x);
  const double gathered = 2 * (1 - std::sqrt(layers / count(x))) * nonzeros(x) / std::sqrt(count(x) * layers);
  const double block = layers * size(x) * size(x) / count(x);
  return {.words = inputs + gathered + leave * block * entry_of_c(x, size(x) / layers),
          .messages = log_ranks(x)};
}

double balanced_layers(const Random& x) {
  check(x);
  return std::clamp(count(x) / (x.d * x.d), 1.0, count(x));
}

Cost recursive_unrolled(const Random& x) {
  check(x);
  return {.words = unroll(x, size(x), size(x), count(x)), .messages = as_real(levels(x))};
}

Cost recursive(const Random& x) {
  check(x);
  const Index all = levels(x);
  Index splits = 0;
  while (splits < all && std::exp2(as_real(splits) + 1) <= 0.75 * x.d) ++splits;
  const double gathers = 2 * nonzeros(x) / count(x) * (std::exp2(as_real(splits)) - 1);
  return {.words = gathers + as_real(all - splits) * 0.75 * products(x) / count(x), .messages = as_real(all)};
}

}  // namespace cairn::bounds::sparse
