#include "base/blas.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace cairn {
namespace {

template <Scalar T>
class Gemm : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Gemm, Scalars);

template <Scalar T>
std::vector<T> random_values(Index n, std::mt19937_64& random) {
  std::uniform_real_distribution<Real<T>> uniform(-1, 1);
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) {
    if constexpr (ScalarTraits<T>::is_complex)
      x = T(uniform(random), uniform(random));
    else
      x = uniform(random);
  }
  return v;
}

template <Scalar T>
T element(Op op, const std::vector<T>& a, Index ld, Index i, Index j) {
  const T x =
      op == Op::none ? a[static_cast<std::size_t>(i + j * ld)] : a[static_cast<std::size_t>(j + i * ld)];
  return op == Op::adjoint ? conj(x) : x;
}

TYPED_TEST(Gemm, MatchesTheDefinition) {
  using T = TypeParam;
  std::mt19937_64 random(1);
  for (const auto& [m, n, k] :
       {std::array<Index, 3>{1, 1, 1}, {5, 3, 7}, {4, 6, 0}, {17, 13, 11}, {0, 3, 2}, {3, 0, 2}})
    for (const Op op_a : {Op::none, Op::transpose, Op::adjoint})
      for (const Op op_b : {Op::none, Op::transpose, Op::adjoint}) {
        const Index lda = (op_a == Op::none ? m : k) + 2, ldb = (op_b == Op::none ? k : n) + 1, ldc = m + 3;
        const auto a = random_values<T>(lda * (op_a == Op::none ? k : m), random);
        const auto b = random_values<T>(ldb * (op_b == Op::none ? n : k), random);
        auto c = random_values<T>(ldc * n, random);
        const auto before = c;
        const T alpha = T(2), beta = T(-0.5);
        blas::gemm(op_a, op_b, m, n, k, alpha, a.data(), lda, b.data(), ldb, beta, c.data(), ldc);
        // |computed - exact| <= (k + 2) roundoff-ish sums of products of at most 2 (complex: 4) in size
        const Real<T> bound = 16 * static_cast<Real<T>>(k + 3) * ScalarTraits<T>::roundoff;
        for (Index j = 0; j < n; ++j)
          for (Index i = 0; i < ldc; ++i) {
            const auto at = static_cast<std::size_t>(i + j * ldc);
            if (i >= m) {
              ASSERT_EQ(c[at], before[at]) << "outside C";
              continue;
            }
            T exact = beta * before[at];
            for (Index l = 0; l < k; ++l)
              exact += alpha * element(op_a, a, lda, i, l) * element(op_b, b, ldb, l, j);
            ASSERT_LE(std::abs(c[at] - exact), bound);
          }
      }
}

TYPED_TEST(Gemm, BetaZeroNeverReadsC) {
  using T = TypeParam;
  const std::vector<T> a{T(2)}, b{T(3)};
  std::vector<T> c{T(std::numeric_limits<Real<T>>::quiet_NaN())};
  blas::gemm(Op::none, Op::none, 1, 1, 1, T(1), a.data(), 1, b.data(), 1, T(0), c.data(), 1);
  EXPECT_EQ(c[0], T(6));
}

TYPED_TEST(Gemm, MatrixTimesVectorMatchesTheDefinition) {
  using T = TypeParam;
  std::mt19937_64 random(2);
  for (const auto& [m, n] : {std::array<Index, 2>{1, 1}, {5, 3}, {17, 13}, {0, 3}, {3, 0}})
    for (const Op op : {Op::none, Op::transpose, Op::adjoint})
      for (const T beta : {T(-0.5), T(0)}) {
        const Index lda = m + 2, rows = op == Op::none ? m : n, inner = op == Op::none ? n : m;
        const Index incx = 2, incy = 3;
        const auto a = random_values<T>(lda * n, random), x = random_values<T>(inner * incx, random);
        auto y = random_values<T>(rows * incy, random);
        if (beta == T(0))
          for (Index i = 0; i < rows; ++i) y[static_cast<std::size_t>(i * incy)] = T(NAN);
        const auto before = y;
        blas::gemv(op, m, n, T(2), a.data(), lda, x.data(), incx, beta, y.data(), incy);
        const Real<T> bound = 16 * static_cast<Real<T>>(inner + 3) * ScalarTraits<T>::roundoff;
        for (Index i = 0; i < rows * incy; ++i) {
          const auto at = static_cast<std::size_t>(i);
          if (i % incy != 0) {
            ASSERT_EQ(y[at], before[at]) << "outside y";
            continue;
          }
          T exact = beta == T(0) ? T(0) : beta * before[at];
          for (Index l = 0; l < inner; ++l)
            exact += T(2) * element(op, a, lda, i / incy, l) * x[static_cast<std::size_t>(l * incx)];
          ASSERT_LE(std::abs(y[at] - exact), bound);
        }
      }
}

