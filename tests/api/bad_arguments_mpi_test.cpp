// Every mistake a user can make is the same clear error on every rank, and the context works on afterwards.
#include <mpi.h>

#include <limits>

#include "api/layout_state.hpp"
#include "cairn/cairn.hpp"
#include "support/mpi_test.hpp"

namespace cairn {
namespace {

class ApiErrors : public test::MpiTest {};

struct World {
  comm::CommView comm;
  Context context{comm.handle(), {.watchdog_seconds = 60}};
  bool wrong = comm.rank() == comm.size() - 1;  // one rank, the last, gets it wrong

  Matrix<double> matrix(Index rows, Index columns) const {
    return {context, Layout::row_blocks(rows, columns, context.size())};
  }
  template <class E = ArgumentError>
  void expect(const std::function<void()>& call, const std::string& part) const {
    test::expect_same_error<E>(comm, call, part);
    Matrix<double> a = matrix(3, 3), b = matrix(3, 3), c = matrix(3, 3);
    a.fill([](Index i, Index j) { return i == j ? 2.0 : 0.0; });
    b.fill([](Index i, Index j) { return static_cast<double>(i + j); });
    multiply(a, b, c);
    EXPECT_EQ(c.at(2, 1), 6.0);
  }
};

void on_worlds(const std::function<void(const World&)>& body) {
  for (const int size : {1, 5}) test::on_ranks(size, [&](comm::CommView c) { body(World{c}); });
}

TEST_F(ApiErrors, SizesThatDoNotMatch) {
  on_worlds([](const World& w) {
    Matrix<double> a = w.matrix(4, 5), b = w.matrix(6, 7), c = w.matrix(4, 7), d = w.matrix(5, 7);
    w.expect([&] { multiply(a, b, c); },
             "multiply: rank 0: A is 4 x 5 and B is 6 x 7: expected as many rows of the second as columns");
    w.expect([&] { multiply(1, Op::transpose, a, Op::none, b, 0, c); }, "op(A) is 5 x 4 and B is 6 x 7");
    w.expect([&] { multiply(a, d, b); }, "C is 6 x 7, expected 4 x 7");
    w.expect([&] { verify(1, Op::none, a, Op::none, b, c); }, "verify: rank 0: A is 4 x 5 and B is 6 x 7");
  });
}

TEST_F(ApiErrors, SizesThatDifferBetweenRanks) {
  on_worlds([](const World& w) {
    if (w.comm.size() == 1) return;
    w.expect([&] { Matrix<double>(w.context, Layout::row_blocks(w.wrong ? 4 : 3, 2, 2)); },
             "matrix: rows is 4 on rank 4 and 3 on rank 0");
    w.expect(
        [&] {
          Matrix<double>(w.context, w.wrong ? Layout::row_blocks(4, 4, 2) : Layout::blocked(4, 4, 2, 2));
        },
        "matrix: layout is [");
    w.expect([&] { make_product<double>(w.context, 3, w.wrong ? 5 : 4, 6); },
             "make_product: n is 5 on rank 4");
  });
}

TEST_F(ApiErrors, ArgumentsThatDifferBetweenRanks) {
  on_worlds([](const World& w) {
    if (w.comm.size() == 1) return;
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4);
    w.expect([&] { multiply(w.wrong ? 2 : 1, Op::none, a, Op::none, b, 0, c); },
             "multiply: alpha is 1 on rank 0 and 2 on rank 4, expected the same on every rank");
    w.expect([&] { multiply(1, w.wrong ? Op::transpose : Op::none, a, Op::none, b, 0, c); },
             "multiply: op of A is none on rank 0 and transpose on rank 4, expected the same on every rank");
    w.expect([&] { multiply(a, b, c, {.verify = w.wrong ? 2 : 0}); },
             "multiply: verify is 0 on rank 0 and 2 on rank 4, expected the same on every rank");
    MultiplyOptions options;
    if (w.wrong) options.planning.algorithm = "cannon";
    w.expect([&] { multiply(a, b, c, options); },
             "multiply: algorithm is auto on rank 0 and cannon on rank 4");
    options = {};
    options.plan = plan_multiply({.m = 4, .n = 4, .k = 4}, w.wrong ? 2 : 1);
    w.expect([&] { multiply(a, b, c, options); }, "on rank 4, expected the same on every rank");
    w.expect(
        [&] { make_product<double>(w.context, {.m = 4, .n = 4, .k = 4}, {.lookahead = w.wrong ? 1 : 0}); },
        "make_product: lookahead is 0 on rank 0 and 1 on rank 4");
    w.expect(
        [&] {
          make_product<double>(w.context, {.m = 4, .n = 4, .k = 4, .op_b = w.wrong ? Op::adjoint : Op::none});
        },
        "make_product: op of B is 2 on rank 4 and 0 on rank 0");
    w.expect([&] { verify(w.wrong ? 3 : 1, Op::none, a, Op::none, b, c); },
             "verify: alpha is 1 on rank 0 and 3 on rank 4");
    w.expect([&] { w.matrix(4, 4).at(w.wrong ? 1 : 0, 0); }, "at: row is 1 on rank 4 and 0 on rank 0");
    w.expect([&] { w.matrix(4, 4).gather(w.wrong ? 1 : 0); }, "gather: root is 1 on rank 4 and 0 on rank 0");
    w.expect([&] { redistribute(w.wrong ? 3 : 1, Op::none, a, 0, b); },
             "redistribute: alpha is 1 on rank 0 and 3 on rank 4");
  });
}

TEST_F(ApiErrors, TypesAndCallsThatDifferBetweenRanks) {
  on_worlds([](const World& w) {
    if (w.comm.size() == 1) return;
    const Layout one = Layout::on_one_rank(4, 4, 0);
    w.expect([&] { w.wrong ? void(Matrix<float>(w.context, one)) : void(Matrix<double>(w.context, one)); },
             "matrix: scalar type is 1 on rank 0 and 0 on rank 4");
    Matrix<double> a(w.context, one), b(w.context, one), c(w.context, one);
    w.expect([&] { w.wrong ? void(c.at(0, 0)) : void(multiply(a, b, c)); },
             "ranks 0 and 4 are in different operations");
  });
}

// What one rank does differently is its own business where it changes no result.
TEST_F(ApiErrors, ThreadsMayDiffer) {
  on_worlds([](const World& w) {
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4);
    multiply(a, b, c, {.threads = w.wrong ? 2 : 1});
  });
}

