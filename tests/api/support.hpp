// What the tests of the front door share: contexts on some ranks, matrices whose elements are known, random
// layouts, and a plain product to compare with.
#pragma once

#include <mpi.h>

#include "api/context_state.hpp"
#include "api/layout_state.hpp"
#include "cairn/cairn.hpp"
#include "gemm/reference.hpp"
#include "layout/random_layout.hpp"
#include "support/mpi_test.hpp"

namespace cairn::test {

using gemm::test::element;

// A context on a communicator; an error is one of all its ranks, and the case goes on.
inline void with_context(comm::CommView c, const std::function<void(const Context&)>& body) {
  try {
    body(Context(c.handle(), {.watchdog_seconds = 60}));
  } catch (const Error& e) {
    ADD_FAILURE() << e.what();
  }
}

// A context on the first `size` ranks.
inline void on_context(int size, const std::function<void(const Context&)>& body) {
  on_ranks(size, [&](comm::CommView c) { with_context(c, body); });
}

template <Scalar T>
void fill(Matrix<T>& x, std::uint64_t seed) {
  x.fill([&](Index i, Index j) { return element<T>(seed, i, j); });
}

template <Scalar T>
void fill_nan(Matrix<T>& x) {
  x.fill([](Index, Index) { return T(std::numeric_limits<typename ScalarTraits<T>::Real>::quiet_NaN()); });
}

// Over the ranks of a context, with plain MPI.
inline Index over_ranks(const Context& context, Index mine, MPI_Op op) {
  Index result = 0;
  MPI_Allreduce(&mine, &result, 1, MPI_INT64_T, op, context.state().comm().handle());
  return result;
}
inline Index sum_over_ranks(const Context& context, Index mine) { return over_ranks(context, mine, MPI_SUM); }

// How many partial sums a result may have been added up from.
struct Sums {
  int layers = 16;
  Index rounds = 16;
};

// C = alpha op(A) op(B) + beta C0 within the error of any order of the sums; A, B and C0 filled with seeds 1,
// 2 and 3.
template <Scalar T>
void expect_product(const Product& p, T alpha, T beta, const Matrix<T>& c, const Sums& sums = {}) {
  const gemm::Schedule s{
      .problem = {.m = p.m, .n = p.n, .k = p.k, .op_a = p.op_a, .op_b = p.op_b, .type = p.type},
      .grid = {1, 1, sums.layers},
      .rounds = {gemm::Dim::k, sums.rounds}};
  c.for_each([&](Index i, Index j, T x) {
    const auto [expected, absolute] = gemm::test::reference<T>(s.problem, {}, alpha, beta, i, j);
    ASSERT_LE(static_cast<double>(std::abs(x - expected)), gemm::test::error_bound<T>(s, absolute))
        << i << ", " << j;  // NaN fails as well
  });
}

// Layouts as users make them, on at most p ranks.
inline cairn::Layout some_layout(Random& random, Index rows, Index columns, int p) {
  using Made = cairn::Layout;
  const int d0 = pick_int(random, 1, p), d1 = p / d0;
  switch (random() % 8) {
    case 0:
      return Made::block_cyclic(
          rows, columns, {.process_rows = d0, .process_columns = d1, .mb = 3, .nb = 5, .row_major = true});
    case 1:
      return Made::elemental(rows, columns, d0, d1);
    case 2:
      return Made::row_blocks(rows, columns, p);
    case 3:
      return Made::column_blocks(rows, columns, d0);
    case 4:
      return Made::on_one_rank(rows, columns, p - 1);
    case 5:
      return Made::replicated(rows, columns, d0);
    case 6:
      return Made::block_cyclic(rows + 7, columns + 4,
                                {.process_rows = d0, .process_columns = d1, .mb = 4, .nb = 2})
          .sub_matrix(5, 1, rows, columns);
    default:
      return Made::blocked(rows, columns, d0, d1);
  }
}

// Any layout there is, as a public one: rectangles with several owners and intervals dealt at will as well.
inline cairn::Layout any_layout(Random& random, Index rows, Index columns, int p) {
  if (random() % 3 == 0) return some_layout(random, rows, columns, p);
  return cairn::Layout(std::make_shared<const detail::LayoutState>(pick_layout(random, rows, columns, p)));
}

}  // namespace cairn::test
