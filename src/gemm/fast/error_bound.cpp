#include "gemm/fast/error_bound.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::gemm::fast {
namespace {

using Role = BlockPlace::Role;
using Levels = std::span<const Level>;

// A value: its largest size, and its error in units of u.
struct Extent {
  double size = 0;
  double error = 0;
};

// What a product of blocks of size 1 does, and what it adds to a kept block of size 1.
struct LevelError {
  ErrorBound fresh;
  ErrorBound kept;
};

// A dot product of k terms in any order: k - 1 additions, k multiplications, alpha, and the sum with C. A
// complex multiplication or addition rounds at most 3 times as much as a real one.
LevelError leaf_error(double k, double per_operation) {
  const double each = per_operation * (k + 2);
  return {{each * k, 0}, {each * k, each}};
}

struct State {
  std::vector<Extent> a, b, c, temporaries;

  std::vector<Extent>& of(Role role) {
    return role == Role::a ? a : role == Role::b ? b : role == Role::c ? c : temporaries;
  }
  Extent& at(const BlockPlace& p) { return of(p.role)[static_cast<std::size_t>(p.index)]; }
};

State start(const Recipe& r, double product, double kept) {
  const auto blocks = [](int count, double size) {
    return std::vector<Extent>(static_cast<std::size_t>(count), {size, 0});
  };
  return {blocks(r.m0 * r.k0, product), blocks(r.k0 * r.n0, 1), blocks(r.m0 * r.n0, kept),
          std::vector<Extent>(r.temporaries.size())};
}

void follow_pass(State& state, const SumPassStep& pass) {
  std::vector<Extent> values;
  for (const BlockPlace& p : pass.inputs) {
    Extent x = state.at(p);
    if (pass.keeps && p.role == Role::c) x.error += x.size;  // times beta
    values.push_back(x);
  }
  const auto scaled = [&](int v, const Rational& c) {
    const Extent x = v >= 0 ? values[static_cast<std::size_t>(v)] : Extent{};
    const double f = std::abs(c.value());
    // A coefficient other than 0 and 1 is rounded, and multiplying by it rounds. (Powers of 2 would not.)
    return Extent{f * x.size, f * x.error + (f == 1 ? 0 : 2 * f * x.size)};
  };
  for (const SumStep& s : pass.sums.steps) {
    const Extent x = scaled(s.x, s.cx), y = scaled(s.y, s.cy);
    const double size = x.size + y.size;
    values.push_back({size, x.error + y.error + (s.y >= 0 ? size : 0)});
  }
  for (std::size_t o = 0; o < pass.outputs.size(); ++o) {
    const int v = pass.sums.outputs[o];
    state.at(pass.outputs[o]) = v < 0 ? Extent{} : values[static_cast<std::size_t>(v)];
  }
}

void follow_product(State& state, const ProductStep& p, const LevelError& below, double k) {
  const Extent a = state.at(p.a), b = state.at(p.b);
  const double factor = std::abs(p.factor), size = factor * a.size * b.size;
  const Extent product{size * k, factor * (a.error * b.size + a.size * b.error) * k + size * k};
  Extent& c = state.at(p.c);
  if (p.keep == 0) {
    c = {product.size, product.error + below.fresh.product * size};
  } else {
    const double keep = std::abs(p.keep);
    c = {product.size + keep * c.size,
         product.error + keep * c.error + below.kept.product * size + (below.kept.kept + 2) * keep * c.size};
  }
}

// The largest error of a block of C.
double follow(const Recipe& recipe, State state, const LevelError& below, double k) {
  for (const auto& step : recipe.steps) {
    if (const auto* pass = std::get_if<SumPassStep>(&step))
      follow_pass(state, *pass);
    else
      follow_product(state, std::get<ProductStep>(step), below, k);
  }
  double most = 0;
  for (const Extent& c : state.c) most = std::max(most, c.error);
  return most;
}

LevelError errors_of_levels(Levels levels, double k, double per_operation) {
  if (levels.empty()) return leaf_error(k, per_operation);
  const Recipe &fresh = *levels.front().fresh, &kept = *levels.front().kept;
  const double below_k = k / fresh.k0;
  const LevelError below = errors_of_levels(levels.subspan(1), below_k, per_operation);
  return {{follow(fresh, start(fresh, 1, 0), below, below_k), 0},
          {follow(kept, start(kept, 1, 0), below, below_k), follow(kept, start(kept, 0, 1), below, below_k)}};
}

}  // namespace

double stability_factor(const Bilinear& x) {
  const auto norm = [](const std::vector<Rational>& row) {
    double sum = 0;
    for (const Rational& c : row) sum += std::abs(c.value());
    return sum;
  };
  double most = 0;
  for (std::size_t l = 0; l < static_cast<std::size_t>(x.blocks(Matrix::c)); ++l) {
    double sum = 0;
    for (const Term& t : x.terms)
      sum += std::abs(t[Matrix::c][l].value()) * norm(t[Matrix::a]) * norm(t[Matrix::b]);
    most = std::max(most, sum);
  }
  return most;
}

ErrorBound error_bound(const LocalProduct& p, ScalarType type) {
  const double per_operation = is_complex(type) ? 3 : 1;
  const Core core = core_of(p);
  const auto k = static_cast<double>(p.k), rest = static_cast<double>(p.k - core.k);
  const LevelError plain = leaf_error(k, per_operation);
  if (p.levels.empty() || core.m == 0 || core.n == 0 || core.k == 0)
    return {plain.kept.product, plain.kept.kept};
  const LevelError e = errors_of_levels(p.levels, static_cast<double>(core.k), per_operation);
  // The peeled k is added to what is there: at most k |A| |B| + |C|.
  const double added = rest > 0 ? per_operation * (rest + 2) : 0;
  return {std::max(e.kept.product, e.fresh.product) + added * k, e.kept.kept + added};
}

double error_growth(const LocalProduct& p, ScalarType type) {
  LocalProduct plain = p;
  plain.levels.clear();
  const double base = error_bound(plain, type).product;
  return base > 0 ? std::max(1.0, error_bound(p, type).product / base) : 1;
}

namespace {

// The steps as levels on padded matrices: zeros add no error. The sums along pk are sums of the same k terms.
LocalProduct as_local(const FastSchedule& s) {
  LocalProduct p{.m = 1, .n = 1, .k = std::max<Index>(1, s.problem.k)};
  for (const FastStep& step : s.steps)
    p.levels.push_back(
        level_of(step.algorithm, step.kind == StepKind::bfs ? Temporaries::one_pass : Temporaries::few));
  p.levels.insert(p.levels.end(), s.local.begin(), s.local.end());
  for (const Level& l : p.levels) {
    p.m *= l.algorithm->m0;
    p.n *= l.algorithm->n0;
  }
  Index parts = 1;
  for (const FastStep& step : s.steps) parts *= step.algorithm->k0;
  p.k = ceil_div(p.k, parts) * parts;
  return p;
}

}  // namespace

// alpha and beta come after the product: one more rounding each, and one of their sum.
ErrorBound error_bound(const FastSchedule& s) {
  const ErrorBound e = error_bound(as_local(s), s.problem.type);
  const double last = is_complex(s.problem.type) ? 6 : 2;
  return {e.product + last * static_cast<double>(s.problem.k), last};
}

double error_growth(const FastSchedule& s) { return error_growth(as_local(s), s.problem.type); }

double unit_roundoff(ScalarType type) {
  const bool single = type == ScalarType::f32 || type == ScalarType::c32;
  return single ? std::ldexp(1.0, -24) : std::ldexp(1.0, -53);
}

}  // namespace cairn::gemm::fast