TEST_F(ApiErrors, GridLargerThanTheContext) {
  on_worlds([](const World& w) {
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4);
    MultiplyOptions options;
    options.planning.grid = {2, 2, 2};
    const std::string most = std::to_string(w.comm.size());
    w.expect([&] { multiply(a, b, c, options); },
             "multiply: rank 0: the grid [2, 2, 2] has 8 ranks, expected at most " + most);
    options.planning.grid = {1, 0, 1};
    w.expect([&] { multiply(a, b, c, options); }, "the grid is [1, 0, 1], expected 1 or more parts of n");
    w.expect(
        [&] {
          make_product<double>(w.context, {.m = 4, .n = 4, .k = 4}, {.grid = {{9, 1, 1}}});
        },
        "make_product: rank 0: the grid [9, 1, 1] has 9 ranks");
  });
}

TEST_F(ApiErrors, UnknownAlgorithmAndOptionsThatCannotBe) {
  on_worlds([](const World& w) {
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4);
    const auto with = [&](const PlanOptions& planning, const std::string& part) {
      MultiplyOptions options;
      options.planning = planning;
      w.expect([&] { multiply(a, b, c, options); }, part);
    };
    with({.algorithm = "magic"}, "algorithm is 'magic', expected one of auto, cosma, tree, summa2d-a");
    with({.algorithm = "cannon", .grid = {{1, 1, 1}}}, "grid [1, 1, 1] and algorithm 'cannon' are given");
    with({.rounds = Rounds{Dimension::k, 0}}, "0 rounds along k, expected 1 to 4");
    with({.rounds = Rounds{Dimension::n, 5}}, "5 rounds along n, expected 1 to 4");
    with({.algorithm = "2.5d", .layers = 99}, "layers is 99");
    with({.layers = 1}, "layers is 1 and algorithm 'auto'");
    with({.work_limit = 0.5}, "work limit is 0.5, expected 1 or more");
    with({.lookahead = -1}, "lookahead is -1, expected 0 or more");
    with({.candidates = 0}, "candidates is 0, expected 1 or more");
    with({.machine = {.beta = -1}}, "beta of the machine is -1 seconds");
    w.expect([&] { multiply(a, b, c, {.threads = -1}); }, "threads is -1, expected 0 or more");
    w.expect([&] { multiply(a, b, c, {.verify = -1}); }, "rounds of verification is -1, expected 0 or more");
    w.expect([&] { verify(1, Op::none, a, Op::none, b, c, 0); },
             "rounds of the check is 0, expected 1 to 1000");
  });
}

