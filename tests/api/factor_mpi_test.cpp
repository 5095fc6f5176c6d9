#include "cairn/factor.hpp"

#include <cmath>
#include <limits>

#include "api/support.hpp"
#include "factor/matrices.hpp"

namespace cairn {
namespace {

class Factor : public test::MpiTest {};

template <Scalar T>
void fill_uniform(Matrix<T>& m, Index seed = 1) {
  m.fill([&](Index i, Index j) { return test::uniform_at<T>(i, j, seed); });
}

// max |A X - B| over roundoff n (max |X| + 1), elements of A at most `size`.
template <Scalar T, class F>
double left_over(const Matrix<T>& x, const Matrix<T>& b, F&& a, double size) {
  const std::vector<T> xs = x.gather(), bs = b.gather();
  const Index n = x.rows();
  double worst = 0, largest = 0;
  for (const T& v : xs) largest = std::max(largest, static_cast<double>(std::abs(v)));
  for (Index j = 0; x.context().rank() == 0 && j < x.columns(); ++j)
    for (Index i = 0; i < n; ++i) {
      std::complex<double> sum(-bs[static_cast<std::size_t>(i + j * n)]);
      for (Index k = 0; k < n; ++k)
        sum += std::complex<double>(a(i, k)) * std::complex<double>(xs[static_cast<std::size_t>(k + j * n)]);
      worst = std::max(worst, std::isnan(std::abs(sum)) ? INFINITY : std::abs(sum));
    }
  return worst / (ScalarTraits<T>::roundoff * static_cast<double>(n + 1) * size * (largest + 1));
}

TEST_F(Factor, SolvesInAnyLayout) {
  for (const int ranks : {1, 2, 3, 5, 8, 12, 16})
    test::on_context(ranks, [&](const Context& context) {
      using T = std::complex<double>;
      const Index n = 53;
      Matrix<T> a(context, Layout::row_blocks(n, n, ranks)), b(context, Layout::elemental(n, 4, ranks, 1)),
          x(context, Layout::column_blocks(n, 4, ranks));
      fill_uniform(a);
      fill_uniform(b, 9);
      fill_uniform(x, 9);
      solve(a, x, {.objective = Objective::words});
      const auto element = [](Index i, Index j) { return test::uniform_at<T>(i, j); };
      EXPECT_LE(left_over(x, b, element, 1), 20) << ranks;
      const auto factors = lu(a, {.layers = std::min(2, ranks), .step = 7});
      fill_uniform(x, 9);
      factors.solve(x);
      EXPECT_LE(left_over(x, b, element, 1), 20) << ranks;
      EXPECT_GE(factors.growth(), 0.5);
      const double condition = factors.reciprocal_condition();
      EXPECT_GT(condition, 1e-6);
      EXPECT_LT(condition, 1);
    });
}

TEST_F(Factor, FactorsCanBeRead) {
  test::on_context(6, [&](const Context& context) {
    for (const auto& [m, n] : {std::pair<Index, Index>{20, 20}, {25, 14}, {11, 30}}) {
      const Index k = std::min(m, n);
      Matrix<double> a(context, Layout::blocked(m, n, 2, 3)), l(context, Layout::row_blocks(m, k, 6)),
          u(context, Layout::column_blocks(k, n, 6)), both(context, Layout::block_cyclic(m, n, {2, 3, 4, 5}));
      fill_uniform(a);
      const auto f = lu(a, {.step = 4});
      f.copy_lower(l);
      f.copy_upper(u);
      f.copy_factors(both);
      const auto ls = l.gather(), us = u.gather(), bs = both.gather(), as = a.gather();
      if (context.rank() != 0) continue;
      std::vector<Index> row(static_cast<std::size_t>(m));
      for (Index i = 0; i < m; ++i) row[static_cast<std::size_t>(i)] = i;
      const auto swaps = f.swaps();
      for (std::size_t i = 0; i < swaps.size(); ++i)
        std::swap(row[i], row[static_cast<std::size_t>(swaps[i])]);
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < m; ++i) {
          double sum = 0;
          for (Index p = 0; p < k; ++p)
            sum += ls[static_cast<std::size_t>(i + p * m)] * us[static_cast<std::size_t>(p + j * k)];
          const Index from = f.permutation()[static_cast<std::size_t>(i)];
          EXPECT_NEAR(sum, as[static_cast<std::size_t>(from + j * m)], 1e-13);
          const double one =
              i > j ? ls[static_cast<std::size_t>(i + j * m)] : us[static_cast<std::size_t>(i + j * k)];
          EXPECT_EQ(bs[static_cast<std::size_t>(i + j * m)], one);
        }
      for (Index i = 0; i < k; ++i)
        EXPECT_EQ(row[static_cast<std::size_t>(i)], f.permutation()[static_cast<std::size_t>(i)]);
    }
  });
}

TEST_F(Factor, CholeskyOfBothTriangles) {
  for (const int ranks : {1, 4, 7, 16})
    test::on_context(ranks, [&](const Context& context) {
      using T = std::complex<double>;
      const Index n = 40;
      const auto element = [](Index i, Index j) { return test::definite_at<T>(i, j, 40); };
      for (const Triangle triangle : {Triangle::lower, Triangle::upper}) {
        Matrix<T> a(context, Layout::row_blocks(n, n, ranks)), b(context, Layout::row_blocks(n, 3, ranks)),
            x(context, Layout::row_blocks(n, 3, ranks)), f(context, Layout::column_blocks(n, n, ranks));
        a.fill([&](Index i, Index j) {
          return (triangle == Triangle::lower ? i >= j : i <= j) ? element(i, j) : T(NAN);
        });
        fill_uniform(b, 3);
        fill_uniform(x, 3);
        const auto factor = cholesky(a, triangle, {.objective = Objective::words});
        EXPECT_EQ(factor.info(), 0);
        factor.solve(x);
        EXPECT_LE(left_over(x, b, element, 80), 20);
        factor.copy_factor(f);
        const auto fs = f.gather();
        double log = 0;
        for (Index j = 0; context.rank() == 0 && j < n; ++j)
          for (Index i = 0; i < n; ++i) {
            if (triangle == Triangle::lower ? i < j : i > j) {
              EXPECT_EQ(fs[static_cast<std::size_t>(i + j * n)], T(0));
            }
            if (i == j) log += 2 * std::log(std::abs(fs[static_cast<std::size_t>(i + j * n)]));
          }
        const double whole = factor.log_determinant();
        if (context.rank() == 0) {
          EXPECT_NEAR(whole, log, 1e-9);
        }
      }
    });
}

// With factors that lie in one matrix: in blocks on a grid of all ranks they stay, elsewhere they are copied; the same
// for a part of a larger memory.
TEST_F(Factor, SolvesWithFactorsThatWereCopied) {
  using T = std::complex<double>;
  const Index n = 75;
  for (const int ranks : {1, 2, 3, 4, 6})
    test::on_context(ranks, [&](const Context& context) {
      const auto element = [](Index i, Index j) { return test::uniform_at<T>(i, j); };
      const auto definite = [](Index i, Index j) { return test::definite_at<T>(i, j, 75); };
      for (const BlockCyclic& how :
           {BlockCyclic{1, ranks, 16, 16}, BlockCyclic{ranks, 1, 20, 16},
            BlockCyclic{ranks % 2 == 0 ? 2 : 1, ranks % 2 == 0 ? ranks / 2 : ranks, 5, 33},
            BlockCyclic{1, 1, 16, 16}, BlockCyclic{1, ranks, 3, 3}})
        for (const Index extra : {0, 7}) {
          const Layout layout = Layout::block_cyclic(n, n, how);
          const Index leading = extra == 0 ? 0 : n + extra;  // 0: the least
          std::vector<T> memory(static_cast<std::size_t>(layout.local_elements(context.rank(), leading)));
          Matrix<T> a(context, layout, memory, leading), b(context, Layout::row_blocks(n, 4, ranks)),
              x(context, Layout::blocked(n, 4, 1, ranks));
          fill_uniform(b, 9);
          fill_uniform(a);
          const auto factors = lu(a, {.norms = false, .back = true});
          EXPECT_THROW(factors.growth(), ArgumentError);
          factors.copy_factors(a);
          for (const Op op : {Op::none, Op::transpose, Op::adjoint}) {
            fill_uniform(x, 9);
            solve_factored(a, factors.permutation(), x, op);
            const auto seen = [&](Index i, Index j) {
              return op == Op::none        ? element(i, j)
                     : op == Op::transpose ? element(j, i)
                                           : std::conj(element(j, i));
            };
            EXPECT_LE(left_over(x, b, seen, 1), 20) << ranks << " " << layout.text() << " " << extra;
          }
          for (const Triangle triangle : {Triangle::lower, Triangle::upper}) {
            a.fill(definite);
            cholesky(a, triangle, {.norms = false, .back = true}).copy_triangle(a);
            // The other half is as it was.
            a.for_each([&](Index i, Index j, T& value) {
              if (triangle == Triangle::lower ? i < j : i > j) {
                EXPECT_EQ(value, definite(i, j));
              }
            });
            fill_uniform(x, 9);
            solve_factored(triangle, a, x);
            EXPECT_LE(left_over(x, b, definite, 150), 20) << ranks << " " << layout.text() << " " << extra;
          }
        }
    });
}

TEST_F(Factor, DeterminantOfAPermutationAndInverse) {
  test::on_context(4, [&](const Context& context) {
    const Index n = 9;
    Matrix<double> a(context, Layout::row_blocks(n, n, 4)), back(context, Layout::row_blocks(n, n, 4));
    // A cycle of nine rows is even; every element twice its value.
    a.fill([&](Index i, Index j) { return (i + 1) % n == j ? 2.0 : 0.0; });
    const auto d = lu(a).log_determinant();
    EXPECT_EQ(d.sign, 1);
    EXPECT_NEAR(d.log, 9 * std::log(2.0), 1e-12);
    inverse(a, back);
    back.for_each([&](Index i, Index j, double x) { EXPECT_EQ(x, (j + 1) % n == i ? 0.5 : 0.0); });
  });
}

TEST_F(Factor, RefinesFromLowPrecision) {
  test::on_context(6, [&](const Context& context) {
    const Index n = 60;
    Matrix<double> a(context, Layout::row_blocks(n, n, 6)), b(context, Layout::row_blocks(n, 2, 6)),
        x(context, Layout::row_blocks(n, 2, 6));
    fill_uniform(a);
    fill_uniform(b, 2);
    fill_uniform(x, 2);
    const RefineReport r = solve_refined(a, x);
    EXPECT_TRUE(r.low_precision);
    EXPECT_FALSE(r.fell_back);
    EXPECT_LE(r.backward_error, 1e-14);
    EXPECT_LE(left_over(
                  x, b, [](Index i, Index j) { return test::uniform_at<double>(i, j); }, 1),
              20);
    // A Hilbert matrix is too much for float.
    a.fill([](Index i, Index j) { return 1.0 / static_cast<double>(i + j + 1) + (i == j ? 1e-9 : 0.0); });
    fill_uniform(x, 2);
    const RefineReport hard = solve_refined(a, x);
    EXPECT_TRUE(hard.fell_back);
  });
}

TEST_F(Factor, BadMatricesAreTheSameErrorEverywhere) {
  for (const int ranks : {1, 4, 7})
    test::on_ranks(ranks, [&](comm::CommView comm) {
      const Context context(comm.handle());
      const Index n = 20;
      Matrix<double> a(context, Layout::row_blocks(n, n, ranks)), b(context, Layout::row_blocks(n, 1, ranks));
      fill_uniform(a);
      a.fill([](Index i, Index j) { return i == 7 && j == 3 ? NAN : test::uniform_at<double>(i, j); });
      test::expect_same_error<ArgumentError>(
          comm, [&] { lu(a); }, "element (7, 3) of A is not finite");
      a.fill([](Index i, Index j) { return j == 5 ? 0.0 : test::uniform_at<double>(i, j); });
      const auto singular = lu(a);
      EXPECT_EQ(singular.info(), 6);
      EXPECT_EQ(singular.reciprocal_condition(), 0);
      test::expect_same_error<ResultError>(
          comm, [&] { singular.solve(b); }, "A is singular");
      a.fill([](Index i, Index j) { return i == j ? (i == 12 ? -1.0 : 1.0) : 0.0; });
      const auto indefinite = cholesky(a);
      EXPECT_EQ(indefinite.info(), 13);
      test::expect_same_error<ResultError>(
          comm, [&] { indefinite.solve(b); }, "minor of order 13");
      Matrix<double> flat(context, Layout::row_blocks(n, 5, ranks)),
          none(context, Layout::row_blocks(0, 0, ranks));
      test::expect_same_error<ArgumentError>(
          comm, [&] { cholesky(flat); }, "expected a square one");
      test::expect_same_error<ArgumentError>(
          comm, [&] { solve(flat, b); }, "expected a square matrix");
      test::expect_same_error<ArgumentError>(
          comm,
          [&] {
            solve(a, flat);
            a.fill([](Index, Index) { return NAN; });
            lu(a);
          },
          "is not finite");
      test::expect_same_error<ArgumentError>(
          comm, [&] { lu(flat, {.layers = ranks + 1}); }, "layers is");
      test::expect_same_error<ArgumentError>(
          comm, [&] { lu(flat, {.step = 0}); }, "step is 0");
      test::expect_same_error<MemoryError>(
          comm, [&] { lu(flat, {.memory_bytes = 10}); }, "needs");
      EXPECT_EQ(lu(none).info(), 0);
      EXPECT_EQ(cholesky(none).info(), 0);
    });
}

}  // namespace
}  // namespace cairn
