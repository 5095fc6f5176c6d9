// Random combinations of size, ranks, layers, step, pattern and type: LU, Cholesky and solves. Run on 64 ranks with all
// trials, and in the short run on 16 with a few.
#include <cmath>
#include <random>

#include "comm/collectives.hpp"
#include "factor/matrices.hpp"
#include "factor/residual.hpp"
#include "factor/symmetric_table.hpp"
#include "layout/kinds.hpp"
#include "support/mpi_test.hpp"

namespace cairn::factor {
namespace {

class Sweep : public test::MpiTest {};

struct Combination {
  Index rows, columns, step, row_block;
  int ranks, layers, kind;
  ScalarType type;
  int pattern;  // 0: a grid

  std::string text() const {
    return fmt::format("{} x {}, step {}, rows by {}, {} ranks, {} layers, {}, pattern {}", rows, columns,
                       step, row_block, ranks, layers, kind == 0 ? "LU" : "Cholesky", pattern);
  }
};

Combination draw_combination(std::mt19937& random, int most_ranks) {
  const auto draw = [&](Index least, Index most) {
    return std::uniform_int_distribution<Index>(least, most)(random);
  };
  const auto one_of = [&](const std::vector<Index>& list) {
    return list[static_cast<std::size_t>(draw(0, std::ssize(list) - 1))];
  };
  const std::vector<Index> small{0, 1, 2, 7, 64, 100, 257}, large{1000, 1024, 2048};
  Combination c{};
  c.ranks = static_cast<int>(draw(0, 4) == 0 ? one_of({24, 32, 36, 64}) : draw(1, 17));
  c.ranks = std::min(c.ranks, most_ranks);
  c.layers = static_cast<int>(draw(1, draw(0, 1) == 0 ? std::min(5, c.ranks) : c.ranks));
  c.kind = static_cast<int>(draw(0, 1));
  c.type = static_cast<ScalarType>(draw(0, 3));
  c.pattern = static_cast<int>(draw(0, 2));
  c.row_block = draw(0, 2) == 0 ? draw(2, 64) : 1;
  const bool big = draw(0, 39) == 0;
  c.rows = c.columns = one_of(big ? large : small);
  if (c.kind == 0 && !big && draw(0, 2) == 0) c.columns = one_of(small);
  c.step = one_of({1, 8, 17, 32, 64, 128});
  if (big) c.step = std::max<Index>(c.step, 32);  // steps cost as much as ranks are many
  return c;
}

template <Scalar T>
void check_solution(comm::CommView comm, const layout::MatrixView<const T>& a, std::optional<Triangle> part,
                    const auto& solve, const std::string& text) {
  const Index n = a.layout.rows();
  layout::DistMatrix<T> b(layout::row_blocks(n, 3, comm.size()), comm.rank()), x(b.layout(), comm.rank());
  layout::fill(b.view(), comm.rank(), [](Index i, Index j) { return test::uniform_at<T>(i, j, 9); });
  std::ranges::copy(b.local(), x.local().begin());
  solve(x.view());
  const Residual residual =
      solve_residual<T>(comm, a, part, std::as_const(x).view(), std::as_const(b).view());
  EXPECT_TRUE(residual.verdict.passed) << text << ": " << check::describe(residual.verdict, "A X");
}

void expect_small(const Residual& residual, const std::string& text) {
  EXPECT_TRUE(residual.verdict.passed) << text << ": " << check::describe(residual.verdict);
  EXPECT_LE(residual.relative, 3) << text;
}

template <Scalar T>
void check_lu_of(comm::CommView comm, const Combination& c) {
  const int positions = comm.size() / c.layers;
  const int rows = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(positions))));
  FactorPlan plan;
  plan.lu = std::make_shared<const LuShape>(c.rows, c.columns, c.step,
                                            c.pattern == 0   ? LuPattern::grid(rows, positions / rows)
                                            : c.pattern == 1 ? LuPattern::generalised(positions)
                                                             : LuPattern::rectangles(positions),
                                            c.layers, c.row_block);
  layout::DistMatrix<T> a(layout::row_blocks(c.rows, c.columns, comm.size()), comm.rank());
  layout::fill(a.view(), comm.rank(), [](Index i, Index j) { return test::uniform_at<T>(i, j); });
  FactoredLu<T> factors(comm, plan);
  factors.load(std::as_const(a).view());
  factors.factor();
  EXPECT_EQ(factors.info(), 0) << c.text();
  if (c.rows > 0 && c.columns > 0) {
    expect_small(lu_residual<T>(comm, std::as_const(a).view(), factors), c.text());
  }
  if (c.rows == c.columns && c.rows > 0)
    check_solution<T>(
        comm, std::as_const(a).view(), {},
        [&](const layout::MatrixView<T>& x) { factors.solve(Op::none, x); }, c.text());
}

