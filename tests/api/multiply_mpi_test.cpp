// The public front door: products in native and in any other layouts against a plain product.
#include "api/support.hpp"

namespace cairn {
namespace {

using test::element;
using test::expect_product;
using test::fill;
using test::fill_nan;
using test::on_context;
using test::sum_over_ranks;

class Api : public test::MpiTest {};

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
      EXPECT_EQ(sum_over_ranks(context, report.gathers_and_combines.words_received),
                report.plan.words().total);
      EXPECT_EQ(report.plan.layout_a(), a.layout());
    });
}

// Elements of `to` on this rank that are not there in `from`, one by one.
Index arriving(const Layout& from, const Layout& to, int rank) {
  Index words = 0;
  for (Index i = 0; i < to.rows(); ++i)
    for (Index j = 0; j < to.columns(); ++j) words += to.owner(i, j) == rank && from.owner(i, j) != rank;
  return words;
}

TEST_F(Api, RedistributionMovesWhatIsElsewhereOnce) {
  on_context(6, [](const Context& context) {
    Matrix<double> a(context, Layout::elemental(30, 20, 2, 3)), b(context, Layout::row_blocks(20, 25, 6)),
        c(context, Layout::block_cyclic(30, 25, {.process_rows = 3, .process_columns = 2, .mb = 4, .nb = 3}));
    fill(a, 1);
    fill(b, 2);
    MultiplyOptions options;
    options.plan = plan_multiply({.m = 30, .n = 25, .k = 20}, 6);
    const MultiplyReport report = multiply(a, b, c, options);
    const Plan& plan = report.plan;
    const int rank = context.rank();
    EXPECT_EQ(report.redistribution.words_received, arriving(a.layout(), plan.layout_a(), rank) +
                                                        arriving(b.layout(), plan.layout_b(), rank) +
                                                        arriving(plan.layout_c(), c.layout(), rank));
    EXPECT_EQ(sum_over_ranks(context, report.redistribution.words_sent),
              sum_over_ranks(context, report.redistribution.words_received));
    EXPECT_EQ(sum_over_ranks(context, report.gathers_and_combines.words_received), plan.words().total);
    expect_product<double>({.m = 30, .n = 25, .k = 20}, 1, 0, c);
  });
}

template <Scalar T>
void any_layouts(const Context& context, std::mt19937_64& random) {
  const auto size = [&] { return static_cast<Index>(random() % 40); };
  const std::array ops{Op::none, Op::transpose, Op::adjoint};
  const Product p{size(), size(), size(), ops[random() % 3], ops[random() % 3], ScalarTraits<T>::type};
  const auto make = [&](Op op, Index rows, Index columns) {
    if (op != Op::none) std::swap(rows, columns);
    return Matrix<T>(context, test::some_layout(random, rows, columns, context.size()));
  };
  Matrix<T> a = make(p.op_a, p.m, p.k), b = make(p.op_b, p.k, p.n), c = make(Op::none, p.m, p.n);
  MultiplyOptions options;
  options.verify = static_cast<int>(random() % 2);
  options.planning.algorithm = algorithm_names()[random() % algorithm_names().size()];
  const T alpha(static_cast<typename ScalarTraits<T>::Real>(random() % 3)),
      beta(static_cast<typename ScalarTraits<T>::Real>(random() % 2));
  // What is not to be read is not a number.
  alpha == T(0) ? fill_nan(a), fill_nan(b) : (fill(a, 1), fill(b, 2));
  beta == T(0) ? fill_nan(c) : fill(c, 3);
  const MultiplyReport report = multiply(alpha, p.op_a, a, p.op_b, b, beta, c, options);
  EXPECT_EQ(report.verification.has_value(), options.verify > 0);
  expect_product<T>(p, alpha, beta, c);
}

