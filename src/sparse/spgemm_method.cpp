#include "sparse/spgemm_method.hpp"

#include <algorithm>
#include <array>

namespace cairn::sparse {
namespace {

struct Named {
  SpgemmAlgorithm algorithm;
  std::string_view name;
};
constexpr std::array names{
    Named{SpgemmAlgorithm::automatic, "auto"},
    Named{SpgemmAlgorithm::block_row_naive, "block-row-naive"},
    Named{SpgemmAlgorithm::block_row, "block-row"},
    Named{SpgemmAlgorithm::block_column, "block-column"},
    Named{SpgemmAlgorithm::outer_product, "outer-product"},
    Named{SpgemmAlgorithm::outer_product_improved, "outer-product-improved"},
    Named{SpgemmAlgorithm::summa, "summa"},
    Named{SpgemmAlgorithm::summa_improved, "summa-improved"},
    Named{SpgemmAlgorithm::iterative, "iterative"},
    Named{SpgemmAlgorithm::recursive, "recursive"},
    Named{SpgemmAlgorithm::aware_2d, "aware-2d"},
    Named{SpgemmAlgorithm::aware_3d, "aware-3d"},
};

Gathering gathering_of(SpgemmAlgorithm algorithm) {
  switch (algorithm) {
    case SpgemmAlgorithm::block_row_naive:
      return Gathering::ring;
    case SpgemmAlgorithm::summa:
      return Gathering::steps;
    case SpgemmAlgorithm::recursive:
      return Gathering::levels;
    case SpgemmAlgorithm::block_row:
    case SpgemmAlgorithm::block_column:
    case SpgemmAlgorithm::aware_2d:
    case SpgemmAlgorithm::aware_3d:
      return Gathering::needed;
    default:
      return Gathering::at_once;
  }
}

// The most square pr x pc of a number of ranks, pr <= pc.
SparseGrid square_layers(int ranks, int layers) {
  const int each = ranks / layers;
  int pr = 1;
  for (int r = 1; r * r <= each; ++r)
    if (each % r == 0) pr = r;
  return {pr, each / pr, layers};
}

void check_fits(SpgemmAlgorithm algorithm, const SparseGrid& g) {
  const bool rows = algorithm == SpgemmAlgorithm::block_row_naive || algorithm == SpgemmAlgorithm::block_row;
  const bool columns = algorithm == SpgemmAlgorithm::block_column;
  const bool outer =
      algorithm == SpgemmAlgorithm::outer_product || algorithm == SpgemmAlgorithm::outer_product_improved;
  const bool flat = algorithm == SpgemmAlgorithm::summa || algorithm == SpgemmAlgorithm::summa_improved ||
                    algorithm == SpgemmAlgorithm::aware_2d;
  require((!rows && !outer) || g.pn == 1, "{} on [{}, {}, {}], expected pn = 1", name(algorithm), g.pm, g.pn,
          g.pk);
  require((!columns && !outer) || g.pm == 1, "{} on [{}, {}, {}], expected pm = 1", name(algorithm), g.pm,
          g.pn, g.pk);
  require((!rows && !columns && !flat) || g.pk == 1, "{} on [{}, {}, {}], expected pk = 1", name(algorithm),
          g.pm, g.pn, g.pk);
}

std::vector<int> prime_factors(int value) {
  std::vector<int> factors;
  for (int f = 2; value > 1; ++f)
    for (; value % f == 0; value /= f) factors.push_back(f);
  return factors;
}

int default_layers(int ranks) {
  int best = 1;
  for (int c = 1; c * c * c <= ranks; ++c)
    if (ranks % c == 0) best = c;
  return best;
}

// The pieces of C after the levels of k: the last level cuts first.
FaceCut level_face(const std::vector<int>& levels) {
  FaceCut face;
  face.layer_of = {0};
  int stride = 1;
  for (const int f : levels) stride *= f;
  face.row_parts = stride;
  for (auto f = levels.rbegin(); f != levels.rend(); ++f) {
    stride /= *f;
    face.row_levels.push_back(*f);
    std::vector<int> finer;
    for (const int layer : face.layer_of)
      for (int d = 0; d < *f; ++d) finer.push_back(layer + d * stride);
    face.layer_of = std::move(finer);
  }
  return face;
}

// Section 4.4: what each split would move, in entries per rank of what A and B have become and C will be.
struct Recursion {
  SpgemmMethod& method;
  double a, b, c;

