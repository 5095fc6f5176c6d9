#include "comm/collectives.hpp"
#include "factor/cholesky.hpp"
#include "factor/matrices.hpp"
#include "factor/symmetric_table.hpp"
#include "factor/triangular.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"
#include "program/count.hpp"
#include "support/mpi_test.hpp"

namespace cairn::factor {
namespace {

class Solve : public test::MpiTest {};

// max |op(A) X - B| over roundoff n (max |A| max |X| n + max |B|); X is gathered on every rank.
template <Scalar T, class F>
double backward_error(comm::CommView comm, const layout::DistMatrix<T>& x, Op op, Index n, Index columns,
                      F&& a) {
  const std::vector<T> whole = layout::gather_to<T>(comm, x.view(), 0);
  double worst = 0, size = 0;
  for (const T& value : whole) size = std::max(size, static_cast<double>(std::abs(value)));
  for (Index j = 0; comm.rank() == 0 && j < columns; ++j)
    for (Index i = 0; i < n; ++i) {
      std::complex<double> sum = -std::complex<double>(test::uniform_at<T>(i, j, 77));
      for (Index k = 0; k < n; ++k) {
        const std::complex<double> element(op == Op::none        ? a(i, k)
                                           : op == Op::transpose ? a(k, i)
                                                                 : conj(a(k, i)));
        sum += element * std::complex<double>(whole[static_cast<std::size_t>(k + j * n)]);
      }
      worst = std::max(worst, std::abs(sum));
    }
  return worst / (ScalarTraits<T>::roundoff * static_cast<double>(n + 1) * (size + 1));
}

template <Scalar T>
void check_lu(comm::CommView comm, Index n, Index columns, Index v, const LuPattern& pattern, int layers,
              Op op) {
  const auto a = [](Index i, Index j) { return test::uniform_at<T>(i, j); };
  LuTiles<T> tiles(std::make_shared<const LuShape>(n, n, v, pattern, layers), comm.rank());
  layout::fill(tiles.view(), comm.rank(), a);
  const LuResult<T> result = run_lu(comm, tiles);
  collect_layers(comm, tiles, result);
  const TriangularSystem<T> system(comm, tiles, result);
  layout::DistMatrix<T> x(layout::row_blocks(n, columns, comm.size()), comm.rank());
  fill(x.view(), comm.rank(), [](Index i, Index j) { return test::uniform_at<T>(i, j, 77); });
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  system.solve_factored(comm, op, x.view());
  const comm::Counters moved = (comm.traffic().snapshot() - before).within("solve");
  Index counted = 0;
  if (columns > 0)
    for (const Triangle triangle : {Triangle::lower, Triangle::upper})
      counted += program::count(compile_solve<T>(system.shape(), {triangle, op, Diagonal::stored, columns},
                                                 comm.rank(), comm.size()))
                     .total()
                     .sent.words;
  EXPECT_EQ(moved.sent.words, counted);
  EXPECT_LE(backward_error(comm, x, op, n, columns, a), 20) << n << ' ' << pattern.text() << " x " << layers;
}

TEST_F(Solve, WithTheFactorsOfLu) {
  test::for_each_size([](comm::CommView comm) {
    const LuPattern pattern = LuPattern::generalised(comm.size());
    for (const Index n : {1, 2, 7, 50}) check_lu<double>(comm, n, 1, 8, pattern, 1, Op::none);
    check_lu<double>(comm, 61, 5, 8, pattern, 1, Op::transpose);
    check_lu<std::complex<double>>(comm, 61, 5, 8, pattern, 1, Op::adjoint);
    check_lu<std::complex<float>>(comm, 33, 3, 64, pattern, 1, Op::transpose);
    check_lu<float>(comm, 40, 0, 8, pattern, 1, Op::none);
    for (int layers = 2; layers <= comm.size(); ++layers)
      check_lu<double>(comm, 45, 3, 6, LuPattern::generalised(comm.size() / layers), layers, Op::none);
  });
}

TEST_F(Solve, WithTheFactorOfCholesky) {
  test::for_each_size([](comm::CommView comm) {
    using T = std::complex<double>;
    const Index n = 57;
    const auto a = [](Index i, Index j) { return test::definite_at<T>(i, j, 57); };
    const auto shape = std::make_shared<const CholeskyShape>(n, 5, symmetric_pattern(comm.size()), 1);
    CholeskyTiles<T> tiles(shape, comm.rank());
    layout::fill(tiles.view(), comm.rank(), a);
    ASSERT_EQ(run_cholesky(comm, tiles), 0);
    auto grid = std::make_shared<LuTiles<T>>(triangle_shape(n, comm.size()), comm.rank());
    layout::redistribute<T>(comm, T(1), Op::none, tiles.view(), T(0), grid->view());
    const TriangularSystem<T> system(comm, grid);
    layout::DistMatrix<T> x(layout::column_blocks(n, 4, comm.size()), comm.rank());
    fill(x.view(), comm.rank(), [](Index i, Index j) { return test::uniform_at<T>(i, j, 77); });
    system.solve_definite(comm, x.view());
    // The elements of A reach 2 n.
    EXPECT_LE(backward_error(comm, x, Op::none, n, 4, a), 40);
  });
}

TEST_F(Solve, TrianglesFromBothSides) {
  test::for_each_size([](comm::CommView comm) {
    using T = std::complex<double>;
    for (const Side side : {Side::left, Side::right})
      for (const Triangle triangle : {Triangle::lower, Triangle::upper})
        for (const Op op : {Op::none, Op::transpose, Op::adjoint})
          for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
            const Index m = 13, n = 9, order = side == Side::left ? m : n;
            const bool unit = diagonal == Diagonal::unit;
            const auto element = [&](Index i, Index j) {  // what is not part of the triangle is not a number
              const bool inside = triangle == Triangle::lower ? i > j : i < j;
              if (i == j) return unit ? T(NAN) : T(4);
              return inside ? test::uniform_at<T>(i, j) * 0.5 : T(NAN);
            };
            layout::DistMatrix<T> t(layout::row_blocks(order, order, comm.size()), comm.rank());
            fill(t.view(), comm.rank(), element);
            layout::DistMatrix<T> b(layout::row_blocks(m, n, comm.size()), comm.rank());
            fill(b.view(), comm.rank(), [](Index i, Index j) { return test::uniform_at<T>(i, j, 5); });
            solve_triangular<T>(comm, side, triangle, op, diagonal, T(2), t.view(), b.view());
            const std::vector<T> x = layout::gather_to<T>(comm, b.view(), 0);
            const auto known = [&](Index i, Index j) {
              const Index r = op == Op::none ? i : j, c = op == Op::none ? j : i;
              const bool inside = triangle == Triangle::lower ? r > c : r < c;
              const T value = r == c ? (unit ? T(1) : T(4)) : inside ? element(r, c) : T(0);
              return op == Op::adjoint ? conj(value) : value;
            };
            double worst = 0;
            for (Index j = 0; comm.rank() == 0 && j < n; ++j)
              for (Index i = 0; i < m; ++i) {
                T sum = -2.0 * test::uniform_at<T>(i, j, 5);
                for (Index k = 0; k < order; ++k)
                  sum += side == Side::left ? known(i, k) * x[static_cast<std::size_t>(k + j * m)]
                                            : x[static_cast<std::size_t>(i + k * m)] * known(k, j);
                worst = std::isnan(std::abs(sum)) ? INFINITY : std::max(worst, std::abs(sum));
              }
            EXPECT_LE(worst, 1e-12);
          }
  });
}

}  // namespace
}  // namespace cairn::factor
