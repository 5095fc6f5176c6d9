#include "factor/lu.hpp"

#include <random>

#include "base/lapack.hpp"
#include "factor/lu_count.hpp"
#include "factor/matrices.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"
#include "support/mpi_test.hpp"

namespace cairn::factor {
namespace {

class Lu : public test::MpiTest {};

// max |P A - L U| over max(m, n) max |A| roundoff and the growth, of factors that lie whole on one rank.
template <Scalar T, class F>
double lu_error(const std::vector<T>& f, Index m, Index n, const std::vector<Index>& order, F&& a) {
  double worst = 0, largest = 1;
  const auto at = [&](Index i, Index j) {
    return std::complex<double>(f[static_cast<std::size_t>(i + j * m)]);
  };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      std::complex<double> sum = i <= j ? at(i, j) : 0;
      for (Index k = 0; k < std::min(i, j + 1); ++k) sum += at(i, k) * at(k, j);
      if (i <= j) largest = std::max(largest, std::abs(at(i, j)));
      worst = std::max(worst, std::abs(sum - std::complex<double>(a(order[static_cast<std::size_t>(i)], j))));
    }
  return worst / (largest * static_cast<double>(std::max(m, n) + 1) * ScalarTraits<T>::roundoff);
}

template <Scalar T, class F>
LuResult<T> run_and_check_lu(comm::CommView comm, const LuShape& wanted, F&& a,
                             PivotChoice pivoting = PivotChoice::tournament) {
  const auto shape = std::make_shared<const LuShape>(wanted);
  const Index m = shape->rows(), n = shape->columns();
  LuTiles<T> tiles(shape, comm.rank());
  layout::fill(tiles.view(), comm.rank(), a);
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  const LuResult<T> result = run_lu(comm, tiles, pivoting);
  const comm::Counters moved = (comm.traffic().snapshot() - before).within("lu");
  if (comm.rank() < shape->ranks()) {
    const RankWords counted = count_lu(*shape, result.order, pivoting);
    EXPECT_EQ(moved.sent.words, counted[comm.rank()].sent.words) << shape->text() << ' ' << m << " x " << n;
    EXPECT_EQ(moved.received.words, counted[comm.rank()].received.words) << shape->text();
    EXPECT_EQ(moved.sent.messages, counted[comm.rank()].sent.messages) << shape->text();
  }
  collect_layers(comm, tiles, result);
  const layout::DistMatrix<T> factors = pivoted(tiles, result, comm.rank());
  const std::vector<T> whole = layout::gather_to<T>(comm, factors.view(), 0);
  if (comm.rank() == 0) {
    EXPECT_LE(lu_error(whole, m, n, result.order, a), 3) << shape->text() << ' ' << m << " x " << n;
  }
  return result;
}

template <Scalar T>
void check_uniform(comm::CommView comm, const LuShape& shape) {
  const LuResult<T> r =
      run_and_check_lu<T>(comm, shape, [](Index i, Index j) { return test::uniform_at<T>(i, j); });
  EXPECT_EQ(r.info, 0);
}

TEST_F(Lu, EveryNumberOfRanksOnItsPattern) {
  test::for_each_size([](comm::CommView comm) {
    const LuPattern pattern = LuPattern::generalised(comm.size());
    for (const Index n : {0, 1, 2, 7, 64, 100}) check_uniform<double>(comm, {n, n, 8, pattern, 1});
    check_uniform<double>(comm, {97, 97, 1, pattern, 1});
    check_uniform<std::complex<double>>(comm, {97, 60, 17, pattern, 1});
    check_uniform<std::complex<float>>(comm, {40, 90, 16, pattern, 1});
    check_uniform<float>(comm, {130, 130, 200, pattern, 1});
  });
}

TEST_F(Lu, GridsAndLayers) {
  test::for_each_size([](comm::CommView comm) {
    for (int layers = 1; layers <= comm.size(); ++layers) {
      const int positions = comm.size() / layers;
      check_uniform<double>(comm, {75, 75, 4, LuPattern::generalised(positions), layers});
      for (int rows = 1; rows <= positions; ++rows)
        if (positions % rows == 0 && layers <= 3)
          check_uniform<std::complex<double>>(comm,
                                              {50, 61, 8, LuPattern::grid(rows, positions / rows), layers});
    }
  });
}

TEST_F(Lu, WithoutPivotingRowsStay) {
  test::for_each_size([](comm::CommView comm) {
    const auto dominant = [](Index i, Index j) { return test::definite_at<double>(i, j, 60); };
    const LuResult<double> r = run_and_check_lu<double>(
        comm, {60, 60, 7, LuPattern::generalised(comm.size()), 1}, dominant, PivotChoice::none);
    for (Index i = 0; i < 60; ++i) EXPECT_EQ(r.order[static_cast<std::size_t>(i)], i);
  });
}

TEST_F(Lu, SingularMatricesSayWhere) {
  test::for_each_size([](comm::CommView comm) {
    // Column 20 is twice column 3 (exactly, in binary); U(20, 20) is the first zero.
    const auto a = [](Index i, Index j) {
      return j == 20 ? 2 * test::uniform_at<double>(i, 3) : test::uniform_at<double>(i, j);
    };
    const LuPattern pattern = LuPattern::generalised(comm.size());
    run_and_check_lu<double>(comm, {40, 40, 8, pattern, 1}, a);
    const auto zero = [](Index, Index) { return 0.0; };
    EXPECT_EQ(run_and_check_lu<double>(comm, {30, 30, 8, pattern, 1}, zero).info, 1);
    const auto zero_column = [](Index i, Index j) { return j == 11 ? 0.0 : test::uniform_at<double>(i, j); };
    EXPECT_EQ(run_and_check_lu<double>(comm, {30, 30, 8, pattern, 1}, zero_column).info, 12);
  });
}

// The pivots of LAPACK, whatever the ranks, widths and layers.
template <Scalar T>
void check_partial(comm::CommView comm, const LuShape& shape) {
  const auto a = [](Index i, Index j) { return test::uniform_at<T>(i, j, 5); };
  const LuResult<T> r = run_and_check_lu<T>(comm, shape, a, PivotChoice::partial);
  const Index m = shape.rows(), n = shape.columns();
  std::vector<T> whole(static_cast<std::size_t>(m * n));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) whole[static_cast<std::size_t>(i + j * m)] = a(i, j);
  std::vector<int> swaps(static_cast<std::size_t>(std::min(m, n)));
  lapack::getrf<T>(m, n, whole.data(), m, swaps);
  const std::vector<Index> wanted = order_of_swaps(m, swaps);
  for (std::size_t i = 0; i < swaps.size(); ++i)
    EXPECT_EQ(r.order[i], wanted[i]) << shape.text() << " row " << i;
}