TEST_F(Api, AnyLayouts) {
  for (const int ranks : {1, 3, 8, 13})
    on_context(ranks, [](const Context& context) {
      std::mt19937_64 random(static_cast<std::uint64_t>(context.size()));
      for (int trial = 0; trial < 12; ++trial) {
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
    EXPECT_EQ(options.plan->ranks(), 4);
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

// The same places, other ways to move: nothing is copied.
TEST_F(Api, NativeLayoutsOfTheSameGrid) {
  on_context(6, [](const Context& context) {
    auto [a, b, c] = make_product<double>(context, {.m = 30, .n = 41, .k = 52}, {.grid = {{3, 1, 2}}});
    fill(a, 1);
    fill(b, 2);
    for (const Transport transport : {Transport::two_sided, Transport::one_sided}) {
      MultiplyOptions options;
      options.planning.grid = {3, 1, 2};
      options.planning.transport = transport;
      options.planning.objective = Objective::words;
      const MultiplyReport report = multiply(a, b, c, options);
      EXPECT_EQ(report.plan.options().transport, transport);
      EXPECT_EQ(sum_over_ranks(context, report.redistribution.messages_received), 0);
      EXPECT_EQ(sum_over_ranks(context, report.gathers_and_combines.words_received),
                report.plan.words().total);
      expect_product<double>({.m = 30, .n = 41, .k = 52}, 1, 0, c);
    }
  });
}

// The same grid in other rounds puts elements elsewhere.
TEST_F(Api, NativeLayoutsOfOtherRounds) {
  on_context(6, [](const Context& context) {
    const Product p{.m = 30, .n = 41, .k = 52};
    auto [a, b, c] = make_product<double>(context, p, {.grid = {{2, 3, 1}}});
    fill(a, 1);
    fill(b, 2);
    MultiplyOptions options;
    options.planning.grid = {2, 3, 1};
    options.planning.rounds = Rounds{Dimension::k, 4};
    EXPECT_GT(sum_over_ranks(context, multiply(a, b, c, options).redistribution.words_received), 0);
    expect_product<double>(p, 1, 0, c);
  });
}

// Sub-matrices of ScaLAPACK's matrices, in the memory of the whole ones; the rest of C stays.
TEST_F(Api, SubMatricesOfScalapack) {
  on_context(6, [](const Context& context) {
    const std::array descriptor{1, 0, 40, 50, 4, 3, 1, 2, 20};
    const Layout whole = Layout::scalapack(descriptor, 2, 3);
    std::vector<double> memory(static_cast<std::size_t>(whole.local_elements(context.rank(), 20)), -7);
    Matrix<double> a(context, Layout::elemental(9, 11, 3, 2)), b(context, Layout::replicated(11, 21, 6)),
        c(context, whole.sub_matrix(5, 8, 9, 21), memory, 20);
    fill(a, 1);
    fill(b, 2);
    multiply(a, b, c, {.verify = 2});
    expect_product<double>({.m = 9, .n = 21, .k = 11}, 1, 0, c);
    const double corner = c.at(8, 20);
    Matrix<double> all(context, whole, memory, 20);
    EXPECT_EQ(all.at(13, 28), corner);
    all.for_each([](Index i, Index j, double x) {
      const bool inside = i >= 5 && i < 14 && j >= 8 && j < 29;
      EXPECT_EQ(x == -7, !inside) << i << ", " << j;
    });
    EXPECT_EQ(sum_over_ranks(context, static_cast<Index>(std::ranges::count(memory, -7.0))) -
                  sum_over_ranks(context, std::ssize(memory)),
              -9 * 21);
  });
}

TEST_F(Api, Rectangles) {
  on_context(3, [](const Context& context) {
    // Rank 0 has the left, rank 2 the rest in two pieces, one behind the other.
    const std::array pieces{Rectangle{0, 10, 0, 4, 0, 0, 12}, Rectangle{0, 3, 4, 9, 2, 5, 3},
                            Rectangle{3, 10, 4, 9, 2, 20, 7}};
    Matrix<std::complex<float>> c(context, Layout::of_rectangles(10, 9, pieces)),
        a(context, Layout::on_one_rank(10, 6, 1)), b(context, Layout::column_blocks(6, 9, 3));
    const std::array<std::size_t, 3> sizes{3 * 12 + 10, 0, 20 + 5 * 7};
    EXPECT_EQ(c.local().size(), sizes[static_cast<std::size_t>(context.rank())]);
    fill(a, 1);
    fill(b, 2);
    multiply(a, b, c, {.verify = 1});
    expect_product<std::complex<float>>({.m = 10, .n = 9, .k = 6}, 1, 0, c);
  });
}

TEST_F(Api, ThreadsAreSetForTheCallOnly) {
  on_context(2, [](const Context& context) {
    const int before = blas::library().threads;
    auto [a, b, c] = make_product<double>(context, 200, 200, 200);
    fill(a, 1);
    fill(b, 2);
    multiply(a, b, c, {.threads = before + 1});
    EXPECT_EQ(blas::library().threads, before);
    expect_product<double>({.m = 200, .n = 200, .k = 200}, 1, 0, c);
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

// The second call of a shape makes nothing: no plan, no exchange, no memory, no communicator.
void expect_kept(const Context& context, const Matrix<double>& a, const Matrix<double>& b, Matrix<double>& c,
                 const MultiplyOptions& options = {}) {
  detail::ContextState& state = context.state();
  const auto kept = [&] {
    return std::array<Index, 4>{static_cast<Index>(state.plans_kept()),
                                static_cast<Index>(state.exchanges_kept()), state.pool().kept_bytes(),
                                state.engine().pool().kept_bytes()};
  };
  const auto plan_of = [](const MultiplyReport& r) { return &r.plan.state(); };
  context.trim();
  const MultiplyReport first = multiply(a, b, c, options);
  const auto after_first = kept();
  const Index bytes_after_first = state.kept_bytes();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(plan_of(multiply(a, b, c, options)), plan_of(first));
  EXPECT_EQ(kept(), after_first);
  // How many pieces of an exchange are under way at once depends on when they arrive.
  EXPECT_LE(state.kept_bytes(), 2 * bytes_after_first);
  context.trim();
  EXPECT_EQ(state.kept_bytes(), 0);
  multiply(a, b, c, options);
  EXPECT_EQ(kept(), after_first);
}

TEST_F(Api, BatchesKeepPlansAndMemory) {
  on_context(8, [](const Context& context) {
    auto [a, b, c] = make_product<double>(context, 32, 32, 32);
    expect_kept(context, a, b, c);
    Matrix<double> x(context, Layout::row_blocks(33, 40, 8)), y(context, Layout::elemental(40, 35, 2, 4)),
        z(context, Layout::column_blocks(33, 35, 8));
    MultiplyOptions named;
    named.planning.algorithm = "cosma";
    expect_kept(context, x, y, z);
    expect_kept(context, x, y, z, named);
    for (Index k = 1; k < 40; ++k) {  // more shapes than are kept
      Matrix<double> u(context, Layout::row_blocks(3, k, 8)), v(context, Layout::row_blocks(k, 3, 8)),
          w(context, Layout::row_blocks(3, 3, 8));
      multiply(u, v, w, k % 2 == 0 ? named : MultiplyOptions{});
    }
    EXPECT_EQ(context.state().plans_kept(), 42u);
    EXPECT_EQ(context.state().exchanges_kept(), 16u);
    expect_kept(context, x, y, z);
    expect_kept(context, x, y, z, named);
  });
}

// Matrices keep their context, and may be moved.
TEST_F(Api, MatricesOutliveTheContextHandle) {
  test::on_ranks(3, [](comm::CommView comm) {
    const auto made = [&] { return make_product<float>(Context(comm.handle()), 5, 6, 7); };
    ProductMatrices<float> p = made();
    fill(p.a, 1);
    fill(p.b, 2);
    Matrix<float> c = std::move(p.c);
    multiply(p.a, p.b, c);
    expect_product<float>({.m = 5, .n = 6, .k = 7}, 1, 0, c);
  });
}

}  // namespace
}  // namespace cairn
