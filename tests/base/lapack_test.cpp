#include "base/lapack.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/blas.hpp"

namespace cairn {
namespace {

template <Scalar T>
class Lapack : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Lapack, Scalars);

template <Scalar T>
T random_value(std::mt19937_64& random) {
  std::uniform_real_distribution<Real<T>> uniform(-1, 1);
  if constexpr (ScalarTraits<T>::is_complex)
    return T(uniform(random), uniform(random));
  else
    return uniform(random);
}

template <Scalar T>
std::vector<T> random_matrix(Index n, std::mt19937_64& random) {
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) x = random_value<T>(random);
  return v;
}

// The product of the factors that lie in one m x n array.
template <Scalar T>
T product_at(const std::vector<T>& f, Index lda, Index i, Index j) {
  T sum = i <= j ? f[static_cast<std::size_t>(i + j * lda)] : T(0);
  for (Index k = 0; k < std::min(i, j + 1); ++k)
    sum += f[static_cast<std::size_t>(i + k * lda)] * f[static_cast<std::size_t>(k + j * lda)];
  return sum;
}

TYPED_TEST(Lapack, GetrfGivesFactorsOfTheSwappedRows) {
  using T = TypeParam;
  std::mt19937_64 random(1);
  for (const auto& [m, n] : {std::pair<Index, Index>{1, 1}, {7, 7}, {20, 9}, {9, 20}, {0, 3}, {3, 0}}) {
    const Index lda = m + 2;
    auto a = random_matrix<T>(lda * std::max<Index>(n, 1), random);
    auto f = a;
    std::vector<int> pivots(static_cast<std::size_t>(std::min(m, n)));
    EXPECT_EQ(lapack::getrf<T>(m, n, f.data(), lda, pivots), 0);
    lapack::swap_rows<T>(n, a.data(), lda, pivots);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i)
        EXPECT_LE(std::abs(product_at(f, lda, i, j) - a[static_cast<std::size_t>(i + j * lda)]),
                  60 * ScalarTraits<T>::roundoff);
  }
}

TYPED_TEST(Lapack, WithoutPivotsTheRowsStay) {
  using T = TypeParam;
  std::mt19937_64 random(2);
  const Index m = 45, n = 40, lda = 47;
  auto a = random_matrix<T>(lda * n, random);
  for (Index i = 0; i < n; ++i) a[static_cast<std::size_t>(i + i * lda)] += T(50);
  auto f = a;
  EXPECT_EQ(lapack::getrf_without_pivots<T>(m, n, f.data(), lda), 0);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i)
      EXPECT_LE(std::abs(product_at(f, lda, i, j) - a[static_cast<std::size_t>(i + j * lda)]),
                2000 * ScalarTraits<T>::roundoff);
}

TYPED_TEST(Lapack, ZeroPivotsAreReported) {
  using T = TypeParam;
  std::vector<T> a = {T(1), T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(3)};
  std::vector<int> pivots(3);
  auto f = a;
  EXPECT_EQ(lapack::getrf<T>(3, 3, f.data(), 3, pivots), 2);
  f = a;
  EXPECT_EQ(lapack::getrf_without_pivots<T>(3, 3, f.data(), 3), 2);
}

TYPED_TEST(Lapack, PotrfBothTriangles) {
  using T = TypeParam;
  std::mt19937_64 random(3);
  const Index n = 23;
  const auto g = random_matrix<T>(n * n, random);
  std::vector<T> a(static_cast<std::size_t>(n * n));
  blas::gemm<T>(Op::none, Op::adjoint, n, n, n, T(1), g.data(), n, g.data(), n, T(0), a.data(), n);
  for (Index i = 0; i < n; ++i) a[static_cast<std::size_t>(i * (n + 1))] += T(1);
  for (const Triangle triangle : {Triangle::lower, Triangle::upper}) {
    auto f = a;
    ASSERT_EQ(lapack::potrf<T>(triangle, n, f.data(), n), 0);
    const auto lower = [&](Index i, Index k) {
      return triangle == Triangle::lower ? f[static_cast<std::size_t>(i + k * n)]
                                         : conj(f[static_cast<std::size_t>(k + i * n)]);
    };
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) {
        T sum = 0;
        for (Index k = 0; k <= j; ++k) sum += lower(i, k) * conj(lower(j, k));
        EXPECT_LE(std::abs(sum - a[static_cast<std::size_t>(i + j * n)]), 2000 * ScalarTraits<T>::roundoff);
      }
  }
  a[static_cast<std::size_t>(5 * (n + 1))] = T(-1);
  EXPECT_EQ(lapack::potrf<T>(Triangle::lower, n, a.data(), n), 6);
}

TYPED_TEST(Lapack, TrsmSolvesOnBothSides) {
  using T = TypeParam;
  std::mt19937_64 random(4);
  const Index m = 9, n = 6;
  for (const Side side : {Side::left, Side::right})
    for (const Triangle triangle : {Triangle::lower, Triangle::upper})
      for (const Op op : {Op::none, Op::transpose, Op::adjoint})
        for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
          const Index k = side == Side::left ? m : n;
          auto a = random_matrix<T>(k * k, random);
          for (Index i = 0; i < k; ++i) a[static_cast<std::size_t>(i * (k + 1))] += T(4);
          const auto b = random_matrix<T>(m * n, random);
          auto x = b;
          blas::trsm<T>(side, triangle, op, diagonal, m, n, T(2), a.data(), k, x.data(), m);
          for (Index j = 0; j < k; ++j)  // the other half is not read
            for (Index i = 0; i < k; ++i) {
              T& at = a[static_cast<std::size_t>(i + j * k)];
              if (triangle == Triangle::lower ? i < j : i > j) at = T(0);
              if (i == j && diagonal == Diagonal::unit) at = T(1);
            }
          std::vector<T> back(b.size());
          if (side == Side::left)
            blas::gemm<T>(op, Op::none, m, n, m, T(0.5), a.data(), k, x.data(), m, T(0), back.data(), m);
          else
            blas::gemm<T>(Op::none, op, m, n, n, T(0.5), x.data(), m, a.data(), k, T(0), back.data(), m);
          // With a unit diagonal and entries up to 1 solutions grow like 2^m.
          for (std::size_t i = 0; i < b.size(); ++i)
            EXPECT_LE(std::abs(back[i] - b[i]), 20000 * ScalarTraits<T>::roundoff);
        }
}

TYPED_TEST(Lapack, HerkIsTheProductWithTheAdjoint) {
  using T = TypeParam;
  std::mt19937_64 random(5);
  const Index n = 8, k = 5;
  for (const Op op : {Op::none, Op::adjoint}) {
    const Index lda = op == Op::none ? n : k;
    const auto a = random_matrix<T>(n * k, random);
    std::vector<T> c(static_cast<std::size_t>(n * n), T(7)), whole(c);
    blas::herk<T>(Triangle::lower, op, n, k, Real<T>(2), a.data(), lda, Real<T>(0), c.data(), n);
    blas::gemm<T>(op, op == Op::none ? Op::adjoint : Op::none, n, n, k, T(2), a.data(), lda, a.data(), lda,
                  T(0), whole.data(), n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i + j * n);
        EXPECT_LE(std::abs(c[at] - (i >= j ? whole[at] : T(7))), 60 * ScalarTraits<T>::roundoff);
      }
  }
}

}  // namespace
}  // namespace cairn
