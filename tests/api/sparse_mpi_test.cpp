// The front door of sparse matrices, against dense matrices computed by their definitions.
#include "api/support.hpp"

using namespace cairn;        // NOLINT: as users write
using namespace cairn::test;  // NOLINT

namespace {

using SparseDoorTest = MpiTest;

// Dense, row after row; what is stored nowhere is 0.
template <Scalar T>
struct Plain {
  Index rows = 0, columns = 0;
  std::vector<T> x;
  T& at(Index i, Index j) { return x[static_cast<std::size_t>(i * columns + j)]; }
  T at(Index i, Index j) const { return x[static_cast<std::size_t>(i * columns + j)]; }
};

template <Scalar T>
Plain<T> empty_plain(Index rows, Index columns) {
  return {rows, columns, std::vector<T>(static_cast<std::size_t>(rows * columns), T(0))};
}

// Whole numbers, so that sums are exact in any order.
template <Scalar T>
Plain<T> random_plain(Index rows, Index columns, unsigned seed, double density = 0.2) {
  std::mt19937 random(seed);
  Plain<T> a = empty_plain<T>(rows, columns);
  for (T& x : a.x) {
    const bool there = static_cast<double>(random() % 1000) < 1000 * density;
    const auto re = static_cast<Real<T>>(random() % 5) + 1, im = static_cast<Real<T>>(random() % 3);
    if constexpr (ScalarTraits<T>::is_complex)
      x = there ? T(re, im) : T(0);
    else
      x = there ? re : T(0);
  }
  return a;
}

template <Scalar T>
SparseMatrix<T> spread_plain(const Context& context, const Plain<T>& a, std::string_view layout = "rows") {
  std::vector<SparseEntry<T>> mine;
  for (Index i = context.rank(); i < a.rows; i += context.size())
    for (Index j = 0; j < a.columns; ++j)
      if (a.at(i, j) != T(0)) mine.push_back({i, j, a.at(i, j)});
  return SparseMatrix<T>(context, a.rows, a.columns, mine, layout);
}

template <Scalar T>
void expect_plain(const SparseMatrix<T>& c, const Plain<T>& expected, const char* what) {
  ASSERT_EQ(c.rows(), expected.rows) << what;
  ASSERT_EQ(c.columns(), expected.columns) << what;
  Index filled = 0;
  for (const T& x : expected.x) filled += x != T(0) ? 1 : 0;
  c.for_each([&](Index i, Index j, const T& x) { EXPECT_EQ(x, expected.at(i, j)) << what << i << "," << j; });
  EXPECT_EQ(c.entries(), filled) << what;
}

template <Scalar T>
Plain<T> applied_plain(Op op, const Plain<T>& a) {
  if (op == Op::none) return a;
  Plain<T> t = empty_plain<T>(a.columns, a.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.columns; ++j) {
      t.at(j, i) = a.at(i, j);
      if constexpr (ScalarTraits<T>::is_complex)
        if (op == Op::adjoint) t.at(j, i) = std::conj(a.at(i, j));
    }
  return t;
}

template <Scalar T>
Plain<T> product_plain(const Plain<T>& a, const Plain<T>& b) {
  Plain<T> c = empty_plain<T>(a.rows, b.columns);
  for (Index i = 0; i < a.rows; ++i)
    for (Index k = 0; k < a.columns; ++k)
      for (Index j = 0; j < b.columns; ++j) c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}

template <Scalar T>
void check_ops(const Context& context) {
  const Plain<T> a = random_plain<T>(14, 19, 1), b = random_plain<T>(19, 11, 2);
  for (const Op op_a : {Op::none, Op::transpose, Op::adjoint})
    for (const Op op_b : {Op::none, Op::transpose, Op::adjoint}) {
      const auto x = spread_plain(context, applied_plain(op_a, a)),
                 y = spread_plain(context, applied_plain(op_b, b));
      const SpgemmOptions options{.op_a = op_a, .op_b = op_b, .verify = 1};
      expect_plain(spgemm(x, y, options).c, product_plain(a, b), "op(A) op(B)");
    }
}

}  // namespace

TEST_F(SparseDoorTest, ProductsOfTransposesAndAdjoints) {
  for (const int ranks : {1, 4, 7})
    on_context(ranks, [](const Context& context) {
      check_ops<double>(context);
      check_ops<std::complex<double>>(context);
      check_ops<float>(context);
      check_ops<std::complex<float>>(context);
    });
}

