#include "gemm/named.hpp"

#include <algorithm>
#include <cmath>

#include "gemm/count.hpp"

namespace cairn::gemm {
namespace {

constexpr Index panel = 256;  // width of a round of summa*, wide enough for BLAS

Grid grid_with(Dim d, int x, Dim e, int y, Dim f, int z) {
  std::array<int, 3> extents{};
  extents[index(d)] = x;
  extents[index(e)] = y;
  extents[index(f)] = z;
  return {extents[0], extents[1], extents[2]};
}

// The divisor of n nearest to `wanted` by ratio, the smaller one among equals.
int nearest_divisor(int n, double wanted) {
  const auto away = [&](int d) { return std::abs(std::log(d / wanted)); };
  int best = 1;
  for (int d = 1; d <= n; ++d)
    if (n % d == 0 && away(d) < away(best) - 1e-12) best = d;
  return best;
}

int floor_root(int ranks, int power) {
  int q = 1;
  while (std::pow(q + 1, power) <= ranks) ++q;
  return q;
}

Rounds rounds_of(const Problem& p, Dim along, Index count) {
  const Index most = std::max<Index>(1, p.size(along));
  count = std::clamp<Index>(count, 1, most);
  return count == 1 ? Rounds{} : Rounds{along, count};
}

// d0 x d1 ranks for the stationary matrix, h parts of the dimension it misses, which is also cut into rounds.
Schedule summa(const Problem& p, Matrix stationary, int ranks, int h) {
  const Dim rows = stationary == Matrix::b ? Dim::k : Dim::m,
            cols = stationary == Matrix::a ? Dim::k : Dim::n, along = missing(stationary);
  const int per_layer = ranks / h;
  const int d0 = nearest_divisor(per_layer, std::sqrt(per_layer)), d1 = per_layer / d0;
  const Grid one = grid_with(rows, d0, cols, d1, along, h), other = grid_with(rows, d1, cols, d0, along, h);
  const Grid grid = words_of_all<double>(p, one) <= words_of_all<double>(p, other) ? one : other;
  return {.problem = p, .grid = grid, .rounds = rounds_of(p, along, ceil_div(p.size(along), h * panel))};
}

// [q, q, c] with q/c rounds along k: the steps a layer of 2.5D takes.
Schedule square_layers(const Problem& p, int q, int c) {
  return {.problem = p, .grid = {q, q, c}, .rounds = rounds_of(p, Dim::k, std::max(1, q / c))};
}

// As many layers up to the cube root as use most ranks.
int best_layers(int ranks) {
  int best = 1;
  Index used = 0;
  for (int c = 1; c <= floor_root(ranks, 3); ++c) {
    const Index q = floor_root(ranks / c, 2);
    if (q * q * c >= used) best = c, used = q * q * c;
  }
  return best;
}

// The longest side is halved, again and again; k before n before m among equals.
Tree halves(std::array<double, 3> sides, int ranks) {
  if (ranks == 1) return {};
  Dim longest = Dim::k;
  for (const Dim d : {Dim::n, Dim::m})
    if (sides[index(d)] > sides[index(longest)]) longest = d;
  const int first = ranks / 2;
  std::array<double, 3> rest = sides;
  sides[index(longest)] *= static_cast<double>(first) / ranks;
  rest[index(longest)] *= static_cast<double>(ranks - first) / ranks;
  return Tree::cut(longest, {halves(sides, first), halves(rest, ranks - first)});
}

// A grid where the ranks are a power of two; else parts of ranks/2, rounded down and up.
Schedule carma(const Problem& p, int ranks) {
  const Tree tree =
      halves({static_cast<double>(p.m), static_cast<double>(p.n), static_cast<double>(p.k)}, ranks)
          .simplified();
  if (tree.is_leaf()) return {.problem = p, .grid = tree.grid(), .rounds = {}};
  return {.problem = p, .tree = std::make_shared<const Tree>(tree), .rounds = {}};
}

int layers(const NamedOptions& options, int otherwise, int ranks) {
  const int h = options.layers.value_or(otherwise);
  require(h >= 1 && h <= ranks, "layers is {}, expected 1 to {}, the number of ranks", h, ranks);
  return h;
}

Schedule by_name(std::string_view name, const Problem& p, int ranks, const NamedOptions& options) {
  const Matrix stationary = name.ends_with("-a") ? Matrix::a : name.ends_with("-b") ? Matrix::b : Matrix::c;
  if (name.starts_with("summa2d")) return summa(p, stationary, ranks, 1);
  if (name.starts_with("summa3d"))
    return summa(p, stationary, ranks, layers(options, nearest_divisor(ranks, std::cbrt(ranks)), ranks));
  if (name == "cannon") {
    const int q = floor_root(ranks, 2);
    return {.problem = p, .grid = {q, q, 1}, .rounds = rounds_of(p, Dim::k, q)};
  }
  if (name == "2.5d") {
    const int c = layers(options, best_layers(ranks), ranks);
    return square_layers(p, floor_root(ranks / c, 2), c);
  }
  if (name == "3d") {
    const int q = floor_root(ranks, 3);
    return {.problem = p, .grid = {q, q, q}, .rounds = {}};
  }
  return carma(p, ranks);
}

}  // namespace

const std::vector<std::string_view>& fixed_names() {
  static const std::vector<std::string_view> names{"summa2d-a", "summa2d-b", "summa2d-c", "summa3d-a",
                                                   "summa3d-b", "summa3d-c", "cannon",    "2.5d",
                                                   "3d",        "carma"};
  return names;
}

Schedule named_schedule(std::string_view name, const Problem& problem, int ranks,
                        const NamedOptions& options) {
  require(std::ranges::count(fixed_names(), name) > 0, "algorithm is '{}', expected one of {}", name,
          fmt::join(fixed_names(), ", "));
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  Schedule schedule = by_name(name, problem, ranks, options);
  if (options.rounds) {
    const Dim along = schedule.rounds.count > 1 ? schedule.rounds.along
                      : name.ends_with("-a")    ? Dim::n
                      : name.ends_with("-b")    ? Dim::m
                                                : Dim::k;
    schedule.rounds = *options.rounds == 1 ? Rounds{} : Rounds{along, *options.rounds};
  }
  check(schedule, ranks);
  return schedule;
}

}  // namespace cairn::gemm