TEST_F(ApiErrors, MemoryLimits) {
  on_worlds([](const World& w) {
    Matrix<double> a = w.matrix(40, 40), b = w.matrix(40, 40), c = w.matrix(40, 40);
    MultiplyOptions options;
    options.planning.memory_bytes = 100;
    w.expect<MemoryError>([&] { multiply(a, b, c, options); },
                          "memory is 100 bytes per rank, and the least that was found is");
    options.planning.algorithm = "cannon";
    w.expect<MemoryError>([&] { multiply(a, b, c, options); },
                          "memory is 100 bytes per rank, and 40 x 40 x 40");
    options.planning.memory_bytes = -5;
    w.expect([&] { multiply(a, b, c, options); }, "memory is -5 bytes, expected more than 0");
  });
}

TEST_F(ApiErrors, AMatrixThatDoesNotFitIntoMemory) {
  on_worlds([](const World& w) {
    constexpr Index huge = Index{1} << 29;
    w.expect<MemoryError>([&] { Matrix<double>(w.context, Layout::row_blocks(huge, huge, w.comm.size())); },
                          "matrix: rank 0: no memory for");
    w.expect<OverflowError>([&] { make_product<double>(w.context, Index{1} << 40, Index{1} << 40, 4); },
                            "exceeds 64 bits");
    w.expect([&] { make_product<double>(w.context, -1, 4, 4); }, "m is -1, expected 0 or more");
  });
}

TEST_F(ApiErrors, PlansOfOtherProducts) {
  on_worlds([](const World& w) {
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4);
    MultiplyOptions options;
    options.plan = plan_multiply({.m = 4, .n = 4, .k = 5}, 1);
    w.expect([&] { multiply(a, b, c, options); },
             "the plan is for 4 x 4 x 5 double NN on [1, 1, 1], the product is");
    options.plan = plan_multiply({.m = 4, .n = 4, .k = 4, .type = ScalarType::f32}, 1);
    w.expect([&] { multiply(a, b, c, options); }, "the plan is for 4 x 4 x 4 float");
    options.plan = plan_multiply({.m = 4, .n = 4, .k = 4}, 100);
    w.expect([&] { multiply(a, b, c, options); }, "the plan is for 100 ranks, expected at most");
  });
}

