#include "bounds/strassen.hpp"

#include <cmath>

namespace cairn::bounds::strassen {
namespace {

void require_valid(double n, Index ranks) {
  require_positive(n, "n");
  require_positive(ranks, "ranks");
}

Index bfs_steps(Index ranks) {
  Index steps = 0;
  for (Index left = ranks; left > 1; left /= 7, ++steps)
    require(left % 7 == 0, "ranks is {}, expected a power of 7", ranks);
  return steps;
}

Cost larger(const Cost& x, const Cost& y) {
  return {std::max(x.words, y.words), std::max(x.messages, y.messages), std::max(x.flops, y.flops),
          std::max(x.memory, y.memory)};
}

Cost unroll(double n, double ranks, std::span<const Step> steps, const Local& local) {
  const double three_faces = 3 * n * n / ranks;
  if (steps.empty()) return {.flops = local_flops(n, local), .memory = three_faces};
  const bool bfs = steps.front() == Step::bfs;
  const Cost below = unroll(n / 2, bfs ? ranks / 7 : ranks, steps.subspan(1), local);
  const double quarter = n * n / (4 * ranks);
  const double repeat = bfs ? 1 : 7;
  return {.words = (bfs ? 36 * quarter : 0) + repeat * below.words,
          .messages = (bfs ? 36 : 0) + repeat * below.messages,
          .flops = local.variant.additions * quarter + repeat * below.flops,
          .memory = three_faces + below.memory};
}

}  // namespace

double leading_constant(const Local& local) {
  require_positive(local.cutoff, "cutoff");
  return (2 * local.cutoff - 1 + local.variant.additions / 3) / std::pow(local.cutoff, omega0 - 2);
}

double local_flops(double n, const Local& local) {
  require_positive(n, "n");
  if (n <= local.cutoff) return 2 * n * n * n - n * n;
  return leading_constant(local) * std::pow(n, omega0) - local.variant.additions / 3 * n * n;
}

Cost memory_dependent_bound(double n, Index ranks, double memory) {
  require_valid(n, ranks);
  require_positive(memory, "memory");
  const double messages = std::pow(n / std::sqrt(memory), omega0) / as_real(ranks);
  return {.words = messages * memory, .messages = messages, .flops = std::pow(n, omega0) / as_real(ranks)};
}

Cost memory_independent_bound(double n, Index ranks) {
  require_valid(n, ranks);
  return {.words = n * n / std::pow(as_real(ranks), 2 / omega0),
          .messages = 1,
          .flops = std::pow(n, omega0) / as_real(ranks)};
}

Cost lower_bound(double n, Index ranks, double memory) {
  return larger(memory_dependent_bound(n, ranks, memory), memory_independent_bound(n, ranks));
}

Cost caps(double n, Index ranks, std::span<const Step> steps, const Local& local) {
  require_valid(n, ranks);
  const auto taken = static_cast<Index>(std::count(steps.begin(), steps.end(), Step::bfs));
  require(taken == bfs_steps(ranks), "steps has {} BFS steps, expected {} for {} ranks", taken,
          bfs_steps(ranks), ranks);
  return unroll(n, as_real(ranks), steps, local);
}

Cost caps_unlimited(double n, Index ranks, const Local& local) {
  require_valid(n, ranks);
  const auto k = as_real(bfs_steps(ranks));
  const double per_leaf = n * n / std::pow(4, k);  // n^2 / P^(2/omega0): 7^(2/omega0) is 4
  const double per_rank = n * n / as_real(ranks);
  const double square = local.variant.additions / 3 * n * n;
  return {.words = 12 * per_leaf - 12 * per_rank,
          .messages = 36 * k,
          .flops = (leading_constant(local) * std::pow(n, omega0) - square) / as_real(ranks),
          .memory = 7 * per_leaf - 4 * per_rank};
}

Index caps_dfs_steps(double n, Index ranks, double memory) {
  require_valid(n, ranks);
  require(9 * n * n <= memory * as_real(ranks),
          "memory is {} words, expected {} or more: three times what A, B and C take (n = {}, {} ranks)",
          memory, 9 * n * n / as_real(ranks), n, ranks);
  const double leaf = 4 * n / (std::pow(as_real(ranks), 1 / omega0) * std::sqrt(memory));
  return std::max<Index>(0, static_cast<Index>(std::ceil(std::log2(leaf))));
}

Cost caps_limited(double n, Index ranks, double memory, const Local& local) {
  const auto l = as_real(caps_dfs_steps(n, ranks, memory));
  const Cost leaf = caps_unlimited(n / std::exp2(l), ranks, local);
  Cost cost = std::pow(7, l) * leaf;
  cost.flops = caps_unlimited(n, ranks, local).flops;
  cost.memory = 4 * n * n / as_real(ranks) * (1 - std::pow(4, -l)) + leaf.memory;
  return cost;
}

Cost caps_limited_ceiling(double n, Index ranks, double memory) {
  const Cost bound = memory_dependent_bound(n, ranks, memory);
  const auto k = as_real(bfs_steps(ranks));
  return {.words = 7.0 / 4 * 12 * std::pow(4, omega0 - 2) * bound.words,
          .messages = 7 * 36 * k * std::pow(4, omega0) * bound.messages,
          .flops = bound.flops,
          .memory = memory};
}

}  // namespace cairn::bounds::strassen
