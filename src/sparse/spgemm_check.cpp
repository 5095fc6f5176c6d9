#include "sparse/spgemm_check.hpp"

#include <cmath>
#include <complex>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/multiply_bricks.hpp"
#include "sparse/sample_parts.hpp"
#include "sparse/spmm.hpp"
#include "sparse/voxel_sample.hpp"

namespace cairn::sparse {
namespace {

// The worst row of this rank -> the worst of all.
SpgemmVerdict worst_of_all(comm::CommView comm, SpgemmVerdict mine) {
  double excess = mine.row < 0 ? -1.0 : mine.residual / std::max(mine.tolerance, 1e-300);
  if (!mine.passed) excess = INFINITY;  // a NaN, too
  const double worst = comm::allreduce(comm.unchecked(), excess, comm::ReduceOp::max);
  const int candidate = excess == worst ? comm.rank() : comm.size();
  const int owner = comm::allreduce(comm.unchecked(), candidate, comm::ReduceOp::min);
  mine.rows = comm::allreduce(comm.unchecked(), mine.rows, comm::ReduceOp::sum);
  const Index rows = mine.rows;
  comm::broadcast(comm.unchecked(), std::span(&mine, 1), owner < comm.size() ? owner : 0);
  mine.rows = rows;
  return mine;
}

template <class T>
DistSparse<T> absolute(const DistSparse<T>& x) {
  DistSparse<T> y = x;
  for (T& v : y.local.values) v = T(std::abs(v));
  return y;
}

// +-1, the same for an index wherever it is asked for.
template <class T>
std::vector<T> signs(DenseRange range, int rounds, bool plain) {
  std::vector<T> x;
  for (Index i = range.first; i < range.first + range.count; ++i)
    for (int r = 0; r < rounds; ++r) {
      const std::uint64_t bits =
          mixed_bits(static_cast<std::uint64_t>(i) * 64 + static_cast<std::uint64_t>(r));
      x.push_back(plain || (bits & 1) != 0 ? T(1) : T(-1));
    }
  return x;
}

template <class T>
SpgemmVerdict freivalds(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                        const DistSparse<T>& c, int rounds) {
  const DenseRange columns = dense_range(comm, b.layout.columns());
  const DenseRange rows = dense_range(comm, a.layout.rows());
  const std::vector<T> x = signs<T>(columns, rounds, false), ones = signs<T>(columns, 1, true);
  const auto product = [&](const DistSparse<T>& m, const std::vector<T>& v, int r) {
    return multiply_dense<T>(comm, m, v, r);
  };
  const std::vector<T> by_c = product(c, x, rounds);
  const std::vector<T> by_ab = product(a, product(b, x, rounds), rounds);
  const std::vector<T> size = product(absolute(a), product(absolute(b), ones, 1), 1);
  const std::vector<T> size_c = product(absolute(c), ones, 1);
  const double terms = static_cast<double>(b.layout.rows() + b.layout.columns()) + 4;
  const double u = static_cast<double>(ScalarTraits<T>::roundoff);
  SpgemmVerdict verdict;
  verdict.rows = rows.count;
  for (Index i = 0; i < rows.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double tolerance =
        std::sqrt(terms) * 8 * u *
        (static_cast<double>(std::abs(size[at])) + static_cast<double>(std::abs(size_c[at])));
    for (int r = 0; r < rounds; ++r) {
      const auto p = at * static_cast<std::size_t>(rounds) + static_cast<std::size_t>(r);
      const double residual = static_cast<double>(std::abs(by_c[p] - by_ab[p]));
      const bool worse = verdict.row < 0 || residual * verdict.tolerance > verdict.residual * tolerance ||
                         !(residual <= tolerance);
      if (worse && verdict.passed)
        verdict = {residual <= tolerance, rows.first + i, residual, tolerance, rows.count};
    }
  }
  return worst_of_all(comm, verdict);
}

template <class T>
DistSparse<T> rows_sampled(const DistSparse<T>& x, int rank, std::uint64_t below) {
  DistSparse<T> result = x;
  const auto at = x.layout.position_of(rank);
  if (!at) return result;
  const std::vector<Index> names = x.layout.row_cut().globals(at->row_place);
  result.local = select(x.local, [&](Index i, Index, const T&) {
    return is_sampled(names[static_cast<std::size_t>(i)], below);
  });
  return result;
}

template <class T>
SpgemmVerdict recompute_rows(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                             const DistSparse<T>& c, Semiring semiring, int rounds) {
  const Index m = a.layout.rows();
  const std::uint64_t below = sample_threshold(64.0 * rounds / static_cast<double>(std::max<Index>(1, m)));
  const SpgemmMethod method = named_method(SpgemmAlgorithm::block_row, comm.size());
  const MethodLayouts layouts = layouts_of(method, {m, b.layout.columns(), a.layout.columns()});
  const auto rows = convert(comm, rows_sampled(a, comm.rank(), below), layouts.a);
  const auto all_b = convert(comm, needed_rows_of(comm, rows, b), layouts.b);
  const auto again = multiply_bricks<T>(comm, method, rows, all_b, make_kernel<T>(semiring)).c;
  const auto there = convert(comm, rows_sampled(c, comm.rank(), below), layouts.c);
  SpgemmVerdict verdict;
  const Index first = dense_range(comm, m).first;
  for (Index i = 0; i < again.local.rows; ++i) {
    if (!is_sampled(first + i, below)) continue;
    ++verdict.rows;
    const auto row = [i](const Csr<T>& x) {
      return std::pair(
          std::vector<Local>(x.columns_of.begin() + x.starts[i], x.columns_of.begin() + x.starts[i + 1]),
          std::vector<T>(x.values.begin() + x.starts[i], x.values.begin() + x.starts[i + 1]));
    };
    const bool same = row(again.local) == row(there.local);
    if (!same || verdict.row < 0) {
      const Index compared = verdict.rows;
      if (verdict.passed) verdict = {same, first + i, same ? 0.0 : 1.0, 0.5, compared};
    }
  }
  return worst_of_all(comm, verdict);
}

}  // namespace

template <class T>
SpgemmVerdict check_product(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                            const DistSparse<T>& c, Semiring semiring, int rounds) {
  const comm::Phase phase(comm.traffic(), "check");
  comm::agree(comm, "check of a sparse product",
              [&] {
                require(rounds >= 1 && rounds <= 64, "rounds is {}, expected 1 to 64", rounds);
                require(a.layout.columns() == b.layout.rows() && c.layout.rows() == a.layout.rows() &&
                            c.layout.columns() == b.layout.columns(),
                        "A is {} x {}, B is {} x {} and C is {} x {}: not a product", a.layout.rows(),
                        a.layout.columns(), b.layout.rows(), b.layout.columns(), c.layout.rows(),
                        c.layout.columns());
              },
              {{"rounds", rounds}, {"semiring", static_cast<Index>(semiring)}});
  if (semiring == Semiring::plus_times) return freivalds(comm, a, b, c, rounds);
  return recompute_rows(comm, a, b, c, semiring, rounds);
}

#define CAIRN_CHECK(T)                                                                                \
  template SpgemmVerdict check_product<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&, \
                                          const DistSparse<T>&, Semiring, int);
CAIRN_FOR_EACH_SCALAR(CAIRN_CHECK)
#undef CAIRN_CHECK

}  // namespace cairn::sparse