TYPED_TEST(Gemm, RankOneUpdateMatchesTheDefinition) {
  using T = TypeParam;
  std::mt19937_64 random(3);
  for (const auto& [m, n] : {std::array<Index, 2>{1, 1}, {5, 3}, {17, 13}, {0, 3}, {3, 0}})
    for (const Op op : {Op::transpose, Op::adjoint}) {
      const Index lda = m + 2, incx = 2, incy = 3;
      const auto x = random_values<T>(m * incx, random), y = random_values<T>(n * incy, random);
      auto a = random_values<T>(lda * n, random);
      const auto before = a;
      blas::ger(op, m, n, T(2), x.data(), incx, y.data(), incy, a.data(), lda);
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < lda; ++i) {
          const auto at = static_cast<std::size_t>(i + j * lda);
          const T other = i < m ? y[static_cast<std::size_t>(j * incy)] : T(0);
          const T exact = i < m ? before[at] + T(2) * x[static_cast<std::size_t>(i * incx)] *
                                                   (op == Op::adjoint ? conj(other) : other)
                                : before[at];
          ASSERT_LE(std::abs(a[at] - exact), 64 * ScalarTraits<T>::roundoff);
        }
    }
  T x = T(1), a = T(1);
  EXPECT_THROW(blas::ger(Op::none, 1, 1, T(1), &x, 1, &x, 1, &a, 1), ArgumentError);
}

TYPED_TEST(Gemm, AlphaZeroReadsNothing) {
  using T = TypeParam;
  const T nothing = T(NAN);
  T y = T(3), a = T(5);
  blas::gemv(Op::none, 1, 1, T(0), &nothing, 1, &nothing, 1, T(2), &y, 1);
  EXPECT_EQ(y, T(6));
  blas::ger(Op::transpose, 1, 1, T(0), &nothing, 1, &nothing, 1, &a, 1);
  EXPECT_EQ(a, T(5));
}

TEST(Blas, SizesThatDoNotFitAreNamed) {
  if (blas::library().integer_bits == 64) return;
  double x = 0;
  try {
    blas::gemm(Op::none, Op::none, Index{1} << 31, 1, 1, 1.0, &x, 1, &x, 1, 0.0, &x, 1);
    FAIL() << "no error";
  } catch (const OverflowError& e) {
    EXPECT_NE(std::string(e.what()).find("gemm: m is 2147483648"), std::string::npos) << e.what();
  }
}

TEST(Blas, LibraryTellsItself) {
  const blas::Library lib = blas::library();
  EXPECT_FALSE(lib.path.empty());
  EXPECT_FALSE(lib.vendor.empty());
#ifdef CAIRN_BLAS_ILP64
  EXPECT_EQ(lib.integer_bits, 64);
#else
  EXPECT_EQ(lib.integer_bits, 32);
#endif
  if (blas::set_threads(1)) {
    EXPECT_EQ(blas::library().threads, 1);
  }
  EXPECT_THROW(blas::set_threads(0), ArgumentError);
}

TEST(Scalar, NamesAndLetters) {
  for (const ScalarType type : {ScalarType::f32, ScalarType::f64, ScalarType::c32, ScalarType::c64}) {
    EXPECT_EQ(parse_scalar_type(name(type)), type);
    const auto [size, letter] =
        dispatch(type, []<Scalar T>() { return std::pair(sizeof(T), ScalarTraits<T>::letter); });
    EXPECT_EQ(static_cast<int>(size), bytes(type));
    EXPECT_EQ(parse_scalar_type(std::string(1, letter)), type);
  }
  EXPECT_THROW(parse_scalar_type("q"), ArgumentError);
}

TEST(Blas, LibrariesThatDoNotTellAreKnownByTheirPath) {
  EXPECT_EQ(blas::vendor_by_path("/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0"), "reference");
  EXPECT_EQ(blas::vendor_by_path("/usr/lib/x86_64-linux-gnu/blis-openmp/libblas.so.3"), "BLIS");
  EXPECT_EQ(blas::vendor_by_path("/opt/vendor/libfast.so"), "unknown");
}

}  // namespace
}  // namespace cairn