template <Scalar T>
void check_cholesky_of(comm::CommView comm, const Combination& c) {
  const int positions = comm.size() / c.layers;
  const int side = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(positions))));
  FactorPlan plan;
  plan.cholesky = std::make_shared<const CholeskyShape>(
      c.rows, c.step,
      c.pattern == 0   ? square_grid(side, side)
      : c.pattern == 1 ? symmetric_pattern(positions)
                       : even_symmetric_pattern(positions).value_or(symmetric_pattern(positions)),
      c.layers);
  layout::DistMatrix<T> a(layout::row_blocks(c.rows, c.rows, comm.size()), comm.rank());
  layout::fill(a.view(), comm.rank(), [&](Index i, Index j) { return test::definite_at<T>(i, j, c.rows); });
  FactoredCholesky<T> factor(comm, plan, Triangle::lower);
  factor.load(std::as_const(a).view());
  factor.factor();
  EXPECT_EQ(factor.info(), 0) << c.text();
  if (c.rows == 0) return;
  expect_small(cholesky_residual<T>(comm, std::as_const(a).view(), Triangle::lower, factor), c.text());
  check_solution<T>(
      comm, std::as_const(a).view(), Triangle::lower,
      [&](const layout::MatrixView<T>& x) { factor.solve(x); }, c.text());
}

// The 2,000 of a run on 64 ranks are in parts of 25: a part can be run alone, and is over before a case counts as hanging.
void check_combinations(int part) {
  std::mt19937 random(static_cast<unsigned>(19 + part));
  const int all = test::world().size() >= 64 ? 25 : 160;
  for (int i = 0; i < test::trials(all); ++i) {
    const Combination c = draw_combination(random, test::world().size());
    test::on_ranks(c.ranks, [&](comm::CommView comm) {
      dispatch(c.type, [&]<class T>() {
        if (c.kind == 0)
          check_lu_of<T>(comm, c);
        else
          check_cholesky_of<T>(comm, c);
      });
    });
  }
}

TEST_F(Sweep, RandomCombinations) { check_combinations(0); }
class SweepPart : public Sweep, public ::testing::WithParamInterface<int> {};
TEST_P(SweepPart, RandomCombinations) {
  if (test::world().size() < 64 || !test::all_trials_wanted()) GTEST_SKIP() << "with all trials, on 64 ranks";
  check_combinations(GetParam());
}
INSTANTIATE_TEST_SUITE_P(OfEighty, SweepPart, ::testing::Range(1, 80));

// ---- stability ---------------------------------------------------------------------------------------------
using Element = std::function<double(Index, Index)>;

// (I - 2 u u^T) D (I - 2 w w^T) with D from 1 down to 1 / condition, |u| = |w| = 1.
Element conditioned(Index n, double condition) {
  const double size = 1 / std::sqrt(static_cast<double>(n));
  const auto d = [=](Index i) {
    return std::pow(condition, -static_cast<double>(i) / static_cast<double>(n - 1));
  };
  const auto w = [=](Index i) { return i % 2 == 0 ? size : -size; };
  double middle = 0;
  for (Index i = 0; i < n; ++i) middle += size * d(i) * w(i);
  return [=](Index i, Index j) {
    return (i == j ? d(i) : 0) - 2 * size * size * d(j) - 2 * d(i) * w(i) * w(j) + 4 * size * middle * w(j);
  };
}

std::vector<std::pair<std::string, Element>> hard_matrices(Index n) {
  const auto growing = [n](double c) {
    return [=](Index i, Index j) { return i == j || j == n - 1 ? 1.0 : i > j ? -c : 0.0; };
  };
  return {{"uniform", [](Index i, Index j) { return test::uniform_at<double>(i, j); }},
          {"Hilbert", [](Index i, Index j) { return 1.0 / static_cast<double>(i + j + 1); }},
          {"gfpp 0.02", growing(0.02)},
          {"gfpp 0.05", growing(0.05)},
          {"condition 1e14", conditioned(n, 1e14)},
          {"graded",
           [](Index i, Index j) {
             return test::uniform_at<double>(i, j) * std::pow(10.0, -0.1 * static_cast<double>(i));
           }},
          {"Wilkinson's, slower", growing(0.3)}};
}