  void split_m(int f) {
    method.m_levels.push_back(f);
    method.grid.pm *= f;
    b *= f;
  }
  void split_n(int f) {
    method.n_levels.push_back(f);
    method.grid.pn *= f;
    a *= f;
  }
  void split_k(int f) {
    method.k_levels.push_back(f);
    method.grid.pk *= f;
  }
  void split_once(int f) {
    const double by_m = (f - 1) * b, by_n = (f - 1) * a, by_k = (1 - 1.0 / f) * c;
    if (by_k < std::min(by_m, by_n)) return split_k(f);
    by_m <= by_n ? split_m(f) : split_n(f);
  }
  // The paper's: m and n in f parts each, or k in f^2; one dimension twice where a matrix is much smaller.
  void split_pair(int f) {
    const double both = (f - 1) * (a + b), m_twice = (f * f - 1) * b, n_twice = (f * f - 1) * a;
    if ((1 - 1.0 / (f * f)) * c < std::min({both, m_twice, n_twice})) return split_k(f * f);
    n_twice < std::min(both, m_twice) ? split_n(f) : split_m(f);
    m_twice < std::min(both, n_twice) ? split_m(f) : split_n(f);
  }
};

}  // namespace

const std::vector<SpgemmAlgorithm>& all_spgemm_algorithms() {
  static const std::vector<SpgemmAlgorithm> all = [] {
    std::vector<SpgemmAlgorithm> list;
    for (const Named& n : names)
      if (n.algorithm != SpgemmAlgorithm::automatic) list.push_back(n.algorithm);
    return list;
  }();
  return all;
}

std::string_view name(SpgemmAlgorithm algorithm) {
  return std::find_if(names.begin(), names.end(), [&](const Named& n) { return n.algorithm == algorithm; })
      ->name;
}

SpgemmAlgorithm parse_spgemm_algorithm(std::string_view text) {
  std::string all;
  for (const Named& n : names) {
    if (n.name == text) return n.algorithm;
    all += (all.empty() ? "" : ", ") + std::string(n.name);
  }
  fail("algorithm is '{}', expected one of {}", text, all);
}

std::string SpgemmMethod::describe() const {
  std::string text = fmt::format("{} on [{}, {}, {}]", name(algorithm), grid.pm, grid.pn, grid.pk);
  if (phases > 1) text += fmt::format(" in {} phases", phases);
  return text;
}

SpgemmMethod method_on(SpgemmAlgorithm algorithm, const SparseGrid& grid) {
  require(algorithm != SpgemmAlgorithm::automatic && algorithm != SpgemmAlgorithm::recursive,
          "{} takes no grid of yours", name(algorithm));
  check_fits(algorithm, grid);
  SpgemmMethod method;
  method.algorithm = algorithm;
  method.grid = grid;
  method.gathering = gathering_of(algorithm);
  const bool square =
      algorithm == SpgemmAlgorithm::outer_product_improved || algorithm == SpgemmAlgorithm::iterative;
  method.face = square ? square_face(grid.pk) : row_face(grid.pk);
  method.from_home = algorithm == SpgemmAlgorithm::iterative && grid.pk > 1;
  if (algorithm == SpgemmAlgorithm::iterative) method.order = LayerOrder::dealt;
  return method;
}

SpgemmMethod recursive_method(int ranks, const SplitCosts& costs) {
  SpgemmMethod method;
  method.algorithm = SpgemmAlgorithm::recursive;
  method.gathering = Gathering::levels;
  Recursion r{method, costs.a / ranks, costs.b / ranks, costs.c / ranks};
  std::vector<int> factors = prime_factors(ranks);
  std::reverse(factors.begin(), factors.end());
  for (std::size_t x = 0; x < factors.size();) {
    const bool pair = x + 1 < factors.size() && factors[x] == factors[x + 1];
    pair ? r.split_pair(factors[x]) : r.split_once(factors[x]);
    x += pair ? 2 : 1;
  }
  method.face = level_face(method.k_levels);
  return method;
}

SpgemmMethod named_method(SpgemmAlgorithm algorithm, int ranks, int layers, const SplitCosts& costs) {
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  require(layers >= 0 && layers <= ranks && (layers == 0 || ranks % layers == 0),
          "layers is {}, expected a divisor of {} ranks", layers, ranks);
  switch (algorithm) {
    case SpgemmAlgorithm::block_row_naive:
    case SpgemmAlgorithm::block_row:
      return method_on(algorithm, {ranks, 1, 1});
    case SpgemmAlgorithm::block_column:
      return method_on(algorithm, {1, ranks, 1});
    case SpgemmAlgorithm::outer_product:
    case SpgemmAlgorithm::outer_product_improved:
      return method_on(algorithm, {1, 1, ranks});
    case SpgemmAlgorithm::recursive:
      return recursive_method(ranks, costs);
    case SpgemmAlgorithm::iterative:
    case SpgemmAlgorithm::aware_3d:
      return method_on(algorithm, square_layers(ranks, layers == 0 ? default_layers(ranks) : layers));
    default:
      return method_on(algorithm, square_layers(ranks, 1));
  }
}

MethodLayouts layouts_of(const SpgemmMethod& method, const ProductShape& shape) {
  MethodLayouts all;
  all.bricks = brick_layouts(shape, method.grid, method.face, method.order);
  all.a = all.bricks.a;
  all.b = all.bricks.b;
  all.c = all.bricks.c;
  if (method.from_home) {
    HomeLayouts home = home_layouts(shape, method.grid, method.face);
    all.a = std::move(home.a);
    all.b = std::move(home.b);
  }
  return all;
}

}  // namespace cairn::sparse