TEST_F(Lu, PartialPivotsAreThoseOfLapack) {
  test::for_each_size([](comm::CommView comm) {
    check_partial<double>(comm, {70, 70, 9, LuPattern::generalised(comm.size()), 1});
    check_partial<std::complex<double>>(comm, {61, 40, 16, LuPattern::grid(comm.size(), 1), 1});
    if (comm.size() % 2 == 0)
      check_partial<double>(comm, {40, 55, 7, LuPattern::generalised(comm.size() / 2), 2});
    const auto singular = [](Index i, Index j) { return j == 11 ? 0.0 : test::uniform_at<double>(i, j); };
    EXPECT_EQ(run_and_check_lu<double>(comm, {30, 30, 8, LuPattern::grid(comm.size(), 1), 1}, singular,
                                       PivotChoice::partial)
                  .info,
              12);
  });
}

template <Scalar T>
void check_random_lu(comm::CommView comm, std::mt19937& random) {
  const auto draw = [&](Index least, Index most) {
    return std::uniform_int_distribution<Index>(least, most)(random);
  };
  const int layers = static_cast<int>(draw(1, std::min(4, comm.size()))), positions = comm.size() / layers;
  const int rows = static_cast<int>(draw(1, positions));
  const bool grid = draw(0, 1) == 1;  // some ranks stay idle
  const LuPattern pattern = grid              ? LuPattern::grid(rows, positions / rows)
                            : draw(0, 1) == 0 ? LuPattern::rectangles(positions)
                                              : LuPattern::generalised(positions);
  const Index block = draw(0, 2) == 0 ? draw(2, 40) : 1;
  const Index v = std::array<Index, 6>{1, 8, 17, 32, 64, 128}[static_cast<std::size_t>(draw(0, 5))];
  check_uniform<T>(comm, {draw(1, 90), draw(1, 90), v, pattern, layers, block});
}

TEST_F(Lu, RandomShapes) {
  test::for_each_size([](comm::CommView comm) {
    std::mt19937 random(static_cast<unsigned>(comm.size()));
    for (int i = 0; i < test::trials(120); ++i) {
      check_random_lu<double>(comm, random);
      check_random_lu<std::complex<double>>(comm, random);
      if (i % 4 == 0) check_random_lu<float>(comm, random);
      if (i % 4 == 0) check_random_lu<std::complex<float>>(comm, random);
    }
  });
}

// The words follow from the pivots; a Hilbert matrix, one that grows, and a graded one are factored as well as any.
TEST_F(Lu, HardMatrices) {
  test::for_each_size([](comm::CommView comm) {
    const Index n = 64;
    const LuShape shape(n, n, 8, LuPattern::generalised(comm.size()), 1);
    run_and_check_lu<double>(comm, shape,
                             [](Index i, Index j) { return 1.0 / static_cast<double>(i + j + 1); });
    run_and_check_lu<double>(comm, shape, [](Index i, Index j) {
      return i == j || j == 63 ? 1.0 : i > j ? -0.05 : 0.0;
    });
    run_and_check_lu<double>(comm, shape, [](Index i, Index j) {
      return test::uniform_at<double>(i, j) * std::pow(10.0, -0.2 * static_cast<double>(i));
    });
  });
}

}  // namespace
}  // namespace cairn::factor
