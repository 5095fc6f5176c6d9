// Random calls beside ScaLAPACK in the same process: the same pivots, factors and solutions. Skipped where it is not
// installed.
#include "bench/scalapack.hpp"

#include <cmath>
#include <random>

#include "factor/factored.hpp"
#include "factor/matrices.hpp"
#include "layout/kinds.hpp"
#include "support/mpi_test.hpp"

namespace cairn::factor {
namespace {

class BesideScaLapack : public test::MpiTest {};

struct Call {
  int kind;  // 0: pdgetrf, 1: pdpotrf, 2: pdgesv, 3: pdposv
  Index m, n, right_sides;
  layout::BlockCyclic how;
  int ranks() const { return how.process_rows * how.process_columns; }
  bool definite() const { return kind % 2 == 1; }
  std::string text() const {
    return fmt::format("call {}: {} x {}, {} right sides, blocks of {} on {} x {}", kind, m, n, right_sides,
                       how.mb, how.process_rows, how.process_columns);
  }
};

Call draw_call(std::mt19937& random) {
  const auto draw = [&](Index least, Index most) {
    return std::uniform_int_distribution<Index>(least, most)(random);
  };
  Call c{};
  c.kind = static_cast<int>(draw(0, 3));
  c.n = draw(1, 120);
  c.m = c.kind == 0 && draw(0, 1) == 0 ? draw(1, 120) : c.n;
  c.right_sides = draw(1, 20);
  c.how.process_rows = static_cast<int>(draw(1, 4));
  c.how.process_columns = static_cast<int>(draw(1, 4));
  c.how.mb = c.how.nb = draw(1, 40);
  return c;
}

// Far from singular, so that rounding makes little difference to X.
double element_of(const Call& c, Index i, Index j) {
  if (c.definite()) return test::definite_at<double>(i, j, c.n);
  return test::uniform_at<double>(i, j) + (i == j && c.kind == 2 ? 3.0 : 0.0);
}

using Matrix = layout::DistMatrix<double>;

bench::Operand described(const Matrix& m, const layout::BlockCyclic& how, int context) {
  const layout::Layout& l = m.layout();
  return {.data = m.local().data(),
          .matrix = bench::ScaLapack::descriptor(context, l.rows(), l.columns(), how,
                                                 l.least_leading_dimension(m.rank())),
          .i = 0,
          .j = 0};
}

void expect_close(const Matrix& ours, const Matrix& theirs, const Call& c, bool lower_only) {
  double worst = 0;
  std::size_t at = 0;
  std::vector<double> mine;
  layout::for_each_element(ours.view(), ours.rank(), [&](Index i, Index j, const double& x) {
    mine.push_back(lower_only && i < j ? 0 : x);
  });
  layout::for_each_element(theirs.view(), theirs.rank(), [&](Index i, Index j, const double& x) {
    const double y = lower_only && i < j ? 0 : x;
    worst = std::max(worst, std::abs(mine[at++] - y) / std::max(1.0, std::abs(y)));
  });
  EXPECT_LE(worst, 1e-8) << c.text();
}

void compare_lu(comm::CommView comm, const bench::ScaLapack& library, int context, const Call& c, Matrix& a) {
  const FactorPlan plan =
      plan_factor({Kind::lu, c.m, c.n, ScalarType::f64}, comm.size(), {.pivoting = PivotChoice::partial});
  FactoredLu<double> factors(comm, plan);
  factors.load(std::as_const(a).view());
  factors.factor(PivotChoice::partial);
  Matrix both(a.layout(), comm.rank());
  factors.copy_both(both.view());
  std::vector<int> ipiv(static_cast<std::size_t>(c.m + c.how.mb));
  EXPECT_EQ(library.pdgetrf(c.m, c.n, described(a, c.how, context), ipiv), factors.info()) << c.text();
  expect_close(both, a, c, false);
  // ipiv has a number for each local row: that of column 0 of the grid says all.
  const std::vector<Index> swaps = factors.swaps();
  const int row = comm.rank() % c.how.process_rows;
  for (Index g = 0; g < std::ssize(swaps); ++g) {
    const Index block = g / c.how.mb;
    if (block % c.how.process_rows != row) continue;
    const Index local = block / c.how.process_rows * c.how.mb + g % c.how.mb;
    EXPECT_EQ(ipiv[static_cast<std::size_t>(local)] - 1, swaps[static_cast<std::size_t>(g)])
        << c.text() << " row " << g;
  }
}

void compare_cholesky(comm::CommView comm, const bench::ScaLapack& library, int context, const Call& c,
                      Matrix& a) {
  FactoredCholesky<double> factor(comm, plan_factor({Kind::cholesky, c.n, c.n, ScalarType::f64}, comm.size()),
                                  Triangle::lower);
  factor.load(std::as_const(a).view());
  factor.factor();
  Matrix l(a.layout(), comm.rank());
  factor.copy_factor(l.view());
  EXPECT_EQ(library.pdpotrf(c.n, described(a, c.how, context)), 0);
  expect_close(l, a, c, true);
}

void compare_solution(comm::CommView comm, const bench::ScaLapack& library, int context, const Call& c,
                      Matrix& a) {
  Matrix b(layout::block_cyclic(c.n, c.right_sides, c.how), comm.rank()), x(b.layout(), comm.rank());
  layout::fill(b.view(), comm.rank(), [](Index i, Index j) { return test::uniform_at<double>(i, j, 7); });
  std::ranges::copy(b.local(), x.local().begin());
  const Kind kind = c.definite() ? Kind::cholesky : Kind::lu;
  const FactorPlan plan = plan_factor({kind, c.n, c.n, ScalarType::f64}, comm.size());
  std::vector<int> ipiv(static_cast<std::size_t>(c.n + c.how.mb));
  if (c.definite()) {
    FactoredCholesky<double> factor(comm, plan, Triangle::lower);
    factor.load(std::as_const(a).view());
    factor.factor();
    factor.solve(x.view());
    EXPECT_EQ(library.pdposv(c.n, c.right_sides, described(a, c.how, context), described(b, c.how, context)),
              0);
  } else {
    FactoredLu<double> factors(comm, plan);
    factors.load(std::as_const(a).view());
    factors.factor();
    factors.solve(Op::none, x.view());
    EXPECT_EQ(
        library.pdgesv(c.n, c.right_sides, described(a, c.how, context), ipiv, described(b, c.how, context)),
        0);
  }
  expect_close(x, b, c, false);
}

TEST_F(BesideScaLapack, RandomCallsGiveTheSame) {
  std::optional<bench::ScaLapack> library;
  try {
    library.emplace();
  } catch (const IoError& e) {
    GTEST_SKIP() << e.what();
  }
  std::mt19937 random(300);
  for (int i = 0; i < test::trials(300); ++i) {
    const Call c = draw_call(random);
    if (c.ranks() > test::world().size()) continue;
    const int context = library->grid(c.how.process_rows, c.how.process_columns);
    test::on_ranks(c.ranks(), [&](comm::CommView comm) {
      Matrix a(layout::block_cyclic(c.m, c.n, c.how), comm.rank());
      layout::fill(a.view(), comm.rank(),
                   [&](Index row, Index column) { return element_of(c, row, column); });
      if (c.kind == 0)
        compare_lu(comm, *library, context, c, a);
      else if (c.kind == 1)
        compare_cholesky(comm, *library, context, c, a);
      else
        compare_solution(comm, *library, context, c, a);
    });
    library->release(context);
  }
}

}  // namespace
}  // namespace cairn::factor