double backward_error_of(comm::CommView comm, Index n, Index step, const Element& a, PivotChoice pivoting) {
  FactorPlan plan;
  plan.lu = std::make_shared<const LuShape>(n, n, step, LuPattern::generalised(comm.size()), 1);
  layout::DistMatrix<double> m(layout::row_blocks(n, n, comm.size()), comm.rank()),
      b(layout::row_blocks(n, 4, comm.size()), comm.rank()), x(b.layout(), comm.rank());
  layout::fill(m.view(), comm.rank(), a);
  layout::fill(b.view(), comm.rank(), [](Index i, Index j) { return test::uniform_at<double>(i, j, 3); });
  std::ranges::copy(b.local(), x.local().begin());
  FactoredLu<double> factors(comm, plan);
  factors.load(std::as_const(m).view());
  factors.factor(pivoting);
  factors.solve(Op::none, x.view());
  return solve_residual<double>(comm, std::as_const(m).view(), {}, std::as_const(x).view(),
                                std::as_const(b).view())
      .relative;
}

TEST_F(Sweep, TournamentsAreAsStableAsPartialPivoting) {
  const Index n = 120;
  for (const int ranks : {2, 5, 8, 16})
    test::on_ranks(ranks, [&](comm::CommView comm) {
      for (const auto& [name, a] : hard_matrices(n))
        for (const Index step : {8, 32}) {
          const double ours = backward_error_of(comm, n, step, a, PivotChoice::tournament),
                       theirs = backward_error_of(comm, n, step, a, PivotChoice::partial);
          EXPECT_LE(ours, 4 * std::max(1.0, theirs))
              << name << ", " << comm.size() << " ranks, step " << step;
        }
    });
}

// ---- memory ------------------------------------------------------------------------------------------------
TEST_F(Sweep, MemoryLimitsAreHonoured) {
  const FactorProblem lu{Kind::lu, 400, 400, ScalarType::f64},
      cholesky{Kind::cholesky, 400, 400, ScalarType::f64};
  for (const FactorProblem& p : {lu, cholesky}) {
    const Index most = plan_factor(p, 16, {.goal = Goal::words}).best.memory_bytes;
    Index least = 0;
    try {
      plan_factor(p, 16, {.goal = Goal::words, .memory_bytes = 1});
      ADD_FAILURE() << "one byte was enough";
    } catch (const MemoryError& e) {
      const std::string text = e.what();
      least = std::stoll(text.substr(text.find("needs ") + 6));
    }
    EXPECT_THROW(plan_factor(p, 16, {.goal = Goal::words, .memory_bytes = least - 1}), MemoryError);
    for (int i = 0; i < 6; ++i) {
      const Index limit = least + (most - least) * i / 5;
      const FactorPlan plan = plan_factor(p, 16, {.goal = Goal::words, .memory_bytes = limit});
      EXPECT_LE(plan.best.memory_bytes, limit);
      test::on_ranks(16, [&](comm::CommView comm) {
        Index held = 0;
        double residual = 0;
        if (p.kind == Kind::lu) {
          held = lu_bytes<double>(*plan.lu, comm.rank());
          layout::DistMatrix<double> a(lu_layout(*plan.lu), comm.rank());
          layout::fill(a.view(), comm.rank(),
                       [](Index row, Index column) { return test::uniform_at<double>(row, column); });
          FactoredLu<double> factors(comm, plan);
          factors.load(std::as_const(a).view());
          factors.factor();
          residual = lu_residual<double>(comm, std::as_const(a).view(), factors).relative;
        } else {
          held = cholesky_bytes<double>(*plan.cholesky, comm.rank());
          layout::DistMatrix<double> a(cholesky_layout(*plan.cholesky), comm.rank());
          layout::fill(a.view(), comm.rank(), [&](Index row, Index column) {
            return test::definite_at<double>(row, column, p.rows);
          });
          FactoredCholesky<double> factor(comm, plan, Triangle::lower);
          factor.load(std::as_const(a).view());
          factor.factor();
          residual =
              cholesky_residual<double>(comm, std::as_const(a).view(), Triangle::lower, factor).relative;
        }
        EXPECT_LE(held, limit) << "rank " << comm.rank();
        EXPECT_LE(residual, 3) << "limit " << limit;
      });
    }
  }
}