TEST_F(SparseDoorTest, AroundAProduct) {
  for (const int ranks : {1, 3, 8})
    on_context(ranks, [](const Context& context) {
      const Plain<double> a = random_plain<double>(17, 13, 3), b = random_plain<double>(17, 13, 4);
      const auto x = spread_plain(context, a), y = spread_plain(context, b, "columns");
      Plain<double> sum = a, times = a, few = a, sub = empty_plain<double>(3, 2), moved = a;
      for (std::size_t e = 0; e < a.x.size(); ++e) {
        sum.x[e] += b.x[e];
        times.x[e] *= b.x[e];
        few.x[e] = a.x[e] > 2 ? a.x[e] : 0;
      }
      expect_plain(add(x, y), sum, "add");
      expect_plain(multiply_elements(x, y), times, "multiply_elements");
      expect_plain(x.prune(2), few, "prune");
      expect_plain(x.select([](Index, Index, const double& v) { return v > 2; }), few, "select");
      const std::vector<Index> rows{16, 2, 5}, columns{12, 0};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 2; ++j)
          sub.at(static_cast<Index>(i), static_cast<Index>(j)) = a.at(rows[i], columns[j]);
      expect_plain(x.extract(rows, columns), sub, "extract");
      std::vector<Index> turned;
      for (Index i = 0; i < 17; ++i) turned.push_back(16 - i);
      for (Index i = 0; i < 17; ++i)
        for (Index j = 0; j < 13; ++j) moved.at(16 - i, j) = a.at(i, j);
      expect_plain(x.permuted(turned, {}), moved, "permuted");
      expect_plain(x.shuffled(5).unshuffled(5), a, "shuffled and back");
      EXPECT_EQ(x.shuffled(5).entries(), x.entries());
    });
}

TEST_F(SparseDoorTest, SumsOfRowsAndColumns) {
  for (const int ranks : {1, 4, 5})
    on_context(ranks, [](const Context& context) {
      const Plain<double> a = random_plain<double>(17, 9, 6, 0.15);
      const auto x = spread_plain(context, a, "columns");
      const DenseRows rows = dense_rows(context, 17), columns = dense_rows(context, 9);
      const auto sums = x.row_sums(), least = x.column_sums(SparseSemiring::min_plus),
                 counts = x.row_sums(SparseSemiring::plus_pair);
      ASSERT_EQ(std::ssize(sums), rows.count);
      ASSERT_EQ(std::ssize(least), columns.count);
      for (Index r = 0; r < rows.count; ++r) {
        double sum = 0, count = 0;
        for (Index j = 0; j < 9; ++j) {
          sum += a.at(rows.first + r, j);
          count += a.at(rows.first + r, j) != 0 ? 1 : 0;
        }
        EXPECT_EQ(sums[static_cast<std::size_t>(r)], sum);
        EXPECT_EQ(counts[static_cast<std::size_t>(r)], count);
      }
      for (Index c = 0; c < columns.count; ++c) {
        double best = INFINITY;
        for (Index i = 0; i < 17; ++i)
          if (a.at(i, columns.first + c) != 0) best = std::min(best, a.at(i, columns.first + c));
        EXPECT_EQ(least[static_cast<std::size_t>(c)], best);
      }
    });
}

TEST_F(SparseDoorTest, GalerkinProductsAndPowers) {
  for (const int ranks : {1, 4, 6})
    on_context(ranks, [](const Context& context) {
      using Z = std::complex<double>;
      const Plain<Z> a = random_plain<Z>(16, 16, 7), p = random_plain<Z>(16, 5, 8);
      const auto result = galerkin(spread_plain(context, a), spread_plain(context, p), {.verify = 1});
      expect_plain(result.c, product_plain(applied_plain(Op::adjoint, p), product_plain(a, p)), "galerkin");
      if (context.size() > 1) {
        EXPECT_GT(sum_over_ranks(context, result.report.bytes_received), 0);
      }
      const Plain<double> g = random_plain<double>(12, 12, 9, 0.12);
      const auto x = spread_plain(context, g);
      Plain<double> expected = empty_plain<double>(12, 12);
      for (Index i = 0; i < 12; ++i) expected.at(i, i) = 1;
      for (Index exponent = 0; exponent <= 7; ++exponent) {
        expect_plain(power(x, exponent).c, expected, "power");
        expected = product_plain(expected, g);
      }
      expect_plain(power(x, 3, {.shuffle = true}).c, product_plain(g, product_plain(g, g)), "shuffled power");
    });
}

namespace {

// The widest way: the narrowest of its steps decides.
struct MaxMin {
  static double zero() { return 0; }
  static double add(double x, double y) { return std::max(x, y); }
  static double multiply(double x, double y) { return std::min(x, y); }
};

}  // namespace

