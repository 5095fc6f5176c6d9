#include "factor/cholesky.hpp"

#include <random>

#include "comm/agreement.hpp"
#include "factor/cholesky_count.hpp"
#include "factor/matrices.hpp"
#include "factor/symmetric_table.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"
#include "support/mpi_test.hpp"

namespace cairn::factor {
namespace {

class Cholesky : public test::MpiTest {};

// max |A - L L^H| over n max |A| roundoff, of a factor that lies whole on one rank.
template <Scalar T>
double cholesky_error(const std::vector<T>& l, Index n) {
  double worst = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      std::complex<double> sum = 0;
      for (Index k = 0; k <= j; ++k)
        sum += std::complex<double>(l[static_cast<std::size_t>(i + k * n)]) *
               std::conj(std::complex<double>(l[static_cast<std::size_t>(j + k * n)]));
      worst = std::max(worst, std::abs(sum - std::complex<double>(test::definite_at<T>(i, j, n))));
    }
  return n == 0 ? 0 : worst / (2.0 * static_cast<double>(n * n) * ScalarTraits<T>::roundoff);
}

// Factors in some shape, compares words with the count and the factor with A.
template <Scalar T>
void check_cholesky(comm::CommView comm, Index n, Index v, const SymmetricCells& cells, int layers,
                    Triangle triangle) {
  const auto shape = std::make_shared<const CholeskyShape>(n, v, cells, layers);
  CholeskyTiles<T> tiles(shape, comm.rank());
  layout::DistMatrix<T> a(layout::row_blocks(n, n, comm.size()), comm.rank());
  // The other triangle is never read.
  fill(a.view(), comm.rank(), [&](Index i, Index j) {
    return (triangle == Triangle::lower ? i >= j : i <= j) ? test::definite_at<T>(i, j, n) : T(NAN);
  });
  take_triangle<T>(comm, a.view(), triangle, tiles);
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  EXPECT_EQ(run_cholesky(comm, tiles), 0);
  const comm::Counters moved = (comm.traffic().snapshot() - before).within("cholesky");
  if (comm.rank() < shape->ranks()) {
    const RankWords counted = count_cholesky(*shape);
    EXPECT_EQ(moved.sent.words, counted[comm.rank()].sent.words) << shape->text() << " n " << n;
    EXPECT_EQ(moved.received.words, counted[comm.rank()].received.words);
    EXPECT_EQ(moved.sent.messages, counted[comm.rank()].sent.messages);
  }
  layout::DistMatrix<T> l(layout::on_one_rank(n, n, 0), comm.rank());
  std::ranges::fill(l.local(), T(0));
  layout::redistribute<T>(comm, T(1), Op::none, tiles.view(), T(0), l.view());
  if (comm.rank() == 0) {
    const std::vector<T> whole(l.local().begin(), l.local().end());
    EXPECT_LE(cholesky_error(whole, n), 3) << shape->text() << " n " << n;
  }
}

TEST_F(Cholesky, EveryNumberOfRanksOnItsPattern) {
  test::for_each_size([](comm::CommView comm) {
    const SymmetricCells cells = symmetric_pattern(comm.size());
    for (const Index n : {0, 1, 2, 7, 64, 100}) check_cholesky<double>(comm, n, 8, cells, 1, Triangle::lower);
    check_cholesky<double>(comm, 97, 1, cells, 1, Triangle::upper);
    check_cholesky<std::complex<double>>(comm, 97, 17, cells, 1, Triangle::upper);
    check_cholesky<float>(comm, 130, 200, cells, 1, Triangle::lower);
  });
}

// A chunk of several columns of which the last has no rows of some class: of its rows of L nothing has come.
TEST_F(Cholesky, GridsWhoseLastTilesAreNotEverybodys) {
  test::for_each_size([](comm::CommView comm) {
    int rows = 1;
    for (int r = 1; r * r <= comm.size(); ++r) rows = comm.size() % r == 0 ? r : rows;
    const SymmetricCells cells = square_grid(rows, comm.size() / rows);
    constexpr Index v = 2;
    for (const Index more : {1, cells.classes / 2 + 1, cells.classes + 1})
      for (const Index columns_of_chunk : {2, 3})
        check_cholesky<double>(comm, v * (4 * columns_of_chunk * cells.classes + more) - 1, v, cells, 1,
                               Triangle::lower);
  });
}

TEST_F(Cholesky, LayersOfEveryKind) {
  test::for_each_size([](comm::CommView comm) {
    for (int layers = 2; layers <= comm.size(); ++layers) {
      const SymmetricCells cells = symmetric_pattern(comm.size() / layers);
      check_cholesky<double>(comm, 75, 4, cells, layers, Triangle::lower);
      check_cholesky<std::complex<float>>(comm, 61, 8, evened(cells, 2), layers, Triangle::upper);
    }
  });
}

template <Scalar T>
void check_random_cholesky(comm::CommView comm, std::mt19937& random) {
  const auto draw = [&](Index least, Index most) {
    return std::uniform_int_distribution<Index>(least, most)(random);
  };
  const int layers = static_cast<int>(draw(1, std::min(4, comm.size())));
  const SymmetricCells& cells = symmetric_pattern(comm.size() / layers);
  const Index v = std::array<Index, 6>{1, 8, 17, 32, 64, 128}[static_cast<std::size_t>(draw(0, 5))];
  check_cholesky<T>(comm, draw(1, 90), v, draw(0, 1) == 0 ? cells : evened(cells, 2), layers,
                    draw(0, 1) == 0 ? Triangle::lower : Triangle::upper);
}

TEST_F(Cholesky, RandomShapes) {
  test::for_each_size([](comm::CommView comm) {
    std::mt19937 random(static_cast<unsigned>(comm.size()));
    for (int i = 0; i < test::trials(120); ++i) {
      check_random_cholesky<double>(comm, random);
      check_random_cholesky<std::complex<double>>(comm, random);
      if (i % 4 == 0) check_random_cholesky<float>(comm, random);
      if (i % 4 == 0) check_random_cholesky<std::complex<float>>(comm, random);
    }
  });
}

TEST_F(Cholesky, MinorsThatAreNotPositiveSayWhere) {
  test::for_each_size([](comm::CommView comm) {
    const Index n = 40;
    for (const Index bad : {0, 13, 39}) {
      CholeskyTiles<double> tiles(
          std::make_shared<const CholeskyShape>(n, 8, symmetric_pattern(comm.size()), 1), comm.rank());
      layout::fill(tiles.view(), comm.rank(), [&](Index i, Index j) {
        return i == j && i == bad ? -1.0 : test::definite_at<double>(i, j, n);
      });
      EXPECT_EQ(run_cholesky(comm, tiles), bad + 1);
    }
  });
}

}  // namespace
}  // namespace cairn::factor
