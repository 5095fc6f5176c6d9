// Fast products by the front door: random products in random layouts within the bound of their plan, words as
// planned, matrices where the steps want them, scalings.
#include "api/plan_state.hpp"
#include "api/support.hpp"
#include "gemm/fast/in_schedule.hpp"

namespace cairn {
namespace {

using test::fill;
using test::fill_nan;
using test::pick;
using test::Random;

class ApiFast : public test::MpiTest {};

// What rounding explains for elements of modulus at most sqrt(2): the plan's bound and that of the reference.
template <Scalar T>
double allowed(const Plan& plan, T alpha, T beta) {
  const gemm::Schedule& s = plan.state().schedule();
  const double u = gemm::fast::unit_roundoff(s.problem.type), k = static_cast<double>(s.problem.k);
  const Index side = Index{1} << s.fast_levels;
  const double kept = error_bound(gemm::fast::LocalProduct{side, side, side, Op::none, Op::none,
                                                           gemm::fast::winograd_levels(s.fast_levels)},
                                  s.problem.type)
                          .kept;
  return 1e-30 + 1.01 * ((plan.error_bound() + u * 6 * k * (k + 4)) * std::abs(alpha) * 2 +
                         u * (kept + 10) * std::abs(beta) * 1.5);
}

template <Scalar T>
void expect_within_bound(const MultiplyReport& report, T alpha, T beta, const Matrix<T>& c) {
  const double most = allowed<T>(report.plan, alpha, beta);
  const gemm::Problem problem = detail::problem_of(report.plan.product());
  bool right = true;
  c.for_each([&](Index i, Index j, T x) {
    const auto expected = gemm::test::reference<T>(problem, {}, alpha, beta, i, j).first;
    right = right && static_cast<double>(std::abs(x - expected)) <= most;  // NaN fails as well
  });
  EXPECT_TRUE(right);
}

// An order of steps that so many ranks can do.
std::string random_order(Random& random, int ranks, int q) {
  std::string order;
  for (int step = static_cast<int>(random() % 3); step >= 0; --step) {
    const bool bfs = ranks >= q && random() % 2 == 0;
    if (bfs) ranks /= q;
    order += bfs ? 'B' : 'D';
  }
  return order;
}

void pick_fast(Random& random, int ranks, PlanOptions& options) {
  struct Entry {
    const char* name;
    int q;
  };
  constexpr std::array entries{Entry{"winograd", 7}, Entry{"strassen", 7}, Entry{"classical", 8},
                               Entry{"3x2x2", 11}, Entry{"2x3x2", 11}};
  const Entry& entry = entries[random() % entries.size()];
  options.fast_entry = entry.name;
  switch (random() % 4) {
    case 0:
      options.fast = "auto";
      break;
    case 1:
      options.algorithm = random() % 2 == 0 ? "2d-strassen" : "2.5d-strassen";
      break;
    default:
      options.fast = random_order(random, ranks, entry.q);
  }
}

template <Scalar T>
T pick_scalar(Random& random) {
  const std::array<T, 4> choices{T(0), T(1), T(1), test::element<T>(random(), 1, 2)};
  return choices[random() % 4];
}

struct SeenFast {
  int steps = 0, levels = 0;
};

template <Scalar T>
void multiply_fast(const Context& context, Random& random, SeenFast& seen) {
  const auto size = [&] {
    return random() % 8 == 0 ? pick(random, 0, 3) : pick(random, 1, random() % 5 == 0 ? 200 : 60);
  };
  const Product p{size(),
                  size(),
                  size(),
                  static_cast<Op>(random() % 3),
                  static_cast<Op>(random() % 3),
                  ScalarTraits<T>::type};
  const auto matrix = [&](Op op, Index rows, Index columns) {
    if (op != Op::none) std::swap(rows, columns);
    return Matrix<T>(context, test::any_layout(random, rows, columns, context.size()));
  };
  Matrix<T> a = matrix(p.op_a, p.m, p.k), b = matrix(p.op_b, p.k, p.n), c = matrix(Op::none, p.m, p.n);
  const T alpha = pick_scalar<T>(random), beta = pick_scalar<T>(random);
  alpha == T(0) ? fill_nan(a), fill_nan(b) : (fill(a, 1), fill(b, 2));
  beta == T(0) ? fill_nan(c) : fill(c, 3);
  MultiplyOptions options{.verify = static_cast<int>(random() % 2)};
  pick_fast(random, context.size(), options.planning);
  options.planning.scaled = random() % 4 == 0;
  if (random() % 4 == 0) options.planning.memory_bytes = Index{1} << 26;
  SCOPED_TRACE(fmt::format("{} x {} x {} fast '{}' algorithm {} entry {} scaled {}", p.m, p.n, p.k,
                           options.planning.fast, options.planning.algorithm, options.planning.fast_entry,
                           options.planning.scaled));
  const MultiplyReport report = multiply(alpha, p.op_a, a, p.op_b, b, beta, c, options);
  const Plan& plan = report.plan;
  if (p.m * p.n * p.k > 0 && options.planning.fast != "auto" && options.planning.fast != "off") {
    EXPECT_EQ(plan.steps(), options.planning.fast);
  }
  EXPECT_GE(plan.error_growth(), 1);
  EXPECT_EQ(report.redistribution.messages_received, 0);
  if (alpha != T(0) && plan.words().exact) {
    const Index received = report.gathers_and_combines.words_received;
    EXPECT_EQ(test::sum_over_ranks(context, received), plan.words().total);
    EXPECT_EQ(test::over_ranks(context, received, MPI_MAX), plan.words().busiest);
  }
  seen.steps += !plan.steps().empty();
  seen.levels += plan.levels() > static_cast<int>(plan.steps().size());
  expect_within_bound<T>(report, alpha, beta, c);
}

void random_fast_products(const Context& context, int cases) {
  SeenFast seen;
  for (int k = 0; k < cases; ++k) {
    Random random(static_cast<std::uint64_t>(k * 100 + context.size()));
    SCOPED_TRACE(fmt::format("case {} on {} ranks", k, context.size()));
    dispatch(static_cast<ScalarType>(k % 4), [&]<class T>() { multiply_fast<T>(context, random, seen); });
    // All ranks stop together: one that went on alone would wait for the others.
    if (test::over_ranks(context, testing::Test::HasFailure() ? 1 : 0, MPI_MAX) > 0) return;
  }
  if (cases < 50) return;  // too few to have seen all kinds
  EXPECT_GE(seen.steps, cases / 5);
  EXPECT_GE(seen.levels, cases / 20);
}

// 1,600 in all: on 1 to 16 ranks.
TEST_F(ApiFast, RandomProductsAreWithinTheBoundOfTheirPlan) {
  for (int ranks = 8; ranks <= 16; ++ranks) {
    const std::vector<int> sizes =
        ranks == 16 || ranks == 8 ? std::vector{ranks} : std::vector{ranks, 16 - ranks};
    test::on_parts(test::world(), sizes, [](comm::CommView c) {
      test::with_context(c, [](const Context& context) { random_fast_products(context, test::trials(100)); });
    });
  }
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
      expect_within_bound<double>(report, 1, 0, c);
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