TEST_F(SparseDoorTest, ProductsOverASemiringOfOnesOwn) {
  const auto widest = OwnSemiring<double>::of<MaxMin>();
  for (const int ranks : {1, 4, 7})
    on_context(ranks, [&](const Context& context) {
      const Plain<double> a = random_plain<double>(14, 19, 1), b = random_plain<double>(19, 11, 2);
      Plain<double> expected = empty_plain<double>(14, 11);
      for (Index i = 0; i < 14; ++i)
        for (Index k = 0; k < 19; ++k)
          for (Index j = 0; j < 11; ++j)
            expected.at(i, j) = std::max(expected.at(i, j), std::min(a.at(i, k), b.at(k, j)));
      const auto x = spread_plain(context, a), y = spread_plain(context, b, "columns");
      for (const char* algorithm : {"auto", "outer-product", "recursive", "summa"})
        expect_plain(spgemm(x, y, widest, {.algorithm = algorithm, .threads = 2}).c, expected, algorithm);
      SparsePattern<double> pattern;
      for (int time = 0; time < 2; ++time)
        expect_plain(spgemm(x, y, widest, {}, &pattern).c, expected, "with its pattern");
      expect_plain(spgemm(y, x, widest, {.op_a = Op::transpose, .op_b = Op::transpose}).c,
                   applied_plain(Op::transpose, expected), "of the transposed");
      const auto comm = context.state().comm();
      expect_same_error<ArgumentError>(
          comm, [&] { spgemm(x, y, widest, {.verify = 1}); }, "semiring of one's own, expected 0");
      expect_same_error<ArgumentError>(
          comm, [&] { spgemm(x, y, OwnSemiring<double>{}); }, "has no add or no multiply");
    });
}

// Lengths and places that were learnt are those of the matrices that were there: others would be cut or mixed up.
TEST_F(SparseDoorTest, APatternIsRefusedWhereEntriesAreOthers) {
  for (const int ranks : {1, 4, 7})
    on_context(ranks, [](const Context& context) {
      const auto comm = context.state().comm();
      const Plain<double> plain = random_plain<double>(24, 24, 1);
      const auto a = spread_plain(context, plain),
                 other = spread_plain(context, random_plain<double>(24, 24, 2));
      SparsePattern<double> pattern;
      // One that failed has taught nothing.
      expect_same_error<MemoryError>(
          comm, [&] { spgemm(a, a, {.memory_bytes = 10}, &pattern); }, "10 bytes");
      const auto expected = spgemm(a, a).c.gather();
      EXPECT_EQ(spgemm(a, a, {}, &pattern).c.gather(), expected);
      ASSERT_TRUE(pattern.known());
      for (const auto& [x, y] :
           {std::pair{a, other}, std::pair{other, a},
            std::pair{a, a.select([](Index i, Index j, double) { return i != j && i > 0; })}})
        expect_same_error<ArgumentError>(
            comm, [&, x = x, y = y] { spgemm(x, y, {}, &pattern); }, "other entries");
      expect_same_error<ArgumentError>(
          comm, [&] { spgemm(a, a, {.shuffle = true}, &pattern); }, "other entries");
      EXPECT_EQ(spgemm(a, a, {}, &pattern).c.gather(), expected);
      const SpgemmOptions counting{.semiring = SparseSemiring::plus_pair};
      EXPECT_EQ(spgemm(a, a, counting, &pattern).c.gather(), spgemm(a, a, counting).c.gather());
    });
}

// Values are needed after a product that needed none.
TEST_F(SparseDoorTest, APatternLearntByCountingServesAnyNumbers) {
  on_context(4, [](const Context& context) {
    const auto a = spread_plain(context, random_plain<double>(24, 24, 1));
    SparsePattern<double> pattern;
    spgemm(a, a, {.semiring = SparseSemiring::plus_pair}, &pattern);
    EXPECT_EQ(spgemm(a, a, {}, &pattern).c.gather(), spgemm(a, a).c.gather());
  });
}

TEST_F(SparseDoorTest, WrongArgumentsAreTheSameErrorEverywhere) {
  on_context(4, [](const Context& context) {
    const auto comm = context.state().comm();
    const auto x = spread_plain(context, random_plain<double>(6, 8, 1)),
               y = spread_plain(context, random_plain<double>(8, 6, 1));
    expect_same_error<ArgumentError>(
        comm, [&] { add(x, y); }, "A is 6 x 8 and B is 8 x 6");
    expect_same_error<ArgumentError>(
        comm, [&] { power(x, 2); }, "expected a square matrix");
    const auto square = spread_plain(context, random_plain<double>(6, 6, 1));
    expect_same_error<ArgumentError>(
        comm, [&] { power(square, -1); }, "exponent is -1");
    expect_same_error<ArgumentError>(
        comm, [&] { power(square, 0, {.semiring = SparseSemiring::plus_pair}); }, "no identity");
    expect_same_error<ArgumentError>(
        comm, [&] { spgemm(x, x); }, "as many rows of B as columns of A");
    const std::vector<Index> outside{8};
    expect_same_error<ArgumentError>(
        comm, [&] { x.extract({}, outside); }, "columns[0] is 8, expected 0 to 7");
    expect_same_error<MemoryError>(
        comm, [&] { spgemm(x, y, {.memory_bytes = 10}); }, "10 bytes");
    const bool odd = comm.rank() == 1;
    expect_same_error<ArgumentError>(
        comm, [&] { spgemm(square, square, {.fewest_bytes = odd}); },
        "objective is time on rank 0 and bytes on rank 1");
    expect_same_error<ArgumentError>(
        comm, [&] { spgemm(square, square, {.op_a = odd ? Op::transpose : Op::none}); },
        "layout of A is rows on rank 0");
  });
}
