// Errors against a reference in higher precision: within the bound always, at most 2.7 times per level on
// random data; and what scaling saves.
#include "gemm/fast/error_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/buffer.hpp"
#include "gemm/fast/catalogue.hpp"
#include "gemm/fast/rates.hpp"
#include "gemm/fast/scaled.hpp"

namespace cairn::gemm::fast {
namespace {

struct Measured {
  double frobenius = 0;  // of the error
  double most = 0;       // |error|
  double a = 0, b = 0, c = 0;
};

template <class R>
struct Matrices {
  Index n;
  std::vector<R> a, b, c;
  std::vector<double> exact;  // in double for float: far more digits than are compared
};

template <class R>
Matrices<R> random_matrices(Index n, std::uint64_t seed, bool with_exact) {
  std::mt19937_64 g(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  const auto count = static_cast<std::size_t>(n * n);
  Matrices<R> x{n, std::vector<R>(count), std::vector<R>(count), std::vector<R>(count), {}};
  for (auto* v : {&x.a, &x.b, &x.c})
    for (R& e : *v) e = static_cast<R>(u(g));
  if (with_exact) {
    x.exact.assign(x.c.begin(), x.c.end());
    const std::vector<double> a(x.a.begin(), x.a.end()), b(x.b.begin(), x.b.end());
    blas::gemm<double>(Op::none, Op::none, n, n, n, 1, a.data(), n, b.data(), n, 0, x.exact.data(), n);
  }
  return x;
}

Measured measure(const Matrices<float>& x, const std::vector<Level>& levels, float beta) {
  std::vector<float> c = x.c;
  const LocalProduct p{x.n, x.n, x.n, Op::none, Op::none, levels};
  Workers workers(1);
  const Buffer<float> workspace(workspace_elements(p, beta != 0));
  multiply<float>(p, 1, x.a.data(), x.n, x.b.data(), x.n, beta, c.data(), x.n, workspace.span(), workers);
  Measured m;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double exact = x.exact[i] + static_cast<double>(beta) * static_cast<double>(x.c[i]);
    const double e = std::abs(static_cast<double>(c[i]) - exact);
    m.frobenius += e * e;
    m.most = std::max(m.most, e);
    m.a = std::max<double>(m.a, std::abs(x.a[i]));
    m.b = std::max<double>(m.b, std::abs(x.b[i]));
    m.c = std::max<double>(m.c, std::abs(x.c[i]));
  }
  m.frobenius = std::sqrt(m.frobenius);
  return m;
}

double bound_of(const Matrices<float>& x, const std::vector<Level>& levels, const Measured& m, float beta) {
  const ErrorBound e = error_bound({x.n, x.n, x.n, Op::none, Op::none, levels}, ScalarType::f32);
  return unit_roundoff(ScalarType::f32) * (e.product * m.a * m.b + e.kept * std::abs(beta) * m.c);
}

TEST(ErrorBound, HoldsForEveryAlgorithm) {
  std::vector<Level> all{winograd_level(Temporaries::few)};
  for (const std::string& name : catalogue_names())
    for (const Temporaries t : {Temporaries::one_pass, Temporaries::few})
      all.push_back(level_of(find_bilinear(name), t));
  const auto x = random_matrices<float>(217, 5, true);
  for (const Level& level : all)
    for (const std::size_t count : {0U, 1U, 2U})
      for (const float beta : {0.0F, 1.0F, -1.7F}) {
        const std::vector<Level> levels(count, level);
        const Measured m = measure(x, levels, beta);
        const double bound = bound_of(x, levels, m, beta);
        EXPECT_LE(m.most, bound) << level.algorithm->name << " " << count;
        EXPECT_GE(m.most, 1e-7 * bound) << level.algorithm->name << ": the bound says nothing";
      }
}

TEST(ErrorGrowth, OfRandomDataIsBelowTwoPointSevenPerLevel) {
  const auto x = random_matrices<float>(512, 7, true);
  for (const Temporaries t : {Temporaries::one_pass, Temporaries::few}) {
    std::vector<Level> levels;
    double before = measure(x, levels, 0).frobenius;
    for (int l = 1; l <= 4; ++l) {
      levels.push_back(winograd_level(t));
      const double now = measure(x, levels, 0).frobenius;
      EXPECT_LE(now, 2.7 * before) << l;
      EXPECT_GE(now, before) << l;
      before = now;
    }
  }
}

TEST(StabilityFactor, IsThatOfTheLiterature) {
  EXPECT_EQ(stability_factor(*find_bilinear("strassen")), 12);
  EXPECT_EQ(stability_factor(*find_bilinear("winograd")), 18);
  EXPECT_EQ(stability_factor(*find_bilinear("classical")), 2);
}

TEST(ErrorGrowth, CapsTheLevels) {
  const LocalProduct p{8192, 8192, 8192};
  const LocalProduct free = choose_levels(p, false, ScalarType::f64, {});
  ASSERT_GE(free.levels.size(), 2U);
  const double one = error_growth({8192, 8192, 8192, Op::none, Op::none, {free.levels[0]}}, ScalarType::f64);
  EXPECT_GT(one, 1);
  EXPECT_EQ(choose_levels(p, false, ScalarType::f64, {}, {.max_error_growth = one}).levels.size(), 1U);
  EXPECT_TRUE(choose_levels(p, false, ScalarType::f64, {}, {.max_error_growth = 1}).levels.empty());
}

TEST(Rates, ChooseBlasWhereProductsAreSmallOrThin) {
  for (const Index n : {1, 16, 100, 200})
    EXPECT_TRUE(choose_levels({n, n, n}, false, ScalarType::f64, {}).levels.empty()) << n;
  EXPECT_TRUE(choose_levels({8192, 8192, 16}, false, ScalarType::f64, {}).levels.empty());
  const LocalProduct big{4096, 4096, 4096};
  EXPECT_FALSE(choose_levels(big, false, ScalarType::f64, {}).levels.empty());
  FastRates slow_memory;
  for (auto& point : slow_memory.sums) point.rate /= 50;
  EXPECT_TRUE(choose_levels(big, false, ScalarType::f64, slow_memory).levels.empty());
  EXPECT_TRUE(choose_levels(big, false, ScalarType::f64, {}, {.workspace_bytes = 1 << 20}).levels.empty());
}

// What is gained must be more than by what the machine itself goes up and down.
TEST(Rates, ChooseBlasWhereTheGainIsWithinTheNoise) {
  const LocalProduct big{4096, 4096, 4096};
  LocalProduct fast = choose_levels(big, false, ScalarType::f64, {});
  ASSERT_FALSE(fast.levels.empty());
  const double gain = predicted_seconds(big, false, ScalarType::f64, {}) /
                      predicted_seconds(fast, false, ScalarType::f64, {});
  FastRates noisy;
  noisy.noise = gain - 1.02;
  EXPECT_TRUE(choose_levels(big, false, ScalarType::f64, noisy).levels.empty());
  noisy.noise = gain - 1.04;
  EXPECT_FALSE(choose_levels(big, false, ScalarType::f64, noisy).levels.empty());
}

TEST(Rates, AreInterpolated) {
  const std::vector<FastRates::Point> points{{16, 1}, {64, 3}};
  EXPECT_DOUBLE_EQ(rate_at(points, 1), 1);
  EXPECT_DOUBLE_EQ(rate_at(points, 32), 2);
  EXPECT_DOUBLE_EQ(rate_at(points, 100), 3);
  // 1/rate = 1/4 + 48/side, and on in the same way, but never more than a tenth above what was measured.
  const std::vector<FastRates::Point> packed{
      {32, 1 / (0.25 + 48. / 32)}, {64, 1.0}, {256, 1 / (0.25 + 48. / 256)}};
  EXPECT_DOUBLE_EQ(gemm_rate_at(packed, 64), 1.0);
  EXPECT_DOUBLE_EQ(gemm_rate_at(packed, 288), 1 / (0.25 + 48. / 288));
  EXPECT_DOUBLE_EQ(gemm_rate_at(packed, 1e6), 1.1 / (0.25 + 48. / 256));
}

// Rows of A of very different size: the error of each against what the classical product may have.
double worst_row_error(Scaling scaling, bool inner) {
  const Index n = 64;
  Matrices<float> x = random_matrices<float>(n, 3, false);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const int e = static_cast<int>((inner ? j : i) / 8) * 5;
      x.a[static_cast<std::size_t>(i + j * n)] = std::ldexp(x.a[static_cast<std::size_t>(i + j * n)], -e);
      if (inner)
        x.b[static_cast<std::size_t>(j + i * n)] = std::ldexp(x.b[static_cast<std::size_t>(j + i * n)], e);
    }
  const LocalProduct p{n, n, n, Op::none, Op::none, {2, winograd_level(Temporaries::few)}};
  Workers workers(1);
  const Buffer<float> workspace(scaled_workspace_elements(p, scaling, false));
  multiply_scaled<float>(p, scaling, 1, x.a.data(), n, x.b.data(), n, 0, x.c.data(), n, workspace.span(),
                         workers);
  double worst = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      double sum = 0, sizes = 0;
      for (Index l = 0; l < n; ++l) {
        const double term = static_cast<double>(x.a[static_cast<std::size_t>(i + l * n)]) *
                            static_cast<double>(x.b[static_cast<std::size_t>(l + j * n)]);
        sum += term;
        sizes += std::abs(term);
      }
      worst = std::max(worst,
                       std::abs(static_cast<double>(x.c[static_cast<std::size_t>(i + j * n)]) - sum) / sizes);
    }
  return worst;
}

