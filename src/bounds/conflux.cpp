#include "bounds/conflux.hpp"

#include <cmath>

namespace cairn::bounds::factor {
namespace {

void check(const Blocked& x) {
  require_positive(x.n, "n");
  require_positive(x.ranks, "ranks");
  require(x.block > 0 && x.block <= x.n, "block is {}, expected 1 <= block <= n = {}", x.block, x.n);
  const double least = as_real(x.n) * as_real(x.n) / as_real(x.ranks);
  require(x.memory >= least * (1 - 1e-12), "memory is {} words, expected {} or more: n^2 / ranks", x.memory,
          least);
  require(x.memory <= as_real(x.n) * as_real(x.n), "memory is {} words, expected at most n^2 = {}", x.memory,
          as_real(x.n) * as_real(x.n));
}

// The terms of one step, or of all steps when `rows`, `squares` and `count` are sums over them.
struct Sums {
  double rows = 0;     // r
  double squares = 0;  // r^2
  double count = 0;    // 1
};

double rounds(const Blocked& x) { return std::ceil(std::log2(grid_side(x)) - 1e-12); }

Cost reduce(const Blocked& x, const Sums& s) {
  return {.words = s.rows * as_real(x.block) * layers(x) / as_real(x.ranks)};
}
Cost tournament(const Blocked& x, const Sums& s) {
  const double v = as_real(x.block);
  return {.words = s.count * v * v * rounds(x), .flops = s.count * 2 * v * v * v / 3 * rounds(x)};
}
Cost scatter_pivots(const Blocked& x, const Sums& s) {
  return {.words = s.count * as_real(x.block) * (as_real(x.block) + 1)};
}
Cost broadcast_corner(const Blocked& x, const Sums& s) {
  const double v = as_real(x.block);
  return {.words = s.count * v * v, .flops = s.count * v * v * v / 3};
}
Cost scatter_panel(const Blocked& x, const Sums& s) {
  return {.words = s.rows * as_real(x.block) / as_real(x.ranks)};
}
Cost solve_panel(const Blocked& x, const Sums& s) {
  return {.flops = s.rows * as_real(x.block) * as_real(x.block) / as_real(x.ranks)};
}
Cost send_panel(const Blocked& x, const Sums& s) {
  return {.words = s.rows * as_real(x.block) / (layers(x) * grid_side(x))};
}
Cost update(const Blocked& x, const Sums& s, double share) {
  return {.flops = share * 2 * s.squares * as_real(x.block) / as_real(x.ranks)};
}

Sums one_step(const Blocked& x, Index t) {
  require(t >= 1 && t <= steps(x), "t is {}, expected 1 <= t <= {}", t, steps(x));
  const double r = as_real(std::max<Index>(0, x.n - t * x.block));
  return {r, r * r, 1};
}

// Sums over t = 1 .. q - 1 of N - tv and of its square; the last step leaves no row.
Sums all_steps(const Blocked& x) {
  const double n = as_real(x.n), v = as_real(x.block), q = as_real(steps(x));
  const double squares = (q - 1) * n * n - n * v * q * (q - 1) + v * v * (q - 1) * q * (2 * q - 1) / 6;
  return {(q - 1) * (n - v * q / 2), squares, q};
}

Cost total(const std::vector<Line>& lines) {
  Cost sum;
  for (const Line& line : lines) sum = sum + line.cost;
  return sum;
}

std::vector<Line> conflux_lines(const Blocked& x, const Sums& s) {
  return {{1, "reduce block column", reduce(x, s)},
          {2, "tournament pivoting", tournament(x, s)},
          {3, "scatter A00 and pivots", scatter_pivots(x, s)},
          {4, "scatter A10", scatter_panel(x, s)},
          {5, "reduce pivot rows", reduce(x, s)},
          {6, "scatter A01", scatter_panel(x, s)},
          {7, "solve A10", solve_panel(x, s)},
          {8, "send A10", send_panel(x, s)},
          {9, "solve A01", solve_panel(x, s)},
          {10, "send A01", send_panel(x, s)},
          {11, "update A11", update(x, s, 1)}};
}

std::vector<Line> confchox_lines(const Blocked& x, const Sums& s) {
  return {{1, "reduce block column", reduce(x, s)}, {3, "factor and scatter A00", broadcast_corner(x, s)},
          {4, "scatter A10", scatter_panel(x, s)},  {5, "reduce block row", reduce(x, s)},
          {6, "scatter A01", scatter_panel(x, s)},  {7, "solve A10", solve_panel(x, s)},
          {8, "send A10", send_panel(x, s)},        {9, "solve A01", solve_panel(x, s)},
          {10, "send A01", send_panel(x, s)},       {11, "update A11", update(x, s, 0.5)}};
}

double cubic(Index n, Index ranks, double memory) {
  require_positive(n, "n");
  require_positive(ranks, "ranks");
  require_positive(memory, "memory");
  return std::pow(as_real(n), 3) / (as_real(ranks) * std::sqrt(memory));
}

}  // namespace

double layers(const Blocked& x) { return as_real(x.ranks) * x.memory / (as_real(x.n) * as_real(x.n)); }
double grid_side(const Blocked& x) { return as_real(x.n) / std::sqrt(x.memory); }
Index steps(const Blocked& x) { return ceil_div(x.n, x.block); }

std::vector<Line> conflux_step(const Blocked& x, Index t) {
  check(x);
  return conflux_lines(x, one_step(x, t));
}

std::vector<Line> confchox_step(const Blocked& x, Index t) {
  check(x);
  return confchox_lines(x, one_step(x, t));
}

Cost conflux(const Blocked& x) {
  check(x);
  return total(conflux_lines(x, all_steps(x)));
}

Cost confchox(const Blocked& x) {
  check(x);
  return total(confchox_lines(x, all_steps(x)));
}

double words_2d_library(Index n, Index ranks) {
  return cubic(n, ranks, as_real(n) * as_real(n) / as_real(ranks));
}
double words_candmc(Index n, Index ranks, double memory) { return 5 * cubic(n, ranks, memory); }
double words_capital(Index n, Index ranks, double memory) { return 45.0 / 8 * cubic(n, ranks, memory); }
double words_conflux_leading(Index n, Index ranks, double memory) { return cubic(n, ranks, memory); }

}  // namespace cairn::bounds::factor
