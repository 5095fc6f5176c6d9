#include "bounds/strassen_table.hpp"

#include <cmath>

namespace cairn::bounds::strassen::table1 {
namespace {

void check(const Arguments& x) {
  require_positive(x.n, "n");
  require_positive(x.ranks, "ranks");
  require_positive(x.memory, "memory");
  require(x.steps >= 0, "steps is {}, expected 0 or more", x.steps);
}

double count(const Arguments& x) { return as_real(x.ranks); }
double log_ranks(const Arguments& x) { return std::log2(count(x)); }
double cubes(const Arguments& x) { return std::pow(x.n, 3) / count(x); }

double classical_words(const Arguments& x) {
  return std::max(cubes(x) / std::sqrt(x.memory), x.n * x.n / std::pow(count(x), 2.0 / 3));
}

// The problem one of the 7^l products is.
Arguments after_steps(const Arguments& x) { return {x.n / std::exp2(x.steps), x.ranks, x.memory, 0}; }

}  // namespace

Cost classical_bound(const Arguments& x) {
  check(x);
  return {classical_words(x), std::max(cubes(x) / std::pow(x.memory, 1.5), 1.0), cubes(x)};
}

Cost classical_2d(const Arguments& x) {
  check(x);
  const double side = std::sqrt(count(x));
  return {x.n * x.n / side, side, cubes(x)};
}

Cost classical_3d(const Arguments& x) {
  check(x);
  return {x.n * x.n / std::pow(count(x), 2.0 / 3), log_ranks(x), cubes(x)};
}

Cost classical_25d(const Arguments& x) {
  check(x);
  return {classical_words(x), cubes(x) / std::pow(x.memory, 1.5) + log_ranks(x), cubes(x)};
}

Cost strassen_bound(const Arguments& x) { return lower_bound(x.n, x.ranks, x.memory); }

Cost strassen_within_2d(const Arguments& x) {
  Cost cost = classical_2d(x);
  cost.flops = std::pow(x.n, omega0) / std::pow(count(x), (omega0 - 1) / 2);
  return cost;
}

Cost strassen_before_2d(const Arguments& x) {
  check(x);
  return std::pow(7, x.steps) * classical_2d(after_steps(x));
}

Cost strassen_within_25d(const Arguments& x) {
  Cost cost = classical_25d(x);
  cost.flops = std::max(cubes(x) / std::pow(x.memory, (3 - omega0) / 2),
                        std::pow(x.n, omega0) / std::pow(count(x), omega0 / 3));
  return cost;
}

Cost strassen_before_25d(const Arguments& x) {
  check(x);
  return std::pow(7, x.steps) * classical_25d(after_steps(x));
}

Cost caps(const Arguments& x) {
  Cost cost = strassen_bound(x);
  cost.messages *= log_ranks(x);
  return cost;
}

Index printed_best_steps(double n, Index ranks, double memory) {
  check({n, ranks, memory});
  const double steps = std::log2(n / (std::sqrt(memory) * std::cbrt(as_real(ranks))));
  return std::max<Index>(0, static_cast<Index>(std::ceil(steps)));
}

Index best_steps(double n, Index ranks, double memory) {
  const Index up = printed_best_steps(n, ranks, memory);
  const Index down = std::max<Index>(0, up - 1);
  const auto words = [&](Index l) { return strassen_before_25d({n, ranks, memory, as_real(l)}).words; };
  return words(down) <= words(up) ? down : up;
}

Ratio classical_over_strassen(double n, Index ranks, double memory) {
  const Arguments x{n, ranks, memory};
  check(x);
  const double p = count(x), both = std::pow(p, 3 / omega0 - 1), none = std::pow(p, 2 / omega0 - 2.0 / 3);
  const double value = classical_bound(x).words / strassen_bound(x).words;
  if (memory <= n * n / std::pow(p, 2 / omega0))
    return {MemoryCase::dependent, value, both, std::pow(p, (3 - omega0) / 2)};
  if (memory <= n * n / std::pow(p, 2.0 / 3)) return {MemoryCase::mixed, value, none, both};
  return {MemoryCase::independent, value, none, none};
}

}  // namespace cairn::bounds::strassen::table1
