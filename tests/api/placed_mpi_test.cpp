// Matrices of users, where they are: random products in random layouts under memory limits against a plain
// product; what the plan said against what was moved and leased.
#include "api/support.hpp"
#include "comm/library.hpp"
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

  Plan plan(int ranks, const PlanOptions& options) const {
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
    EXPECT_NE(text.find("memory is 1 bytes per rank"), std::string::npos) << text;
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
    // Tall ones not in a thousand rounds.
    const double least_share = std::max(c.product.m, c.product.k) > 150 ? 0.2 : 0;
    limit += static_cast<Index>(std::max(kind == 3 ? share : 0, least_share) *
                                static_cast<double>(std::max<Index>(0, faces)));
  }
  return test::over_ranks(context, limit, MPI_MAX);
}

template <Scalar T>
T scalar(Random& random) {
  const std::array<T, 4> choices{T(0), T(1), T(1), test::element<T>(random(), 1, 2)};
  return choices[random() % 4];
}

struct Seen {
  int native = 0, limited = 0, in_rounds = 0, in_place = 0;
};

void expect_planned_words(const Context& context, const MultiplyReport& report) {
  const PlanWords words = report.plan.words();
  if (!words.exact) return;
  const Index received = report.gathers_and_combines.words_received;
  EXPECT_EQ(test::sum_over_ranks(context, received), words.total);
  EXPECT_EQ(test::over_ranks(context, received, MPI_MAX), words.busiest);
}

// A schedule with a name, or taking words out of each other's memory: on native layouts, to which the
// matrices are copied. Only the larger one of two contexts side by side makes windows: see Transport.
void pick_native(Random& random, int ranks, PlanOptions& options) {
  const std::vector<std::string_view>& names = algorithm_names();
  options.transport = ranks >= 8 && random() % 2 == 0 ? Transport::one_sided : Transport::two_sided;
  if (options.transport == Transport::two_sided)  // auto would look at the matrices where they are
    options.algorithm = names[1 + random() % (names.size() - 1)];
  options.lookahead = static_cast<int>(random() % 3);
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
  options.planning.overlap = random() % 2 == 0;
  const bool native = random() % 4 == 0;
  if (native)
    pick_native(random, context.size(), options.planning);
  else
    options.planning.memory_bytes = pick_limit(random, context, c);
  if (!native && random() % 4 == 0) options.plan = c.plan(context.size(), options.planning);
  context.trim();  // else a lease may be longer than asked for
  // Faces are leased from the engine's pool, pieces under way from the communicator's.
  const Pool& faces = context.state().engine().pool();
  Pool& pool = context.state().comm().pool();
  pool.restart_peak();
  const MultiplyReport report = multiply(alpha, p.op_a, a, p.op_b, b, beta, result, options);

  ASSERT_EQ(report.plan.is_placed(), !native);
  if (native) {
    const Plan& plan = report.plan;
    SCOPED_TRACE(plan.describe());
    ++seen.native;
    test::expect_product<T>(p, alpha, beta, result, {plan.grid()[2], plan.rounds().count});
    for (const test::Guarded<T>& g : guarded) g.expect_guards();
    return;
  }
  const Plan& plan = report.plan;
  SCOPED_TRACE(plan.describe());
  EXPECT_LE(part_bytes(c, rank) + faces.kept_bytes() + pool.leased().peak, plan.memory_bytes());
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
  EXPECT_GE(seen.limited, cases / 3);
  EXPECT_GE(seen.native, cases / 10);
  EXPECT_GE(seen.in_rounds, cases / 10);
  EXPECT_GE(seen.in_place, cases / 20);
}

// Fewer on MPICH, which is several times slower where ranks outnumber the cores.
int trials_a_context() { return comm::mpi_library().version.starts_with("MPICH") ? 40 : 200; }

// 3,200 in all: on 1 to 16 ranks, two contexts side by side.
class ApiRandomProducts : public ApiPlaced, public testing::WithParamInterface<int> {};

TEST_P(ApiRandomProducts, InRandomLayouts) {
  const int ranks = GetParam();
  const std::vector<int> sizes =
      ranks == 16 || ranks == 8 ? std::vector{ranks} : std::vector{ranks, 16 - ranks};
  test::on_parts(test::world(), sizes, [](comm::CommView c) {
    test::with_context(
        c, [](const Context& context) { random_products(context, test::trials(trials_a_context())); });
  });
}
INSTANTIATE_TEST_SUITE_P(Ranks, ApiRandomProducts, testing::Range(8, 17));

BlockCyclic dealt(int rows, int columns, Index block) {
  return {.process_rows = rows, .process_columns = columns, .mb = block, .nb = block};
}

// Block-cyclic matrices as programs have them: C does not move, the others are gathered along rows and
// columns of the process grid, once.
TEST_F(ApiPlaced, AFlatProductLeavesCWhereItIs) {
  test::on_context(16, [](const Context& context) {
    const Index m = 128, k = 16;
    const auto made = [&](Index rows, Index columns) {
      return Matrix<double>(context, Layout::block_cyclic(rows, columns, dealt(4, 4, 4)));
    };
    Matrix<double> a = made(m, k), b = made(k, m), c = made(m, m);
    fill(a, 1);
    fill(b, 2);
    fill(c, 3);
    MultiplyOptions options;
    options.planning.objective = Objective::words;
    const MultiplyReport report = multiply(1, Op::none, a, Op::none, b, 2, c, options);
    test::expect_product<double>({.m = m, .n = m, .k = k}, 1, 2, c);
    ASSERT_TRUE(report.plan.is_placed());
    EXPECT_TRUE(report.plan.c_stays());
    EXPECT_EQ(report.gathers_and_combines.words_received, 2 * 3 * m * k / 16);
    EXPECT_EQ(report.plan.words().busiest, 2 * 3 * m * k / 16);
  });
}

