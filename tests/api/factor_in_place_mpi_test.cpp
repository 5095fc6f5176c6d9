// Factors in the memory of A: right, nothing else of it touched, and no copy made.
#include <malloc.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "api/support.hpp"
#include "cairn/factor.hpp"
#include "factor/matrices.hpp"

namespace cairn {
namespace {

class FactorInPlace : public test::MpiTest {};

// A matrix in memory with gaps between its columns, in which a mark is found again.
template <Scalar T>
class Gapped {
 public:
  Gapped(const Context& context, const Layout& layout, Index gap = 3)
      : lead_(rows_of(context, layout) + gap),
        memory_(static_cast<std::size_t>(layout.local_elements(context.rank(), lead_)) + 5, mark()),
        matrix_(context, layout, std::span<T>(memory_), lead_) {}

  Matrix<T>& matrix() { return matrix_; }
  // Elements of the memory that are no elements of the matrix.
  void expect_gaps_untouched() const {
    std::vector<bool> is_element(memory_.size(), false);
    matrix_.for_each(
        [&](Index, Index, T& x) { is_element[static_cast<std::size_t>(&x - memory_.data())] = true; });
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if (!is_element[i]) {
        ASSERT_EQ(memory_[i], mark()) << i;
      }
  }

 private:
  static T mark() { return T(-77); }
  static Index rows_of(const Context& context, const Layout& layout) {
    return layout.state().general().least_leading_dimension(context.rank());
  }