TEST_F(ApiErrors, Layouts) {
  on_worlds([](const World& w) {
    const std::string last = std::to_string(w.comm.size() - 1);
    w.expect([&] { Matrix<double>(w.context, Layout::row_blocks(9, 9, w.comm.size() + 1)); },
             "names rank " + std::to_string(w.comm.size()) + ", expected at most " + last);
    w.expect([&] { Matrix<double>(w.context, Layout::row_blocks(-9, 9, 1)); }, "-9");
    w.expect([&] { Matrix<double>(w.context, Layout::parse("elemental 2y3", 4, 4)); }, "2y3");
    std::vector<double> shorter(2);
    w.expect([&] { Matrix<double>(w.context, Layout::on_one_rank(4, 4, 0), shorter); },
             "memory of the matrix has 2 elements on rank 0, expected at least 16");
    w.expect([&] { Matrix<double>(w.context, Layout::on_one_rank(4, 4, 0), shorter, 3); },
             "leading dimension of the matrix is 3 on rank 0, expected at least 4");
    const Plan plan = plan_multiply({.m = 4, .n = 4, .k = 4}, 1);
    w.expect([&] { Matrix<double>(w.context, plan.layout_a(), shorter); },
             "memory of the matrix has 2 elements on rank 0, expected at least 16");
    std::vector<double> long_enough(64);
    w.expect([&] { Matrix<double>(w.context, plan.layout_a(), long_enough, 8); },
             "leading dimension is 8, expected 0: a native layout has its own");
    w.expect([&] { Matrix<double>(w.context, Layout::on_one_rank(4, 4, 0), long_enough, -1); },
             "leading dimension of the matrix is -1, expected 0 or more");
    w.expect([&] { w.matrix(4, 4).at(4, 0); }, "at: rank 0: element (4, 0) of a 4 x 4 matrix");
    w.expect([&] { w.matrix(4, 4).gather(99); }, "gather: rank 0: root is 99, expected 0 <= root < ");
  });
}

TEST_F(ApiErrors, PlansForMatricesInPlace) {
  on_worlds([](const World& w) {
    const int ranks = w.comm.size();
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4);
    const Layout rows = a.layout(), columns = Layout::column_blocks(4, 4, ranks);
    const auto plan = [&](const Product& p, const Layout& of_c, int on) {
      MultiplyOptions options;
      options.plan = plan_multiply(p, rows, rows, of_c, on);
      return options;
    };
    const Product product{.m = 4, .n = 4, .k = 4};
    w.expect([&] { multiply(a, b, c, plan(product, columns, ranks)); },
             "multiply: rank 0: the plan is for C as [");
    w.expect([&] { multiply(a, b, c, plan({.m = 4, .n = 4, .k = 4, .op_a = Op::adjoint}, rows, ranks)); },
             "the plan is for 4 x 4 x 4 double CN on");
    w.expect([&] { multiply(a, b, c, plan(product, rows, ranks + 1)); },
             "expected at most " + std::to_string(ranks));
    if (ranks == 1) return;
    w.expect([&] { multiply(a, b, c, w.wrong ? plan(product, rows, ranks) : MultiplyOptions{}); },
             "multiply: plan is not given on rank 0 and");
    w.expect([&] { multiply(a, b, c, plan(product, w.wrong ? columns : rows, ranks)); },
             "multiply: rank 4: the plan");
  });
}

TEST_F(ApiErrors, LayoutsThatDifferBetweenRanks) {
  on_worlds([](const World& w) {
    if (w.comm.size() == 1) return;
    // Each of them is made by all ranks; which one is multiplied is not the same.
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4),
                   d(w.context, Layout::blocked(4, 4, 2, 2)), e = w.matrix(5, 4);
    w.expect([&] { multiply(w.wrong ? d : a, b, c); }, "multiply: layout of A is");
    w.expect([&] { multiply(a, b, w.wrong ? d : c); }, "multiply: layout of C is");
    w.expect([&] { multiply(w.wrong ? e : a, b, c); }, "multiply: rank 4: C is 4 x 4, expected 5 x 4");
    w.expect([&] { multiply(a, b, c, {.planning = {.memory_bytes = w.wrong ? 1 << 30 : 1 << 29}}); },
             "multiply: memory_bytes is 536870912 on rank 0 and 1073741824 on rank 4");
  });
}

// The same text on all ranks, and C is as it was.
TEST_F(ApiErrors, CIsAsItWasWhereALimitIsImpossible) {
  on_worlds([](const World& w) {
    const int ranks = w.comm.size();
    Matrix<double> a = w.matrix(40, 40), b = w.matrix(40, 40),
                   c(w.context, Layout::elemental(40, 40, ranks, 1));
    c.fill([](Index i, Index j) { return double(i + 100 * j); });
    MultiplyOptions options;
    options.planning.memory_bytes = 20000;
    w.expect<MemoryError>(
        [&] { multiply(1, Op::none, a, Op::none, b, 2, c, options); },
        "multiply: rank 0: memory is 20000 bytes per rank, and the least that was found is ");
    c.for_each([](Index i, Index j, double x) { EXPECT_EQ(x, double(i + 100 * j)); });
  });
}

