#include "cairn/symmetric.hpp"

#include "api/support.hpp"
#include "layout/guarded.hpp"

namespace cairn {
namespace {

class Symmetric : public test::MpiTest {};

template <Scalar T>
void fill_small(Matrix<T>& m, std::uint64_t seed) {
  m.fill([&](Index i, Index j) { return test::value<T>(seed, i, j); });
}

Layout cyclic(Index rows, Index columns, int ranks) {
  return Layout::block_cyclic(rows, columns, {.process_rows = 1, .process_columns = ranks, .mb = 4, .nb = 3});
}

TEST_F(Symmetric, HermitianUpdateAndProductsAreTheFormulas) {
  for (const int ranks : {1, 3, 4, 7, 16})
    test::on_context(ranks, [&](const Context& context) {
      using T = std::complex<double>;
      const Index n = 41, k = 17;
      Matrix<T> a(context, Layout::row_blocks(n, k, ranks)), c(context, cyclic(n, n, ranks));
      fill_small(a, 1);
      fill_small(c, 2);
      for (int again = 0; again < 2; ++again) {  // the second call plans nothing, and is as right
        fill_small(c, 2);
        hermitian_rank_k_update(Triangle::upper, Op::none, 2.0, a, -1.0, c);
      }
      c.for_each([&](Index i, Index j, T x) {
        T sum(0);
        for (Index l = 0; l < k; ++l) sum += test::value<T>(1, i, l) * std::conj(test::value<T>(1, j, l));
        T wanted = i > j ? test::value<T>(2, i, j) : 2.0 * sum - test::value<T>(2, i, j);
        if (i == j) wanted = wanted.real();
        ASSERT_EQ(x, wanted) << i << ", " << j;
      });
      Matrix<T> b(context, Layout::elemental(n, 5, ranks, 1)),
          d(context, Layout::on_one_rank(n, 5, ranks - 1));
      fill_small(b, 3);
      // C is Hermitian now: twice the product with it is a product with its triangle.
      multiply_hermitian(Side::left, Triangle::upper, 1.0, c, b, 0.0, d);
      const std::vector<T> cs = c.gather(), ds = d.gather();
      for (Index j = 0; context.rank() == 0 && j < 5; ++j)
        for (Index i = 0; i < n; ++i) {
          T sum(0);
          for (Index l = 0; l < n; ++l) {
            const T e = i <= l ? cs[static_cast<std::size_t>(i + l * n)]
                               : std::conj(cs[static_cast<std::size_t>(l + i * n)]);
            sum += e * test::value<T>(3, l, j);
          }
          ASSERT_EQ(ds[static_cast<std::size_t>(i + j * n)], sum) << i << ", " << j;
        }
    });
}

TEST_F(Symmetric, APlanCountsWhatTheRunMoves) {
  for (const int ranks : {2, 5, 12})
    test::on_context(ranks, [&](const Context& context) {
      const Index n = 60, k = 33;
      const Layout of_a = Layout::row_blocks(n, k, ranks), of_c = cyclic(n, n, ranks);
      Matrix<float> a(context, of_a), c(context, of_c);
      const SymmetricReport planned =
          plan_symmetric({.n = n, .k = k, .type = ScalarType::f32}, of_a, {}, of_c, ranks);
      const SymmetricReport done = rank_k_update(Triangle::lower, Op::none, 1.0F, a, 0.0F, c);
      EXPECT_EQ(done.pattern, planned.pattern);
      EXPECT_TRUE(planned.counted);
      const auto total = static_cast<double>(test::sum_over_ranks(context, done.moved.words_received));
      EXPECT_DOUBLE_EQ(total / ranks, planned.mean_words);
      EXPECT_DOUBLE_EQ(static_cast<double>(test::over_ranks(
                           context, std::max(done.moved.words_received, done.moved.words_sent), MPI_MAX)),
                       planned.busiest_words);
    });
}

TEST_F(Symmetric, WrongArgumentsAreTheSameErrorOnAllRanks) {
  test::on_context(4, [&](const Context& context) {
    const comm::CommView comm = context.state().comm();
    Matrix<double> a(context, Layout::row_blocks(10, 6, 4)), c(context, Layout::row_blocks(10, 10, 4)),
        wide(context, Layout::row_blocks(10, 9, 4)), b(context, Layout::row_blocks(6, 10, 4));
    const auto expect = [&](const std::string& part, const std::function<void()>& call) {
      test::expect_same_error<ArgumentError>(comm, call, part);
    };
    expect("C is 10 x 9, expected 10 x 10", [&] { rank_k_update(Triangle::lower, Op::none, 1, a, 0, wide); });
    expect("C is 10 x 10, expected 6 x 6",
           [&] { rank_k_update(Triangle::lower, Op::transpose, 1, a, 0, c); });
    expect("A is 10 x 10, expected 6 x 6",
           [&] { multiply_triangular(Side::left, Triangle::lower, Op::none, Diagonal::unit, 1, c, b); });
    expect("C is 10 x 10, expected 6 x 10",
           [&] { multiply_symmetric(Side::right, Triangle::lower, 1, c, b, 0, c); });
    expect("algorithm is best",
           [&] { rank_k_update(Triangle::lower, Op::none, 1, a, 0, c, {.algorithm = "best"}); });
    expect("alpha is 1 on rank 0 and 2 on rank 2",
           [&] { rank_k_update(Triangle::lower, Op::none, context.rank() == 2 ? 2 : 1, a, 0, c); });
    test::expect_same_error<MemoryError>(
        comm, [&] { rank_k_update(Triangle::lower, Op::none, 1, a, 0, c, {.memory_bytes = 100}); },
        "at least");
    Matrix<double> view(context, Layout::row_blocks(10, 6, 4), c.local());
    expect("overlaps A", [&] { rank_k_update(Triangle::lower, Op::none, 1, view, 0, c); });
  });
}

}  // namespace
}  // namespace cairn
