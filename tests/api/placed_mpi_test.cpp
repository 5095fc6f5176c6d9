// Matrices of users, where they are: random products in random layouts under memory limits against a plain
// product; what the plan said against what was moved and leased.
#include "api/support.hpp"
#include "layout/guarded.hpp"

namespace cairn {
namespace {

using test::fill;
using test::fill_nan;
using test::pick;
using test::Random;

class ApiPlaced : public test::MpiTest {};

struct Case {
  Product product;
  std::array<Layout, 3> layouts;

  PlacedPlan plan(int ranks, const PlanOptions& options) const {
    return plan_multiply(product, layouts[0], layouts[1], layouts[2], ranks, options);
  }
};

Index pick_size(Random& random) {
  switch (random() % 12) {
    case 0:
      return pick(random, 0, 2);
    case 1:
      return pick(random, 60, 150);
    default:
      return pick(random, 1, 45);
  }
}

Case pick_case(Random& random, int ranks, ScalarType type) {
  Case c;
  c.product = {pick_size(random),
               pick_size(random),
               pick_size(random),
               static_cast<Op>(random() % 3),
               static_cast<Op>(random() % 3),
               type};
  // Now and then lines that are longer than the shortest piece of an exchange.
  if (random() % 10 == 0) (random() % 2 == 0 ? c.product.m : c.product.k) = pick(random, 2000, 6000);
  const Product& p = c.product;
  const auto layout = [&](Op op, Index rows, Index columns) {
    if (op != Op::none) std::swap(rows, columns);
    return test::any_layout(random, rows, columns, ranks);
  };
  c.layouts = {layout(p.op_a, p.m, p.k), layout(p.op_b, p.k, p.n), layout(Op::none, p.m, p.n)};
  return c;
}

// The least memory there is a plan for, as the error tells it.
Index least_memory(const Case& c, int ranks) {
  try {
    (void)c.plan(ranks, {.memory_bytes = 1});
  } catch (const MemoryError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("memory is 1 bytes a rank"), std::string::npos) << text;
    return std::stoll(text.substr(text.rfind(' ')));
  }
  ADD_FAILURE() << "a plan for one byte";
  return 1;
}

Index part_bytes(const Case& c, int rank) {
  Index elements = 0;
  for (const Layout& l : c.layouts) elements += l.state().general().elements(rank);
  return elements * bytes(c.product.type);
}

Index most_part_bytes(const Case& c, int ranks) {
  Index most = 0;
  for (int rank = 0; rank < ranks; ++rank) most = std::max(most, part_bytes(c, rank));
  return most;
}

// None, ample, the least, or between the least and what the faces take in one round. One rank plans for it.
std::optional<Index> pick_limit(Random& random, const Context& context, const Case& c) {
  const int ranks = context.size(), kind = static_cast<int>(random() % 4);
  const double share = static_cast<double>(random() % 101) / 100;
  if (kind == 0) return {};
  if (kind == 1) return Index{1} << 33;
  Index limit = 0;
  if (context.rank() == 0) {
    limit = least_memory(c, ranks);
    const Index faces = c.plan(ranks, {}).memory_bytes() - most_part_bytes(c, ranks) - (Index{4} << 20);
    if (kind == 3) limit += static_cast<Index>(share * static_cast<double>(std::max<Index>(0, faces)));
  }
  return test::over_ranks(context, limit, MPI_MAX);
}

template <Scalar T>
T scalar(Random& random) {
  const std::array<T, 4> choices{T(0), T(1), T(1), test::element<T>(random(), 1, 2)};
  return choices[random() % 4];
}

struct Seen {
  int limited = 0, in_rounds = 0, in_place = 0;
};

void expect_planned_words(const Context& context, const MultiplyReport& report) {
  const PlacedWords words = report.placed->words();
  if (!words.counted) return;
  const Index received = report.gathers_and_combines.words_received;
  EXPECT_EQ(test::sum_over_ranks(context, received), words.total);
  EXPECT_EQ(test::over_ranks(context, received, MPI_MAX), words.busiest);
}

template <Scalar T>
void multiply_and_compare(const Context& context, Random& random, const Case& c, Seen& seen) {
  const int rank = context.rank();
  const Product& p = c.product;
  const Index gap = pick(random, 0, 3);
  const auto memory = [&](const Layout& l) { return test::Guarded<T>(l.state().general(), rank, gap); };
  std::array<test::Guarded<T>, 3> guarded{memory(c.layouts[0]), memory(c.layouts[1]), memory(c.layouts[2])};
  const auto matrix = [&](std::size_t x) {
    return Matrix<T>(context, c.layouts[x], guarded[x].memory, guarded[x].view.leading_dimension);
  };
  Matrix<T> a = matrix(0), b = matrix(1), result = matrix(2);
  const T alpha = scalar<T>(random), beta = scalar<T>(random);
  // What is not to be read is not a number.
  alpha == T(0) ? fill_nan(a), fill_nan(b) : (fill(a, 1), fill(b, 2));
  beta == T(0) ? fill_nan(result) : fill(result, 3);

  MultiplyOptions options;
  options.planning.objective = random() % 2 == 0 ? Objective::words : Objective::time;
  options.planning.memory_bytes = pick_limit(random, context, c);
  if (random() % 4 == 0) options.placed = c.plan(context.size(), options.planning);
  if (!options.planning.memory_bytes) context.trim();  // else a lease may be longer than asked for
  Pool& pool = context.state().comm().pool();
  pool.restart_peak();
  const MultiplyReport report = multiply(alpha, p.op_a, a, p.op_b, b, beta, result, options);

  ASSERT_TRUE(report.placed && !report.plan);
  const PlacedPlan& plan = *report.placed;
  SCOPED_TRACE(plan.describe());
  EXPECT_LE(part_bytes(c, rank) + pool.leased().peak, plan.memory_bytes());
  if (const auto& limit = options.planning.memory_bytes) {
    EXPECT_LE(plan.memory_bytes(), *limit);
  }
  EXPECT_EQ(report.redistribution.messages_received, 0);
  if (alpha != T(0)) expect_planned_words(context, report);
  seen.limited += options.planning.memory_bytes.has_value();
  seen.in_rounds += plan.rounds().count > 1;
  seen.in_place += plan.a_stays() || plan.b_stays() || plan.c_stays();
  test::expect_product<T>(p, alpha, beta, result, {plan.grid()[2], plan.rounds().count});
  for (const test::Guarded<T>& g : guarded) g.expect_guards();
}

void random_products(const Context& context, int cases) {
  Seen seen;
  for (int k = 0; k < cases; ++k) {
    Random random(static_cast<std::uint64_t>(k * 100 + context.size()));
    const auto type = static_cast<ScalarType>(k % 4);
    const Case c = pick_case(random, context.size(), type);
    SCOPED_TRACE(fmt::format("case {} on {} ranks: {} x {} x {}; {}; {}; {}", k, context.size(), c.product.m,
                             c.product.n, c.product.k, c.layouts[0].text(), c.layouts[1].text(),
                             c.layouts[2].text()));
    dispatch(type, [&]<class T>() { multiply_and_compare<T>(context, random, c, seen); });
    // All ranks stop together: one that went on alone would wait for the others.
    if (test::over_ranks(context, testing::Test::HasFailure() ? 1 : 0, MPI_MAX) > 0) return;
  }
  EXPECT_GE(seen.limited, cases / 2);
  EXPECT_GE(seen.in_rounds, cases / 10);
  EXPECT_GE(seen.in_place, cases / 20);
}

TEST_F(ApiPlaced, SixHundredAndFortyRandomProducts) {
  const std::vector<std::vector<int>> waves{{16},    {15, 1}, {14, 2}, {13, 3}, {12, 4},
                                            {11, 5}, {10, 6}, {9, 7},  {8}};
  for (const std::vector<int>& wave : waves)
    test::on_parts(test::world(), wave, [](comm::CommView c) {
      test::with_context(c, [](const Context& context) { random_products(context, 40); });
    });
}

}  // namespace
}  // namespace cairn
