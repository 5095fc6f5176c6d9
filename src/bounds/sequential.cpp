#include "bounds/sequential.hpp"

#include <cmath>

#include "bounds/phases.hpp"

namespace cairn::bounds::sequential {

double theorem1(const Product& p, double memory) {
  require_valid(p);
  require_positive(memory, "memory");
  return 2 * voxels(p) / std::sqrt(memory) + words_c(p);
}

double compulsory(const Product& p) {
  require_valid(p);
  return all_words(p);
}

double smith_van_de_geijn(double voxels, double memory) {
  require_positive(memory, "memory");
  return std::max(0.0, 2 * voxels / std::sqrt(memory) - 2 * memory);
}

double floor(const Product& p, double memory) {
  return std::max(compulsory(p), least_events_smooth(voxels(p), memory));
}

Index listing1_tile(Index memory) {
  require(memory >= 3, "memory is {}, expected 3 or more: one word of each of A, B and C", memory);
  auto a = static_cast<Index>(std::sqrt(as_real(memory) + 1)) - 1;
  while ((a + 1) * (a + 1) + 2 * (a + 1) <= memory) ++a;
  while (a * a + 2 * a > memory) --a;
  return a;
}

Cost listing1(const Product& p, Index memory) {
  require_valid(p);
  const Index a = listing1_tile(memory);
  const double loads_a = as_real(ceil_div(p.n, a)) * words_a(p);
  const double loads_b = as_real(ceil_div(p.m, a)) * words_b(p);
  return {.words = loads_a + loads_b + words_c(p), .flops = 2 * voxels(p), .memory = as_real(a * a + 2 * a)};
}

double listing1_smooth(const Product& p, double memory) {
  require_valid(p);
  require_positive(memory, "memory");
  return 2 * voxels(p) / (std::sqrt(memory + 1) - 1) + words_c(p);
}

double listing1_factor(double memory) {
  require_positive(memory, "memory");
  return std::sqrt(memory) / (std::sqrt(memory + 1) - 1);
}

}  // namespace cairn::bounds::sequential
