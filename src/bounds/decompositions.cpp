#include "bounds/decompositions.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace cairn::bounds::classical {
namespace {

void require_valid(const Product& p, Index ranks, double memory) {
  bounds::require_valid(p);
  require_positive(ranks, "ranks");
  require_positive(memory, "memory");
}

double rounds(double inputs, double room) {
  return room > 0 ? inputs / room : std::numeric_limits<double>::infinity();
}

Index& largest(Product& p) {
  if (p.k >= p.m && p.k >= p.n) return p.k;
  return p.n >= p.m ? p.n : p.m;
}

}  // namespace

double owned_inputs(const Product& p, Index ranks) { return (words_a(p) + words_b(p)) / as_real(ranks); }

Cost grid_2d(const Product& p, Index ranks) {
  require_valid(p, ranks, 1);
  const double side = std::sqrt(as_real(ranks));
  return {.words = (words_a(p) + words_b(p)) / side + words_c(p) / as_real(ranks),
          .messages = 2 * as_real(p.k) * std::log2(side),
          .flops = 2 * voxels(p) / as_real(ranks)};
}

double layers_25d(const Product& p, Index ranks, double memory) {
  require_valid(p, ranks, memory);
  return std::clamp(memory / owned_inputs(p, ranks), 1.0, as_real(ranks));
}

Cost grid_25d(const Product& p, Index ranks, double memory, double layers) {
  require_valid(p, ranks, memory);
  require(layers >= 1 && layers <= as_real(ranks), "layers is {}, expected 1 <= layers <= {}", layers, ranks);
  const double inputs = (words_a(p) + words_b(p)) / std::sqrt(as_real(ranks) * layers);
  const double face_c = words_c(p) * layers / as_real(ranks);
  return {.words = inputs + face_c,
          .messages = rounds(inputs, memory - face_c) + 3 * std::log2(layers),
          .flops = 2 * voxels(p) / as_real(ranks),
          .memory = memory};
}

Cost grid_25d(const Product& p, Index ranks, double memory) {
  return grid_25d(p, ranks, memory, layers_25d(p, ranks, memory));
}

Cost recursive(const Product& p, Index ranks, double memory) {
  require_valid(p, ranks, memory);
  const double volume = voxels(p) / as_real(ranks);
  const double side = std::min(std::cbrt(volume), std::sqrt(memory / 3));
  return {.words = 2 * volume / side + std::pow(volume, 2.0 / 3),
          .messages = std::pow(3, 1.5) * volume / std::pow(memory, 1.5) + 3 * std::log2(as_real(ranks)),
          .flops = 2 * volume,
          .memory = memory};
}

Cost recursive_exact(const Product& p, Index ranks) {
  require_valid(p, ranks, 1);
  require(std::has_single_bit(static_cast<std::uint64_t>(ranks)), "ranks is {}, expected a power of two",
          ranks);
  Product brick = p;
  for (Index left = ranks; left > 1; left /= 2) {
    Index& side = largest(brick);
    require(side % 2 == 0, "{} x {} x {} cannot be halved {} times", p.m, p.n, p.k,
            std::log2(as_real(ranks)));
    side /= 2;
  }
  return {.words = all_words(brick), .flops = 2 * voxels(brick)};
}

double feasible_side(const Product& p, Index ranks, double memory) {
  return std::min(std::sqrt(memory + 1) - 1, optimal_domain(p, ranks, memory).a);
}

Cost cosma(const Product& p, Index ranks, double memory) {
  const double a = feasible_side(p, ranks, memory);
  const Cost steps = trade_off(p, ranks, memory, a);
  return {.words = io_lower_bound(p, ranks, memory),
          .messages = steps.messages * std::log2(std::max(1.0, words_c(p) / (a * a))),
          .flops = steps.flops,
          .memory = memory};
}

}  // namespace cairn::bounds::classical