// On one rank only: the others learn of it.
TEST_F(ApiErrors, MemoryOfOneRank) {
  on_worlds([](const World& w) {
    const int p = w.comm.size();
    const std::string last = std::to_string(p - 1);
    const Layout rows = Layout::row_blocks(5 * p, 4, p);
    std::vector<double> enough(20), shorter(19);
    w.expect([&] { Matrix<double>(w.context, rows, w.wrong ? shorter : enough); },
             "matrix: rank " + last + ": memory of the matrix has 19 elements on rank " + last +
                 ", expected at least 20");
    const std::span<double> null(static_cast<double*>(nullptr), 20);
    w.expect([&] { Matrix<double>(w.context, rows, w.wrong ? null : std::span(enough)); },
             "memory of the matrix is null on rank " + last + ", expected 20 elements");
    const Plan plan = plan_multiply({.m = 4 * p, .n = 5, .k = 4 * p}, p, {.grid = {{p, 1, 1}}});
    w.expect([&] { Matrix<double>(w.context, plan.layout_c(), w.wrong ? null : std::span(enough)); },
             "memory of the matrix is null on rank " + last + ", expected 20 elements");
  });
}

TEST_F(ApiErrors, LayoutsThatCannotBe) {
  const auto expect = [](const std::function<void()>& call, const std::string& part) {
    try {
      call();
      FAIL() << "no error: " << part;
    } catch (const ArgumentError& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  };
  const Layout cyclic = Layout::block_cyclic(10, 12, {.process_rows = 2, .process_columns = 2});
  expect([&] { cyclic.sub_matrix(5, 0, 6, 1); }, "sub-matrix of 6 x 1 from element (5, 0) of a 10 x 12");
  expect([&] { cyclic.sub_matrix(0, -1, 6, 1); }, "expected within it");
  expect([&] { cyclic.sub_matrix(0, 1, 6, std::numeric_limits<Index>::max()); }, "expected within it");
  expect([&] { (void)cyclic.owner(10, 0); }, "element (10, 0) of a 10 x 12 matrix");
  expect([&] { (void)cyclic.local_elements(-1); }, "rank is -1");
  expect([&] { Layout::scalapack(std::array{1, 0, 5}, 1, 1); }, "descriptor has 3 entries, expected 9");
  expect([&] { Layout::scalapack(std::array{2, 0, 5, 5, 2, 2, 0, 0, 5}, 1, 1); }, "descriptor type is 2");
  expect([&] { Layout::scalapack(std::array{1, 0, -5, 5, 2, 2, 0, 0, 5}, 1, 1); }, "-5");
  const Rectangle all{.end_row = 2, .end_column = 3, .leading_dimension = 2};
  expect([&] { Layout::of_rectangles(2, 3, std::array{all, all}); }, "rectangles 0 and 1 overlap");
  expect([&] { Layout::of_rectangles(2, 4, std::array{all}); }, "no rectangle covers element (0, 3)");
}

TEST_F(ApiErrors, Redistributing) {
  on_worlds([](const World& w) {
    Matrix<double> x = w.matrix(4, 5), y = w.matrix(5, 4);
    w.expect([&] { redistribute(1, Op::none, x, 0, y); }, "op(A) is 4 x 5 and B is 5 x 4, expected the same");
    w.expect([&] { redistribute(1, Op::none, x, 0, x); }, "share memory");
    const Context other(w.comm.handle());
    Matrix<double> z(other, Layout::on_one_rank(4, 5, 0));
    w.expect([&] { redistribute(1, Op::none, x, 0, w.wrong ? z : x); }, "different contexts, expected one");
  });
}

TEST_F(ApiErrors, AWatchdogThatCannotBe) {
  on_worlds([](const World& w) {
    w.expect([&] { Context(w.comm.handle(), {.watchdog_seconds = w.wrong ? -1.0 : 60.0}); },
             "context: rank " + std::to_string(w.comm.size() - 1) + ": watchdog is -1 seconds");
  });
}

// Two rectangles of C in one place: the product cannot be right, and verification says so on every rank.
TEST_F(ApiErrors, AResultThatIsWrong) {
  on_worlds([](const World& w) {
    // Both halves of C in one place, which Layout::of_rectangles refuses: one of them overwrites the other.
    const std::array twice{layout::Rectangle{0, 2, 0, 4, {0}, 0, 2},
                           layout::Rectangle{2, 4, 0, 4, {0}, 0, 2}};
    const Layout wrong(
        std::make_shared<const detail::LayoutState>(layout::Layout::of_rectangles(4, 4, twice)));
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c(w.context, wrong);
    for (Matrix<double>* x : {&a, &b}) x->fill([](Index i, Index j) { return double(1 + i + j * j); });
    w.expect<ResultError>([&] { multiply(a, b, c, {.verify = 2}); }, "multiply: row ");
  });
}

// What cannot be checked is not called right: rows of C that are not finite are counted, and where nothing
// else is left that is an error.
TEST_F(ApiErrors, AResultThatIsNotFinite) {
  on_worlds([](const World& w) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4);
    b.fill([](Index i, Index j) { return double(1 + i + j); });
    a.fill([](Index i, Index) { return i == 2 ? nan : 1.0; });
    const Verification found = *multiply(a, b, c, {.verify = 2}).verification;
    EXPECT_TRUE(found.passed);
    EXPECT_EQ(found.unchecked_rows, 1);
    EXPECT_FALSE(found.nothing_checked());
    a.fill([](Index, Index) { return nan; });
    w.expect<ResultError>([&] { multiply(a, b, c, {.verify = 2}); }, "none of the 4 rows");
    EXPECT_TRUE(verify(1, Op::none, a, Op::none, b, c).nothing_checked());
  });
}

