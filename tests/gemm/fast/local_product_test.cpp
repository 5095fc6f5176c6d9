// Local fast products against BLAS: every entry of the catalogue, both kinds of temporaries, all ops and
// types, shapes that do not divide.
#include <gtest/gtest.h>

#include <random>

#include "base/buffer.hpp"
#include "gemm/fast/catalogue.hpp"
#include "gemm/fast/local.hpp"
#include "support/trials.hpp"

namespace cairn::gemm::fast {
namespace {

template <Scalar T>
T draw(std::mt19937_64& g) {
  std::uniform_real_distribution<double> u(-1, 1);
  if constexpr (ScalarTraits<T>::is_complex)
    return {static_cast<Real<T>>(u(g)), static_cast<Real<T>>(u(g))};
  else
    return static_cast<T>(u(g));
}

template <Scalar T>
std::vector<T> draw_many(Index count, std::mt19937_64& g) {
  std::vector<T> x(static_cast<std::size_t>(count));
  for (T& v : x) v = draw<T>(g);
  return x;
}

Index pick(std::mt19937_64& g, Index least, Index most) {
  return std::uniform_int_distribution<Index>(least, most)(g);
}

template <Scalar T>
struct LocalCase {
  LocalProduct product;
  T alpha, beta;
  Index lda = 1, ldb = 1, ldc = 1;
  std::vector<T> a, b, c;

  // Both as one vector, gaps between columns included: those must not change.
  std::vector<T> expected() const {
    std::vector<T> x = c;
    blas::gemm(product.op_a, product.op_b, product.m, product.n, product.k, alpha, a.data(), lda, b.data(),
               ldb, beta, x.data(), ldc);
    return x;
  }
  std::vector<T> computed(int threads) const {
    std::vector<T> x = c;
    Workers workers(threads);
    const Index least = workspace_elements(product, beta != T(0));
    const Buffer<T> workspace(least + 1);
    workspace[least] = T(77);  // a guard
    multiply(product, alpha, a.data(), lda, b.data(), ldb, beta, x.data(), ldc,
             workspace.span().first(static_cast<std::size_t>(least)), workers);
    EXPECT_EQ(workspace[least], T(77));
    return x;
  }
};

template <Scalar T>
LocalCase<T> random_case(LocalProduct p, std::mt19937_64& g) {
  const std::array<T, 4> factors{T(0), T(1), T(-1), draw<T>(g)};
  LocalCase<T> x{p, factors[g() % 4], factors[g() % 4], 1, 1, 1, {}, {}, {}};
  const auto rows = [](Op op, Index r, Index s) { return op == Op::none ? r : s; };
  x.lda = std::max<Index>(1, rows(p.op_a, p.m, p.k)) + pick(g, 0, 3);
  x.ldb = std::max<Index>(1, rows(p.op_b, p.k, p.n)) + pick(g, 0, 3);
  x.ldc = std::max<Index>(1, p.m) + pick(g, 0, 3);
  x.a = draw_many<T>(x.lda * rows(p.op_a, p.k, p.m) + 1, g);
  x.b = draw_many<T>(x.ldb * rows(p.op_b, p.n, p.k) + 1, g);
  x.c = draw_many<T>(x.ldc * p.n + 1, g);
  return x;
}

template <Scalar T>
void expect_equal(const LocalCase<T>& x, int threads) {
  const std::vector<T> right = x.expected(), mine = x.computed(threads);
  double most = 0;
  for (std::size_t i = 0; i < right.size(); ++i) most = std::max<double>(most, std::abs(right[i] - mine[i]));
  // Elements are below 1.5; each level multiplies the error by at most 100 (see error_bound).
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  const double growth = std::pow(100.0, static_cast<double>(x.product.levels.size()));
  EXPECT_LE(most, 8 * eps * static_cast<double>(x.product.k + 4) * growth)
      << x.product.m << " " << x.product.n << " " << x.product.k << " levels " << x.product.levels.size();
}

Level random_level(std::mt19937_64& g) {
  const std::vector<std::string> names = catalogue_names();
  const auto i = static_cast<std::size_t>(pick(g, 0, static_cast<Index>(names.size()) + 1));
  if (i == names.size()) return winograd_level(Temporaries::few);
  if (i > names.size()) return level_of(find_bilinear(g() % 2 == 0 ? "2x3x2" : "2x2x3"));
  return level_of(find_bilinear(names[i]), g() % 2 == 0 ? Temporaries::one_pass : Temporaries::few);
}

template <Scalar T>
class LocalFastProduct : public testing::Test {};
using AllScalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LocalFastProduct, AllScalars);

TYPED_TEST(LocalFastProduct, IsTheProduct) {
  std::mt19937_64 g(11);
  const std::array ops{Op::none, Op::transpose, Op::adjoint};
  for (int trial = 0; trial < test::trials(200); ++trial) {
    LocalProduct p{pick(g, 0, 70), pick(g, 0, 70), pick(g, 0, 70), ops[g() % 3], ops[g() % 3], {}};
    for (Index l = pick(g, 0, 2); l > 0; --l) p.levels.push_back(random_level(g));
    expect_equal(random_case<TypeParam>(p, g), 1 + static_cast<int>(g() % 2));
  }
}

TYPED_TEST(LocalFastProduct, OfLongColumnsIsTheProduct) {
  std::mt19937_64 g(12);
  for (const Temporaries t : {Temporaries::one_pass, Temporaries::few}) {
    LocalProduct p{1203, 200, 150, Op::none, Op::transpose, {winograd_level(t), winograd_level(t)}};
    expect_equal(random_case<TypeParam>(p, g), 2);
  }
}

TEST(Workspace, OfTheTwoTemporaries) {
  const LocalProduct p{1024, 1024, 1024, Op::none, Op::none, {winograd_level(Temporaries::few)}};
  EXPECT_EQ(workspace_elements(p, false), 2 * 512 * 512);
  EXPECT_EQ(workspace_elements(p, true), 3 * 512 * 512);
}

TEST(Workspace, OfOnePass) {
  const LocalProduct p{1024, 1024, 1024, Op::none, Op::none, {winograd_level(Temporaries::one_pass)}};
  EXPECT_EQ(workspace_elements(p, false), (4 + 4 + 3) * 512 * 512);  // sums, and products beyond C's blocks
  EXPECT_EQ(workspace_elements(p, true), (4 + 4 + 7) * 512 * 512);
}

TEST(Workspace, ThatIsTooSmallIsRefused) {
  const LocalProduct p{8, 8, 8, Op::none, Op::none, {winograd_level(Temporaries::few)}};
  std::vector<double> x(64), workspace(31);
  Workers workers(1);
  EXPECT_THROW(multiply<double>(p, 1, x.data(), 8, x.data(), 8, 0, x.data(), 8, workspace, workers),
               ArgumentError);
}

}  // namespace
}  // namespace cairn::gemm::fast
