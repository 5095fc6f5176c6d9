// The public front door: products in native and in any other layouts against a plain product.
#include <mpi.h>

#include <random>

#include "cairn/cairn.hpp"
#include "gemm/reference.hpp"
#include "support/mpi_test.hpp"

namespace cairn {
namespace {

using gemm::test::element;

class Api : public test::MpiTest {};

// A context on the first `size` ranks.
void on_context(int size, const std::function<void(const Context&)>& body) {
  test::on_ranks(size, [&](comm::CommView c) { body(Context(c.handle(), {.watchdog_seconds = 60})); });
}

template <Scalar T>
T op_element(Op op, std::uint64_t seed, Index i, Index j) {
  if (op == Op::none) return element<T>(seed, i, j);
  const T x = element<T>(seed, j, i);
  return op == Op::adjoint ? conj(x) : x;
}

template <Scalar T>
void fill(Matrix<T>& x, std::uint64_t seed) {
  x.fill([&](Index i, Index j) { return element<T>(seed, i, j); });
}

// C = alpha op(A) op(B) + beta C0 within the error of any order of the sums.
template <Scalar T>
void expect_product(const Product& p, T alpha, T beta, const Matrix<T>& c) {
  const double u = ScalarTraits<T>::roundoff;
  c.for_each([&](Index i, Index j, T x) {
    T sum(0);
    double absolute = 0;
    for (Index l = 0; l < p.k; ++l) {
      const T a = op_element<T>(p.op_a, 1, i, l), b = op_element<T>(p.op_b, 2, l, j);
      sum += a * b;
      absolute += static_cast<double>(std::abs(a)) * static_cast<double>(std::abs(b));
    }
    const T expected = alpha * sum + beta * element<T>(3, i, j);
    const double scale =
        absolute * static_cast<double>(std::abs(alpha)) + 2 * static_cast<double>(std::abs(beta));
    ASSERT_LE(static_cast<double>(std::abs(x - expected)), 8 * static_cast<double>(p.k + 8) * u * scale)
        << i << ", " << j;
  });
}

TEST_F(Api, FiveLines) {
  for (const int ranks : {1, 2, 5, 7, 16})
    on_context(ranks, [](const Context& context) {
      auto [a, b, c] = make_product<double>(context, 60, 50, 70);
      fill(a, 1);
      fill(b, 2);
      const MultiplyReport report = multiply(a, b, c);
      expect_product<double>({.m = 60, .n = 50, .k = 70}, 1, 0, c);
      EXPECT_TRUE(c.layout().is_native());
      EXPECT_EQ(report.redistribution.words_received, 0);
      EXPECT_LE(report.gathers_and_combines.words_received, report.plan.words().busiest);
      EXPECT_EQ(report.plan.layout_a(), a.layout());
    });
}

// Layouts of every kind people have, on at most p ranks.
Layout some_layout(std::mt19937_64& random, Index rows, Index columns, int p) {
  const int d0 = static_cast<int>(random() % static_cast<unsigned>(p)) + 1, d1 = p / d0;
  switch (random() % 7) {
    case 0:
      return Layout::block_cyclic(
          rows, columns, {.process_rows = d0, .process_columns = d1, .mb = 3, .nb = 5, .row_major = true});
    case 1:
      return Layout::elemental(rows, columns, d0, d1);
    case 2:
      return Layout::row_blocks(rows, columns, p);
    case 3:
      return Layout::column_blocks(rows, columns, d0);
    case 4:
      return Layout::on_one_rank(rows, columns, p - 1);
    case 5:
      return Layout::replicated(rows, columns, d0);
    default:
      return Layout::blocked(rows, columns, d0, d1);
  }
}

template <Scalar T>
void any_layouts(const Context& context, std::mt19937_64& random) {
  const auto size = [&] { return static_cast<Index>(random() % 40); };
  const std::array ops{Op::none, Op::transpose, Op::adjoint};
  const Product p{size(), size(), size(), ops[random() % 3], ops[random() % 3], ScalarTraits<T>::type};
  const auto make = [&](Op op, Index rows, Index columns) {
    if (op != Op::none) std::swap(rows, columns);
    return Matrix<T>(context, some_layout(random, rows, columns, context.size()));
  };
  Matrix<T> a = make(p.op_a, p.m, p.k), b = make(p.op_b, p.k, p.n), c = make(Op::none, p.m, p.n);
  fill(a, 1);
  fill(b, 2);
  fill(c, 3);
  MultiplyOptions options;
  options.verify = 1;
  options.planning.algorithm = algorithm_names()[random() % algorithm_names().size()];
  const T alpha(static_cast<typename ScalarTraits<T>::Real>(random() % 3)),
      beta(static_cast<typename ScalarTraits<T>::Real>(random() % 2));
  const MultiplyReport report = multiply(alpha, p.op_a, a, p.op_b, b, beta, c, options);
  EXPECT_TRUE(report.verification->passed);
  expect_product<T>(p, alpha, beta, c);
}

TEST_F(Api, AnyLayouts) {
  for (const int ranks : {1, 3, 8, 13})
    on_context(ranks, [](const Context& context) {
      std::mt19937_64 random(static_cast<std::uint64_t>(context.size()));
      for (int trial = 0; trial < 12 && !testing::Test::HasFailure(); ++trial) {
        any_layouts<float>(context, random);
        any_layouts<double>(context, random);
        any_layouts<std::complex<float>>(context, random);
        any_layouts<std::complex<double>>(context, random);
      }
    });
}

// Native matrices of one plan, another plan asked for: copied there and back.
TEST_F(Api, NativeLayoutsOfAnotherPlan) {
  on_context(6, [](const Context& context) {
    const Product p{.m = 30, .n = 41, .k = 52};
    auto [a, b, c] = make_product<double>(context, p, {.grid = {{1, 1, 6}}});
    fill(a, 1);
    fill(b, 2);
    MultiplyOptions options;
    options.planning.grid = {3, 2, 1};
    options.planning.rounds = Rounds{Dimension::k, 4};
    EXPECT_GT(multiply(a, b, c, options).plan.words().total, 0);
    expect_product<double>(p, 1, 0, c);
    options = {};
    options.plan = plan_multiply(p, 4, {.transport = Transport::one_sided});
    multiply(2.0, Op::none, a, Op::none, b, 0.0, c, options);
    expect_product<double>(p, 2, 0, c);
    EXPECT_EQ(multiply(a, b, c).plan.grid(), (std::array{1, 1, 6}));  // where they are
    expect_product<double>(p, 1, 0, c);
  });
}

// The caller's memory with a leading dimension; what lies between the columns stays.
TEST_F(Api, OwnMemory) {
  on_context(4, [](const Context& context) {
    const Layout rows = Layout::column_blocks(10, 12, 4);
    std::vector<double> mine(3 * 15, -7), wrong(3);
    Matrix<double> c(context, rows, mine, 15);
    Matrix<double> a(context, Layout::blocked(10, 9, 2, 2)), b(context, Layout::elemental(9, 12, 2, 2));
    fill(a, 1);
    fill(b, 2);
    multiply(a, b, c);
    expect_product<double>({.m = 10, .n = 12, .k = 9}, 1, 0, c);
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 10; i < 15; ++i) EXPECT_EQ(mine[j * 15 + i], -7);
  });
}

TEST_F(Api, ReadingAMatrix) {
  on_context(5, [](const Context& context) {
    Matrix<double> x(
        context, Layout::block_cyclic(11, 9, {.process_rows = 2, .process_columns = 2, .mb = 2, .nb = 3}));
    auto [a, b, c] = make_product<double>(context, 11, 4, 9);
    for (Matrix<double>* m : {&x, &a}) {
      fill(*m, 5);
      EXPECT_EQ(m->at(7, 8), element<double>(5, 7, 8));
      EXPECT_EQ(m->at(0, 0), element<double>(5, 0, 0));
      const std::vector<double> all = m->gather(2);
      ASSERT_EQ(all.size(), context.rank() == 2 ? 99u : 0u);
      for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(all[i], element<double>(5, static_cast<Index>(i % 11), static_cast<Index>(i / 11)));
    }
    Matrix<double> y(context, Layout::row_blocks(9, 11, 5));
    redistribute(2.0, Op::transpose, x, 0.0, y);
    y.for_each([](Index i, Index j, double v) { EXPECT_EQ(v, 2 * element<double>(5, j, i)); });
  });
}

TEST_F(Api, VerifyFindsAWrongElement) {
  on_context(4, [](const Context& context) {
    auto [a, b, c] = make_product<float>(context, 40, 30, 20);
    fill(a, 1);
    fill(b, 2);
    EXPECT_TRUE(multiply(a, b, c, {.verify = 2}).verification->passed);
    EXPECT_TRUE(verify(1, Op::none, a, Op::none, b, c).passed);
    c.for_each([](Index i, Index j, float& x) { x += i == 17 && j == 3 ? 0.5f : 0.0f; });
    const Verification found = verify(1, Op::none, a, Op::none, b, c);
    EXPECT_FALSE(found.passed);
    EXPECT_EQ(found.row, 17);
    EXPECT_NEAR(found.residual, 0.5, 1e-3);
  });
}

TEST_F(Api, BatchesKeepPlansAndMemory) {
  on_context(8, [](const Context& context) {
    auto [a, b, c] = make_product<double>(context, 32, 32, 32);
    const MultiplyReport first = multiply(a, b, c);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(&multiply(a, b, c).plan.state(), &first.plan.state());
  });
}

}  // namespace
}  // namespace cairn
