// Random fast products by the front door, in random layouts, each within the bound of its plan and with the words of
// its plan. Used on 1 to 16 ranks and on 49.
#pragma once

#include "api/plan_state.hpp"
#include "api/support.hpp"
#include "gemm/fast/in_schedule.hpp"

namespace cairn::test {

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
  std::string wrong;  // the first one
  c.for_each([&](Index i, Index j, T x) {
    const auto expected = gemm::test::reference<T>(problem, {}, alpha, beta, i, j).first;
    if (wrong.empty() && !(static_cast<double>(std::abs(x - expected)) <= most))  // NaN fails as well
      wrong = fmt::format("({}, {}) is off by {:.3g}, at most {:.3g} is allowed", i, j,
                          static_cast<double>(std::abs(x - expected)), most);
  });
  EXPECT_EQ(wrong, "");
}

// An order of steps that this many ranks can do, with at most a few hundred products.
inline std::string random_order(Random& random, int ranks, int q) {
  std::string order;
  for (int step = static_cast<int>(random() % (q > 11 ? 2 : 3)); step >= 0; --step) {
    const bool bfs = ranks >= q && random() % 2 == 0;
    if (bfs) ranks /= q;
    order += bfs ? 'B' : 'D';
  }
  return order;
}

// Families whose fast levels are inside a rank come more often: nothing else brings levels to products as small as these.
inline std::string random_family(Random& random, int ranks, int q) {
  constexpr std::array names{"2d-strassen", "2.5d-strassen", "2d-strassen", "2.5d-strassen",
                             "strassen-2d", "strassen-2.5d", "caps"};
  const std::string name = names[random() % names.size()];
  return name == "caps" && ranks < q ? "strassen-2d" : name;
}

inline void pick_fast(Random& random, int ranks, PlanOptions& options) {
  struct Entry {
    const char* name;
    int q;
  };
  constexpr std::array entries{Entry{"winograd", 7}, Entry{"strassen", 7}, Entry{"classical", 8},
                               Entry{"3x2x2", 11},   Entry{"2x3x2", 11},   Entry{"3x2x3", 15},
                               Entry{"4x2x3", 20},   Entry{"3x3x3", 23}};
  const Entry& entry = entries[random() % entries.size()];
  options.fast_entry = entry.name;
  switch (random() % 5) {
    case 0:
      options.fast = "auto";
      break;
    case 1:
    case 2:
      options.algorithm = random_family(random, ranks, entry.q);
      break;
    default:
      options.fast = random_order(random, ranks, entry.q);
  }
}

template <Scalar T>
T pick_scalar(Random& random) {
  const std::array<T, 4> choices{T(0), T(1), T(1), element<T>(random(), 1, 2)};
  return choices[random() % 4];
}

// Sides by `size`, any ops, in any layouts.
template <Scalar T>
struct RandomOperands {
  Product p;
  Matrix<T> a, b, c;
};
template <Scalar T, class Size>
RandomOperands<T> random_operands(const Context& context, Random& random, Size&& size) {
  const Product p{size(),
                  size(),
                  size(),
                  static_cast<Op>(random() % 3),
                  static_cast<Op>(random() % 3),
                  ScalarTraits<T>::type};
  const auto matrix = [&](Op op, Index rows, Index columns) {
    if (op != Op::none) std::swap(rows, columns);
    return Matrix<T>(context, any_layout(random, rows, columns, context.size()));
  };
  return {p, matrix(p.op_a, p.m, p.k), matrix(p.op_b, p.k, p.n), matrix(Op::none, p.m, p.n)};
}

inline void expect_words_of_plan(const Context& context, const MultiplyReport& report) {
  const Index received = report.gathers_and_combines.words_received;
  EXPECT_EQ(sum_over_ranks(context, received), report.plan.words().total);
  EXPECT_EQ(over_ranks(context, received, MPI_MAX), report.plan.words().busiest);
}

struct SeenFast {
  int steps = 0, levels = 0;
};

template <Scalar T>
void multiply_fast(const Context& context, Random& random, SeenFast& seen) {
  auto [p, a, b, c] = random_operands<T>(context, random, [&] {
    return random() % 8 == 0 ? pick(random, 0, 3) : pick(random, 1, random() % 5 == 0 ? 200 : 60);
  });
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
  if (p.m * p.n * p.k > 0 && options.planning.algorithm != "auto" && alpha != T(0)) {
    const bool steps_first =
        options.planning.algorithm == "caps" || options.planning.algorithm.starts_with("strassen");
    EXPECT_EQ(!plan.steps().empty(), steps_first);
    EXPECT_EQ(plan.steps().find('B') != std::string::npos, options.planning.algorithm == "caps");
  }
  EXPECT_GE(plan.error_growth(), 1);
  EXPECT_EQ(report.redistribution.messages_received, 0);
  if (alpha != T(0) && plan.words().exact) expect_words_of_plan(context, report);
  seen.steps += !plan.steps().empty();
  seen.levels += plan.levels() > static_cast<int>(plan.steps().size());
  expect_within_bound<T>(report, alpha, beta, c);
}

inline void random_fast_products(const Context& context, int first, int cases) {
  SeenFast seen;
  for (int k = first; k < first + cases; ++k) {
    Random random(static_cast<std::uint64_t>(k * 100 + context.size()));
    SCOPED_TRACE(fmt::format("case {} on {} ranks", k, context.size()));
    dispatch(static_cast<ScalarType>(k % 4), [&]<class T>() { multiply_fast<T>(context, random, seen); });
    // All ranks stop together: one that went on alone would wait for the others.
    if (over_ranks(context, testing::Test::HasFailure() ? 1 : 0, MPI_MAX) > 0) return;
  }
  if (cases < 50) return;  // too few to have seen all kinds
  EXPECT_GE(seen.steps, cases / 5);
  EXPECT_GE(seen.levels, cases / 20);
}

}  // namespace cairn::test