// One plan for many products: other memory, the same layouts. The same bits as well.
TEST_F(ApiPlaced, APlanIsUsedAgain) {
  test::on_context(6, [](const Context& context) {
    const Layout la = Layout::elemental(30, 41, 2, 3), lb = Layout::block_cyclic(41, 27, dealt(3, 2, 5)),
                 lc = Layout::row_blocks(30, 27, 6);
    MultiplyOptions options;
    options.plan = plan_multiply({.m = 30, .n = 27, .k = 41}, la, lb, lc, 6, {.memory_bytes = 200'000});
    Matrix<double> a(context, la), b(context, lb), c(context, lc), d(context, lc);
    fill(a, 1);
    fill(b, 2);
    for (Matrix<double>* x : {&c, &d}) {
      const MultiplyReport report = multiply(a, b, *x, options);
      EXPECT_EQ(&report.plan.state(), &options.plan->state());
      EXPECT_EQ(report.explain(), options.plan->explain());
    }
    test::expect_product<double>({.m = 30, .n = 27, .k = 41}, 1, 0, c);
    EXPECT_TRUE(std::ranges::equal(c.local(), d.local()));
    EXPECT_EQ(context.state().plans_kept(), 0u);
  });
}

// A, B and C in one array, as a blocked factorisation has them.
TEST_F(ApiPlaced, PartsOfOneAllocation) {
  test::on_context(6, [](const Context& context) {
    const Index n = 40, left = 7;
    const Layout whole = Layout::block_cyclic(n, n, dealt(2, 3, 4));
    std::vector<double> memory(static_cast<std::size_t>(whole.local_elements(context.rank(), 25)));
    const auto part = [&](Index i, Index j, Index rows, Index columns) {
      return Matrix<double>(context, whole.sub_matrix(i, j, rows, columns), memory, 25);
    };
    Matrix<double> a = part(left, 0, n - left, left), b = part(0, left, left, n - left),
                   c = part(left, left, n - left, n - left);
    fill(a, 1);
    fill(b, 2);
    fill(c, 3);
    const MultiplyReport report = multiply(-1, Op::none, a, Op::none, b, 1, c, {.verify = 1});
    EXPECT_TRUE(report.plan.is_placed());
    test::expect_product<double>({.m = n - left, .n = n - left, .k = left}, -1, 1, c);
    a.for_each([](Index i, Index j, double x) { EXPECT_EQ(x, test::element<double>(1, i, j)); });
  });
}

// Native matrices stay on the fast way, whatever is to be saved; those that mix are planned for as they lie.
TEST_F(ApiPlaced, NativeMatrices) {
  test::on_context(6, [](const Context& context) {
    const Product p{.m = 30, .n = 41, .k = 52};
    auto [a, b, c] =
        make_product<double>(context, p, {.grid = {{3, 1, 2}}, .rounds = Rounds{Dimension::m, 3}});
    fill(a, 1);
    fill(b, 2);
    MultiplyOptions options;
    options.planning.objective = Objective::words;
    const Index needed = multiply(a, b, c, options).plan.memory_bytes();
    options.planning.memory_bytes = needed;
    EXPECT_EQ(multiply(a, b, c, options).plan.grid(), (std::array{3, 1, 2}));
    Matrix<double> own(context, Layout::column_blocks(30, 41, 6));
    EXPECT_TRUE(multiply(a, b, own).plan.is_placed());
    test::expect_product<double>(p, 1, 0, own);
    options.planning.memory_bytes = needed - 1;  // too little for their plan
    test::expect_same_error<MemoryError>(
        context.state().comm(), [&, &a = a, &b = b, &c = c] { multiply(a, b, c, options); },
        "and the least that was found is");
  });
}

// A limit is for what is kept of calls before as well.
TEST_F(ApiPlaced, KeptMemoryGoesWhereALimitNeedsIt) {
  test::on_context(4, [](const Context& context) {
    const auto made = [&](Index rows, Index columns) {
      return Matrix<double>(context, Layout::row_blocks(rows, columns, 4));
    };
    Matrix<double> a = made(300, 300), b = made(300, 300), c = made(300, 300);
    fill(a, 1);
    fill(b, 2);
    multiply(a, b, c);
    EXPECT_GT(test::sum_over_ranks(context, context.state().kept_bytes()), 4 * 300 * 300 * 4);
    MultiplyOptions options;
    options.planning.memory_bytes = 3 * 300 * 75 * 8 + 400'000;
    const MultiplyReport report = multiply(a, b, c, options);
    EXPECT_GT(report.plan.rounds().count, 1);
    EXPECT_LE(context.state().kept_bytes(), 400'000);
    test::expect_product<double>({.m = 300, .n = 300, .k = 300}, 1, 0, c, {16, 300});
  });
}

}  // namespace
}  // namespace cairn