  Index lead_;
  std::vector<T> memory_;
  Matrix<T> matrix_;
};

struct Grid {
  int rows, columns;
  bool row_major = false;
};

Layout dealt(Index m, Index n, const Grid& g, Index mb, Index nb) {
  return Layout::block_cyclic(m, n, {g.rows, g.columns, mb, nb, 0, 0, g.row_major});
}

template <Scalar T>
void check_lu(const Context& context, Layout where, PivotChoice pivoting) {
  const Index m = where.rows(), n = where.columns(), k = std::min(m, n);
  const int ranks = context.size();
  Gapped<T> a(context, where);
  Matrix<T> before(context, Layout::on_one_rank(m, n, 0)), l(context, Layout::on_one_rank(m, k, 0)),
      u(context, Layout::on_one_rank(k, n, 0));
  test::fill(a.matrix(), 5);
  test::fill(before, 5);
  const LuFactors<T> f = lu_in_place(a.matrix(), {.pivoting = pivoting});
  f.copy_lower(l);
  f.copy_upper(u);
  a.expect_gaps_untouched();
  EXPECT_EQ(f.info(), 0);
  const double unit = ScalarTraits<T>::roundoff * 30 * static_cast<double>(k + 1);
  for (Index j = 0; context.rank() == 0 && j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      T sum(0);
      for (Index p = 0; p < k; ++p)
        sum +=
            l.local()[static_cast<std::size_t>(i + p * m)] * u.local()[static_cast<std::size_t>(p + j * k)];
      const Index from = f.permutation()[static_cast<std::size_t>(i)];
      ASSERT_LE(std::abs(sum - before.local()[static_cast<std::size_t>(from + j * m)]), unit)
          << i << ", " << j;
    }
  if (m != n) return;
  Matrix<T> b(context, Layout::row_blocks(n, 2, ranks)), x(context, Layout::on_one_rank(n, 2, 0));
  test::fill(b, 6);
  f.solve(b);
  redistribute<T>(T(1), Op::none, b, T(0), x);
  for (Index i = 0; context.rank() == 0 && i < n; ++i) {  // A x = b
    std::complex<double> sum(0);
    double size = 1;
    for (Index p = 0; p < n; ++p) {
      const std::complex<double> v(x.local()[static_cast<std::size_t>(p)]);
      sum += std::complex<double>(before.local()[static_cast<std::size_t>(i + p * n)]) * v;
      size += std::abs(v);
    }
    ASSERT_LE(std::abs(sum - std::complex<double>(test::element<T>(6, i, 0))), unit * 10 * size) << i;
  }
}

TEST_F(FactorInPlace, LuWhereBlocksAreDealtToAGrid) {
  for (const Grid& g :
       {Grid{1, 1}, Grid{2, 1}, Grid{1, 2}, Grid{2, 2}, Grid{2, 3, true}, Grid{4, 2}, Grid{4, 4}})
    for (const auto& [m, n] : {std::pair<Index, Index>{61, 61}, {50, 23}, {16, 40}, {1, 1}})
      test::on_context(g.rows * g.columns, [&](const Context& context) {
        check_lu<double>(context, dealt(m, n, g, 5, 4), PivotChoice::tournament);
        check_lu<std::complex<float>>(context, dealt(m, n, g, 3, 8), PivotChoice::partial);
      });
  test::on_context(1, [](const Context& context) {
    check_lu<double>(context, Layout::on_one_rank(300, 300, 0), PivotChoice::tournament);
    check_lu<float>(context, Layout::column_blocks(30, 30, 1), PivotChoice::tournament);
  });
}

// Where the leading minors are positive up to `good`.
template <Scalar T>
T definite(Index i, Index j, Index n, Index good) {
  return i == j && i >= good ? T(-1) : test::definite_at<T>(i, j, n);
}

template <Scalar T>
void check_cholesky(const Context& context, Layout where, Index good) {
  const Index n = where.rows();
  Gapped<T> a(context, where);
  Matrix<T> copy(context, where), l(context, where);
  const T nan(std::numeric_limits<typename ScalarTraits<T>::Real>::quiet_NaN());
  const auto element = [&](Index i, Index j) { return i < j ? nan : definite<T>(i, j, n, good); };
  a.matrix().fill(element);
  copy.fill(element);
  const CholeskyFactor<T> f = cholesky_in_place(a.matrix()), other = cholesky(copy);
  a.expect_gaps_untouched();
  EXPECT_EQ(f.info(), other.info());
  EXPECT_EQ(f.info(), good < n ? good + 1 : 0);
  other.copy_factor(l);
  std::vector<T> expected;
  l.for_each([&](Index, Index, T& x) { expected.push_back(x); });
  std::size_t next = 0;
  const double unit = ScalarTraits<T>::roundoff * 100 * static_cast<double>(n + 1);
  a.matrix().for_each([&](Index i, Index j, T& x) {
    const T wanted = expected[next++];
    if (i < j) {
      ASSERT_TRUE(std::isnan(std::real(x))) << i << ", " << j;
    } else if (j < good) {  // columns before the minor that is not positive
      ASSERT_LE(static_cast<double>(std::abs(x - wanted)), unit) << i << ", " << j;
    }
  });
  if (good < n) return;
  f.copy_factor(l);
  next = 0;
  l.for_each([&](Index i, Index j, T& x) {
    ASSERT_LE(static_cast<double>(std::abs(x - expected[next++])), unit) << i << ", " << j;
  });
  EXPECT_NEAR(f.log_determinant(), other.log_determinant(), unit * 10);
  EXPECT_NEAR(f.reciprocal_condition(), other.reciprocal_condition(), 1e-3);
  Matrix<T> x(context, Layout::column_blocks(n, 3, context.size())), y(context, x.layout());
  test::fill(x, 8);
  test::fill(y, 8);
  f.solve(x);
  other.solve(y);
  expected.clear();
  y.for_each([&](Index, Index, T& v) { expected.push_back(v); });
  next = 0;
  x.for_each([&](Index i, Index j, T& v) {
    ASSERT_LE(static_cast<double>(std::abs(v - expected[next++])), unit) << i << ", " << j;
  });
}

TEST_F(FactorInPlace, CholeskyWhereSquareBlocksAreDealtToASquareGrid) {
  for (const Grid& g : {Grid{1, 1}, Grid{2, 2}, Grid{2, 2, true}, Grid{3, 3}, Grid{4, 4, true}})
    for (const auto& [n, block] : {std::pair<Index, Index>{1, 16}, {7, 3}, {61, 5}, {131, 16}})
      test::on_context(g.rows * g.columns, [&](const Context& context) {
        check_cholesky<double>(context, dealt(n, n, g, block, block), n);
        check_cholesky<std::complex<double>>(context, dealt(n, n, g, block, block), n / 2);
      });
  test::on_context(1, [](const Context& context) {
    check_cholesky<float>(context, Layout::on_one_rank(300, 300, 0), 300);
  });
}

TEST_F(FactorInPlace, OtherLayoutsAreErrors) {
  test::on_context(4, [](const Context& context) {
    const auto refused = [&](Layout layout, bool definite, const FactorOptions& o = {}) {
      Matrix<double> a(context, layout);
      a.fill([](Index i, Index j) { return i == j ? 2.0 : 0.0; });
      test::expect_same_error<ArgumentError>(
          context.state().comm(),
          [&] {
            if (definite)
              cholesky_in_place(a, o);
            else
              lu_in_place(a, o);
          },
          "cannot be factored where it lies");
    };
    for (const bool definite : {false, true}) {
      refused(Layout::row_blocks(20, 20, 4), definite);
      refused(Layout::on_one_rank(20, 20, 1), definite);
      refused(dealt(20, 20, {2, 1}, 4, 4), definite);  // not all ranks
      refused(dealt(20, 20, {2, 2}, 4, 4), definite, {.layers = 2});
      refused(dealt(20, 20, {2, 2}, 4, 4), definite, {.step = 5});
    }
    refused(dealt(17, 40, {2, 2}, 4, 4), false);  // the last step ends within a block
    refused(dealt(20, 20, {4, 1}, 4, 4), true);
    refused(dealt(20, 20, {2, 2}, 4, 5), true);
  });
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The most memory of the heap in use while f runs, less what was before. A copy of the matrix is there long enough to be
// seen.
Index most_in_use(const std::function<void()>& f) {
  const auto now = [] {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<Index>(info.uordblks + info.hblkhd);
  };
  const Index before = now();
  std::atomic<bool> over = false;
  Index most = before;
  std::thread watch([&] {
    while (!over) {
      most = std::max(most, now());
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  f();
  over = true;
  watch.join();
  return most - before;
}

TEST_F(FactorInPlace, NoCopyOfTheMatrixIsMade) {
  for (const int side : {1, 2})
    test::on_context(side * side, [&](const Context& context) {
      const Index n = 1200 * side;
      const Layout where = dealt(n, n, {side, side}, 24, 24);
      const auto part = static_cast<Index>(sizeof(double)) * 1200 * 1200;
      Matrix<double> a(context, where);
      const auto refill = [&] {
        a.fill([&](Index i, Index j) { return test::definite_at<double>(i, j, n); });
      };
      const auto most = [&](const std::function<void()>& f) {
        refill();
        f();  // what the MPI and BLAS libraries keep is there now
        refill();
        return test::over_ranks(context, most_in_use(f), MPI_MAX);
      };
      Matrix<double> b(context, Layout::row_blocks(n, 1, side * side));
      b.fill([](Index, Index) { return 1.0; });
      // Panels and diagonal blocks are a step wide; the matrix is 50 and more steps wide.
      EXPECT_LE(most([&] { lu_in_place(a, {.step = 24}).solve(b); }), part / 2) << side;
      EXPECT_LE(most([&] { cholesky_in_place(a, {.step = 24}).solve(b); }), part / 2) << side;
      EXPECT_GE(most([&] { lu(a); }), part) << side;  // so a copy would have been seen
    });
}
#endif

}  // namespace
}  // namespace cairn
