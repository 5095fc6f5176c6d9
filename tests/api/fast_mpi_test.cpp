// Fast products by the front door: random products in random layouts within the bound of their plan, words as
// planned, matrices where the steps want them, scalings.
#include "api/fast_products.hpp"

namespace cairn {
namespace {

using test::fill;
using test::Random;

class ApiFast : public test::MpiTest {};

// 1,600 in all: on 1 to 16 ranks, two communicators side by side.
class ApiFastRandom : public test::MpiTest, public testing::WithParamInterface<int> {};

TEST_P(ApiFastRandom, ProductsAreWithinTheBoundOfTheirPlan) {
  const int ranks = GetParam();
  const std::vector<int> sizes =
      ranks == 16 || ranks == 8 ? std::vector{ranks} : std::vector{ranks, 16 - ranks};
  test::on_parts(test::world(), sizes, [](comm::CommView c) {
    test::with_context(
        c, [](const Context& context) { test::random_fast_products(context, 0, test::trials(100)); });
  });
}
INSTANTIATE_TEST_SUITE_P(Ranks, ApiFastRandom, testing::Range(8, 17));

// A machine whose products cost so much that not one multiplication by padding is worth it: what the steps do not divide
// is peeled off, and the words are those of the plan.
template <Scalar T>
bool multiply_peeled(const Context& context, Random& random) {
  constexpr std::array orders{"D", "DD", "B", "BD", "DB"};
  auto [p, a, b, c] = test::random_operands<T>(context, random, [&] { return test::pick(random, 8, 60); });
  fill(a, 1);
  fill(b, 2);
  fill(c, 3);
  const T alpha = test::pick_scalar<T>(random) + T(2), beta = test::pick_scalar<T>(random);
  MultiplyOptions options;
  options.planning.fast = orders[random() % orders.size()];
  options.planning.machine = {.alpha = 1e-12, .beta = 1e-12, .gamma = 1e-3};
  SCOPED_TRACE(fmt::format("{} x {} x {} ops {}{} {}, alpha {} beta {}", p.m, p.n, p.k,
                           static_cast<int>(p.op_a), static_cast<int>(p.op_b), options.planning.fast,
                           std::abs(alpha), std::abs(beta)));
  const MultiplyReport report = multiply(alpha, p.op_a, a, p.op_b, b, beta, c, options);
  SCOPED_TRACE(fmt::format("{}\nA {}\nB {}\nC {}", report.plan.describe(), a.layout().text(),
                           b.layout().text(), c.layout().text()));
  EXPECT_EQ(report.plan.steps(), options.planning.fast);
  EXPECT_TRUE(report.plan.words().exact);
  test::expect_words_of_plan(context, report);
  test::expect_within_bound<T>(report, alpha, beta, c);
  return report.plan.describe().find("peeled") != std::string::npos;
}

TEST_F(ApiFast, WhatStepsDoNotDivideIsPeeledOffWherePaddingCostsMore) {
  test::on_context(7, [](const Context& context) {
    int seen = 0;
    for (int k = 0; k < test::trials(60); ++k) {
      Random random(static_cast<std::uint64_t>(k));
      dispatch(static_cast<ScalarType>(k % 4),
               [&]<class T>() { seen += multiply_peeled<T>(context, random); });
      if (test::over_ranks(context, testing::Test::HasFailure() ? 1 : 0, MPI_MAX) > 0) return;
    }
    EXPECT_GE(seen, test::trials(60) / 2);
  });
}

// The layouts that the steps want: nothing but the steps' own words moves, 4.5 n^2/P for one BFS step.
TEST_F(ApiFast, MatricesMadeForStepsAreMultipliedWhereTheyAre) {
  test::on_context(7, [](const Context& context) {
    const Index n = 112;
    for (const Op op : {Op::none, Op::transpose}) {
      const Product p{.m = n, .n = n, .k = n, .op_a = op};
      auto [a, b, c] = make_product<double>(context, p, {.fast = "B"});
      fill(a, 1);
      fill(b, 2);
      const MultiplyReport report = multiply(1, op, a, Op::none, b, 0, c);
      EXPECT_EQ(report.plan.steps(), "B");
      EXPECT_EQ(report.plan.levels(), 1);
      EXPECT_EQ(report.gathers_and_combines.words_sent, 9 * n * n / 2 / 7);
      EXPECT_EQ(report.plan.words().busiest, 9 * n * n / 2 / 7);
      test::expect_within_bound<double>(report, 1, 0, c);
      // Another product of the same matrices is planned anew, classical: nobody allowed fast steps for it.
      EXPECT_EQ(multiply(1, Op::none, b, op, a, 0, c).plan.levels(), 0);
    }
  });
}

// Rows of A that are 2^-40 of the others lose all digits in a plain fast product, and none in a scaled one.
TEST_F(ApiFast, ScalingSavesSmallRows) {
  test::on_context(7, [](const Context& context) {
    const Index n = 56;
    const auto layout = [&] { return Layout::block_cyclic(n, n, {.process_rows = 7, .mb = 4, .nb = 4}); };
    Matrix<double> a(context, layout()), b(context, layout()), c(context, layout());
    const auto left = [&](Index i, Index j) {
      return test::element<double>(1, i, j) * (i < n / 2 ? 1 : 0x1p-40);
    };
    const auto right = [](Index i, Index j) { return test::element<double>(2, i, j); };
    a.fill(left);
    b.fill(right);
    const auto worst = [&](bool scaled) {
      MultiplyOptions options;
      options.planning.fast = "BD";
      options.planning.scaled = scaled;
      multiply(a, b, c, options);
      double most = 0;
      c.for_each([&](Index i, Index j, double x) {
        double exact = 0, size = 0;
        for (Index l = 0; l < n; ++l)
          exact += left(i, l) * right(l, j), size += std::abs(left(i, l) * right(l, j));
        most = std::max(most, std::abs(x - exact) / size);
      });
      return static_cast<double>(test::over_ranks(context, static_cast<Index>(most * 1e18), MPI_MAX)) / 1e18;
    };
    EXPECT_GT(worst(false), 1e-6);
    EXPECT_LT(worst(true), 1e-13);
  });
}

}  // namespace
}  // namespace cairn