TEST(Scaling, SavesWhatThePlainFormLoses) {
  EXPECT_GT(worst_row_error(Scaling::none, false), 1);  // all digits
  EXPECT_LT(worst_row_error(Scaling::outside, false), 1e-4);
  EXPECT_LT(worst_row_error(Scaling::both, false), 1e-4);
  EXPECT_GT(worst_row_error(Scaling::none, true), 1);
  EXPECT_LT(worst_row_error(Scaling::inside, true), 1e-4);
  EXPECT_LT(worst_row_error(Scaling::both, true), 1e-4);
}

TEST(Scaling, IsTheProductWithOpsAndFactors) {
  using T = std::complex<double>;
  std::mt19937_64 g(9);
  std::uniform_real_distribution<double> u(-1, 1);
  const Index m = 23, n = 17, k = 30;
  std::vector<T> a(static_cast<std::size_t>((k + 1) * m)), b(static_cast<std::size_t>(n * k)),
      c(static_cast<std::size_t>((m + 2) * n));
  for (auto* v : {&a, &b, &c})
    for (T& e : *v) e = {u(g), u(g)};
  const LocalProduct p{m, n, k, Op::adjoint, Op::transpose, {winograd_level(Temporaries::few)}};
  for (const Scaling s : {Scaling::none, Scaling::outside, Scaling::inside, Scaling::both}) {
    std::vector<T> x = c, y = c;
    const T alpha(2, 1), beta(-1, 0.5);
    Workers workers(1);
    const Buffer<T> workspace(scaled_workspace_elements(p, s, true));
    multiply_scaled(p, s, alpha, a.data(), k + 1, b.data(), n, beta, x.data(), m + 2, workspace.span(),
                    workers);
    blas::gemm(Op::adjoint, Op::transpose, m, n, k, alpha, a.data(), k + 1, b.data(), n, beta, y.data(),
               m + 2);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LE(std::abs(x[i] - y[i]), 1e-12);
  }
}

}  // namespace
}  // namespace cairn::gemm::fast