// ---- bad matrices ------------------------------------------------------------------------------------------
// The first element by columns that is no number, by its global position; in a triangle only where it is read.
TEST_F(Sweep, WhatIsNoNumberIsNamed) {
  for (const int ranks : {1, 5, 16})
    test::on_ranks(ranks, [&](comm::CommView comm) {
      layout::DistMatrix<double> a(layout::block_cyclic(33, 33, {comm.size(), 1, 4, 4}), comm.rank());
      for (const double bad : {static_cast<double>(INFINITY), -static_cast<double>(INFINITY), std::nan("")}) {
        layout::fill(a.view(), comm.rank(), [&](Index i, Index j) {
          return (i == 3 && j == 20) || (i == 31 && j == 30) ? bad : 1.0;
        });
        const auto view = std::as_const(a).view();
        test::expect_same_error<ArgumentError>(
            comm, [&] { require_finite<double>(comm, view, {}); }, "element (3, 20) of A is not finite");
        test::expect_same_error<ArgumentError>(
            comm, [&] { require_finite<double>(comm, view, Triangle::lower); },
            "element (31, 30) of A is not finite");
      }
    });
}

// ---- where A lies ------------------------------------------------------------------------------------------
// What moving A in is said to cost is what moves; where the plan stays, nothing does.
Index check_moving(comm::CommView comm, Kind kind, Index n, const layout::Layout& from, Goal goal) {
  const FactorPlan plan =
      plan_factor({kind, n, n, ScalarType::f64}, comm.size(), {.goal = goal, .from = from});
  layout::DistMatrix<double> a(from, comm.rank());
  layout::fill(a.view(), comm.rank(), [&](Index i, Index j) { return test::definite_at<double>(i, j, n); });
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  double residual = 0;
  Index words = 0;
  if (kind == Kind::lu) {
    FactoredLu<double> factors(comm, plan);
    factors.load(std::as_const(a).view());
    words = (comm.traffic().snapshot() - before).within("redistribute").sent.words;
    factors.factor();
    residual = lu_residual<double>(comm, std::as_const(a).view(), factors).relative;
  } else {
    FactoredCholesky<double> factor(comm, plan, Triangle::lower);
    factor.load(std::as_const(a).view());
    words = (comm.traffic().snapshot() - before).within("redistribute").sent.words;
    factor.factor();
    residual = cholesky_residual<double>(comm, std::as_const(a).view(), Triangle::lower, factor).relative;
  }
  EXPECT_LE(residual, 3) << from.text();
  const Index all = comm::allreduce(comm, words, comm::ReduceOp::sum);
  EXPECT_EQ(all, plan.best.in.total_words) << from.text();
  return all;
}

TEST_F(Sweep, MovingInIsPlanned) {
  for (const Kind kind : {Kind::lu, Kind::cholesky})
    for (const Goal goal : {Goal::words, Goal::time}) {
      test::on_ranks(4, [&](comm::CommView comm) {
        const layout::BlockCyclic columns_first{2, 2, 16, 16},
            rows_first{2, 2, 16, 16, 0, 0, layout::MeshOrder::row_major};
        // A symmetric pattern saves Cholesky more words than moving there costs.
        for (const layout::BlockCyclic& grid : {columns_first, rows_first}) {
          const Index words =
              check_moving(comm, kind, 150, layout::block_cyclic(150, 150, grid), Goal::words);
          EXPECT_EQ(words == 0, kind == Kind::lu) << words;
        }
        check_moving(comm, kind, 150, layout::block_cyclic(150, 150, {2, 2, 16, 8, 1, 0}), goal);
        EXPECT_GT(check_moving(comm, kind, 150, layout::row_blocks(150, 150, 4), goal), 0);
      });
      test::on_ranks(6, [&](comm::CommView comm) {
        check_moving(comm, kind, 131, layout::block_cyclic(131, 131, {3, 2, 8, 8}), goal);
        check_moving(comm, kind, 40, layout::on_one_rank(40, 40, 3), goal);
      });
    }
}

}  // namespace
}  // namespace cairn::factor