TEST_F(ApiErrors, OverlapAndContexts) {
  on_worlds([](const World& w) {
    std::vector<double> memory(16 + 16);
    const Layout one = Layout::on_one_rank(4, 4, 0);
    Matrix<double> a(w.context, one, std::span(memory).first(16)),
        c(w.context, one, std::span(memory).subspan(8)), b(w.context, one);
    w.expect([&] { multiply(a, b, c); }, "C overlaps A, expected memory of its own");
    w.expect([&] { multiply(b, a, c); }, "C overlaps B, expected memory of its own");
    w.expect([&] { multiply(a, b, a); }, "C overlaps A, expected memory of its own");
    const Context other(w.comm.handle());
    Matrix<double> d(other, one);
    w.expect([&] { multiply(a, b, d); }, "A, B and C have different contexts, expected one");
  });
  EXPECT_THROW(Context(MPI_COMM_NULL), ArgumentError);
}

// Parts of one array that have elements in common, on one rank only as well, and those that have none.
TEST_F(ApiErrors, PartsOfOneAllocation) {
  on_worlds([](const World& w) {
    const int p = w.comm.size();
    const Layout whole = Layout::row_blocks(4 * p, 12, p);
    std::vector<double> memory(48);
    const auto part = [&](Index i, Index j, Index rows, Index columns) {
      return Matrix<double>(w.context, whole.sub_matrix(i, j, rows, columns), memory, 12);
    };
    Matrix<double> a = part(0, 0, 4 * p, 4), b(w.context, Layout::on_one_rank(4, 4, 0));
    Matrix<double> apart = part(0, 4, 4 * p, 4), across = part(0, 3, 4 * p, 4);
    multiply(a, b, apart);
    w.expect([&] { multiply(a, b, across); }, "multiply: rank 0: C overlaps A, expected memory of its own");
    // The last row of A, on the last rank, is the first of C.
    Matrix<double> row = part(4 * p - 1, 0, 1, 4), first = part(4 * p - 1, 2, 1, 4),
                   next = part(4 * p - 1, 8, 1, 4);
    w.expect([&] { multiply(row, b, first); },
             "multiply: rank " + std::to_string(p - 1) + ": C overlaps A, expected memory of its own");
    multiply(row, b, next);
  });
}

