#include "sparse/spgemm_check.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "check/rounding.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/multiply_bricks.hpp"
#include "sparse/sample_parts.hpp"
#include "sparse/spmm.hpp"
#include "sparse/voxel_sample.hpp"

namespace cairn::sparse {
namespace {

// Sums are made in double precision, whatever the type.
template <class T>
using Wide = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<double>, double>;

// f of every entry.
template <class U, class T, class F>
DistSparse<U> mapped(const DistSparse<T>& x, F&& f) {
  DistSparse<U> y;
  y.layout = x.layout;
  y.local.rows = x.local.rows;
  y.local.columns = x.local.columns;
  y.local.starts = x.local.starts;
  y.local.columns_of = x.local.columns_of;
  y.local.sorted = x.local.sorted;
  y.local.values.resize(x.local.values.size());
  std::ranges::transform(x.local.values.span(), y.local.values.begin(), f);
  return y;
}

// Freivalds' check with vectors that lie on all ranks in parts (dense_range), each row once.
template <class T>
class SparseFreivalds {
 public:
  SparseFreivalds(comm::CommView comm, int rounds) : comm_(comm), rounds_(rounds) {}

  check::Verdict check(const DistSparse<T>& a, const DistSparse<T>& b, const DistSparse<T>& c) const {
    const DenseRange rows = dense_range(comm_, a.layout.rows());
    const std::vector<Wide<T>> x = signs(dense_range(comm_, b.layout.columns()));
    const std::vector<Wide<T>> by_c = times(c, x), by_ab = times(a, times(b, x));
    const std::vector<double> size = size_of(a, size_of(b, ones(b)));
    check::VectorSet left(rows.count, rounds_, ScalarTraits<T>::is_complex);
    for (Index i = 0; i < rows.count; ++i) {
      left.absolute()[i] = size[static_cast<std::size_t>(i)];
      for (int t = 0; t < rounds_; ++t) {
        const auto at = static_cast<std::size_t>(i * rounds_ + t);
        left.re(t)[i] = std::real(by_c[at] - by_ab[at]);
        if constexpr (ScalarTraits<T>::is_complex) left.im(t)[i] = std::imag(by_c[at] - by_ab[at]);
      }
    }
    const Index columns = std::max(longest_row(b), longest_row(c));
    const check::Tolerance tolerance = check::tolerance_of<T>(columns, longest_row(a));
    return check::worst_of_all(comm_, check::judge(left, tolerance, 0, rows.first));
  }

 private:
  // Row after row.
  std::vector<Wide<T>> signs(DenseRange range) const {
    std::vector<Wide<T>> x(static_cast<std::size_t>(range.count * rounds_));
    for (int t = 0; t < rounds_; ++t) {
      const check::Signs sign(seed, t);
      for (Index i = 0; i < range.count; ++i)
        x[static_cast<std::size_t>(i * rounds_ + t)] = sign[range.first + i];
    }
    return x;
  }
  std::vector<double> ones(const DistSparse<T>& m) const {
    return std::vector<double>(static_cast<std::size_t>(dense_range(comm_, m.layout.columns()).count), 1.0);
  }
  std::vector<Wide<T>> times(const DistSparse<T>& m, const std::vector<Wide<T>>& x) const {
    const auto wide = mapped<Wide<T>>(m, [](const T& v) { return Wide<T>(v); });
    return multiply_dense<Wide<T>>(comm_, wide, x, rounds_);
  }
  // |M| x
  std::vector<double> size_of(const DistSparse<T>& m, const std::vector<double>& x) const {
    const auto sizes = mapped<double>(m, [](const T& v) { return static_cast<double>(std::abs(v)); });
    return multiply_dense<double>(comm_, sizes, x, 1);
  }
  // Entries of the fullest row: a sum has at most this many terms.
  Index longest_row(const DistSparse<T>& m) const {
    const auto pattern = mapped<double>(m, [](const T&) { return 1.0; });
    double most = 0;
    for (const double entries : multiply_dense<double>(comm_, pattern, ones(m), 1))
      most = std::max(most, entries);
    return static_cast<Index>(comm::allreduce(comm_.unchecked(), most, comm::ReduceOp::max));
  }

  static constexpr std::uint64_t seed = 2024;
  comm::CommView comm_;
  int rounds_;
};

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
check::Verdict recompute_rows(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                              const DistSparse<T>& c, Semiring semiring, int rounds) {
  const Index m = a.layout.rows();
  const std::uint64_t below = sample_threshold(64.0 * rounds / static_cast<double>(std::max<Index>(1, m)));
  const SpgemmMethod method = named_method(SpgemmAlgorithm::block_row, comm.size());
  const MethodLayouts layouts = layouts_of(method, {m, b.layout.columns(), a.layout.columns()});
  const auto rows = convert(comm, rows_sampled(a, comm.rank(), below), layouts.a);
  const auto all_b = convert(comm, needed_rows_of(comm, rows, b), layouts.b);
  const auto again = multiply_bricks<T>(comm, method, rows, all_b, make_kernel<T>(semiring)).c;
  const auto there = convert(comm, rows_sampled(c, comm.rank(), below), layouts.c);
  check::Verdict verdict;
  const Index first = dense_range(comm, m).first;
  for (Index i = 0; i < again.local.rows; ++i) {
    if (!is_sampled(first + i, below)) continue;
    const auto row = [i](const Csr<T>& x) {
      return std::pair(
          std::vector<Local>(x.columns_of.begin() + x.starts[i], x.columns_of.begin() + x.starts[i + 1]),
          std::vector<T>(x.values.begin() + x.starts[i], x.values.begin() + x.starts[i + 1]));
    };
    check::compare_row(verdict, first + i, row(again.local) == row(there.local) ? 0 : 1, 0.5);
  }
  return check::worst_of_all(comm, verdict);
}

}  // namespace

template <class T>
check::Verdict check_product(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
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
  if (semiring == Semiring::plus_times) return SparseFreivalds<T>(comm, rounds).check(a, b, c);
  return recompute_rows(comm, a, b, c, semiring, rounds);
}

#define CAIRN_CHECK(T)                                                                                 \
  template check::Verdict check_product<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&, \
                                           const DistSparse<T>&, Semiring, int);
CAIRN_FOR_EACH_SCALAR(CAIRN_CHECK)
#undef CAIRN_CHECK

}  // namespace cairn::sparse