TEST_F(ApiErrors, ACommunicatorBetweenTwoGroups) {
  const int rank = test::world().rank(), half = test::world().size() / 2;
  MPI_Comm mine = MPI_COMM_NULL, between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank / half, rank, &mine);
  MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, rank < half ? half : 0, 7, &between);
  test::expect_same_error<ArgumentError>(
      test::world(), [&] { Context{between}; }, "communicator is between two groups");
  MPI_Comm_free(&between);
  MPI_Comm_free(&mine);
}

TEST_F(ApiErrors, ValuesThatNoEnumHas) {
  on_worlds([](const World& w) {
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4);
    const auto odd = static_cast<Op>(17);
    w.expect([&] { multiply(1, odd, a, Op::none, b, 0, c); },
             "op of A is Op(17), expected none, transpose or adjoint");
    w.expect([&] { redistribute(1, odd, a, 0, b); }, "op is Op(17)");
    w.expect([&] { plan_multiply({.m = 4, .n = 4, .k = 4, .op_b = odd}, 4); }, "op_b is Op(17)");
    w.expect([&] { multiply(a, b, c, {.planning = {.lookahead = -1}}); },
             "lookahead is -1, expected 0 or more");
    w.expect([&] { multiply(a, b, c, {.planning = {.objective = static_cast<Objective>(9)}}); },
             "objective is Objective(9)");
  });
}

TEST_F(ApiErrors, WhatWasMovedFrom) {
  on_worlds([](const World& w) {
    Matrix<double> a = w.matrix(4, 4), b = w.matrix(4, 4), c = w.matrix(4, 4);
    a.fill([](Index i, Index j) { return static_cast<double>(i + 4 * j); });
    const Matrix<double> moved(std::move(a));
    EXPECT_EQ(moved.at(3, 2), 11.0);
    EXPECT_EQ(a.rows(), 0);  // NOLINT: what was moved from is what this is about
    w.expect([&] { multiply(a, b, c); }, "A is 0 x 0 and B is 4 x 4");
    Layout layout = Layout::row_blocks(4, 4, 1);
    const Layout taken(std::move(layout));
    EXPECT_EQ(layout.rows(), taken.rows());  // NOLINT: as above
    b = w.matrix(2, 3);
    EXPECT_EQ(b.columns(), 3);
  });
}

TEST_F(ApiErrors, RectanglesThatShareMemory) {
  const Rectangle left{.end_row = 4, .end_column = 2, .leading_dimension = 4};
  Rectangle right{.end_row = 4, .first_column = 2, .end_column = 5, .offset = 8, .leading_dimension = 4};
  EXPECT_EQ(Layout::of_rectangles(4, 5, std::array{left, right}).local_elements(0), 20);
  right.offset = 7;
  try {
    Layout::of_rectangles(4, 5, std::array{left, right});
    ADD_FAILURE() << "no error";
  } catch (const ArgumentError& e) {
    EXPECT_NE(std::string(e.what()).find("rectangles 0 and 1 share memory on rank 0"), std::string::npos)
        << e.what();
  }
  right.owner = 1;  // memory of another rank
  EXPECT_EQ(Layout::of_rectangles(4, 5, std::array{left, right}).local_elements(1), 19);
}

TEST_F(ApiErrors, Vectors) {
  on_worlds([](const World& w) {
    Matrix<double> a = w.matrix(4, 6), x = w.matrix(6, 1), y = w.matrix(4, 1);
    w.expect([&] { matvec(1, Op::none, a, y, 0, x); }, "matvec: rank 0: x is 4 x 1, expected 6 x 1 or 1 x 6");
    w.expect([&] { matvec(1, Op::transpose, a, y, 0, y); }, "y is 4 x 1, expected 6 x 1 or 1 x 6");
    w.expect([&] { rank1(1, y, Op::none, x, a); }, "op of x is none, expected transpose or adjoint");
  });
}

}  // namespace
}  // namespace cairn
