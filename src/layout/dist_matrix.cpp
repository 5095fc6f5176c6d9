#include "layout/dist_matrix.hpp"

#include <algorithm>

#include "comm/collectives.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"

namespace cairn::layout {
namespace {

// The elements whose first owner is this rank: each element of the matrix once.
template <Scalar T, class F>
void for_each_first_copy(const MatrixView<const T>& m, int rank, F&& f) {
  if (!m.layout.is_replicated()) return for_each_element(m, rank, f);
  for_each_element(m, rank, [&](Index i, Index j, const T& x) {
    if (m.layout.owner_of(i, j) == rank) f(i, j, x);
  });
}

// The largest of numbers that are not negative; a NaN stays.
double larger(double largest, double x) { return std::isnan(largest) || x <= largest ? largest : x; }

double largest_of(std::span<const double> values) {
  double largest = 0;
  for (const double v : values) largest = larger(largest, v);
  return largest;
}

// Sums of |elements| by row or by column, then the largest.
template <Scalar T>
double largest_sum(comm::CommView comm, const MatrixView<const T>& m, Index sums, bool by_column) {
  std::vector<double> sum(static_cast<std::size_t>(sums), 0.0), total(sum.size());
  for_each_first_copy<T>(m, comm.rank(), [&](Index i, Index j, const T& x) {
    sum[static_cast<std::size_t>(by_column ? j : i)] += static_cast<double>(std::abs(x));
  });
  comm::allreduce(comm, std::span<const double>(sum), std::span(total), comm::ReduceOp::sum);
  return largest_of(total);
}

// Scaled, so that squares neither overflow nor vanish.
template <Scalar T>
double frobenius(comm::CommView comm, const MatrixView<const T>& m, double largest) {
  if (largest == 0 || !std::isfinite(largest)) return largest;
  double sum = 0;
  for_each_first_copy<T>(m, comm.rank(), [&](Index, Index, const T& x) {
    const double scaled = static_cast<double>(std::abs(x)) / largest;
    sum += scaled * scaled;
  });
  return largest * std::sqrt(comm::allreduce(comm, sum, comm::ReduceOp::sum));
}

}  // namespace

template <Scalar T>
double norm(comm::CommView comm, Norm which, const MatrixView<const T>& m) {
  if (which == Norm::one) return largest_sum(comm, m, m.layout.columns(), true);
  if (which == Norm::infinity) return largest_sum(comm, m, m.layout.rows(), false);
  double largest = 0;
  for_each_element(m, comm.rank(), [&](Index, Index, const T& x) {
    largest = larger(largest, static_cast<double>(std::abs(x)));
  });
  // max() of a NaN and a number is not defined alike everywhere: NaNs are agreed on as infinities first.
  const bool nan = comm::allreduce(comm, std::isnan(largest) ? 1.0 : 0.0, comm::ReduceOp::max) > 0;
  largest = comm::allreduce(comm, std::isnan(largest) ? 0.0 : largest, comm::ReduceOp::max);
  if (nan) return NAN;
  return which == Norm::max ? largest : frobenius(comm, m, largest);
}

template <Scalar T>
std::vector<T> gather_to(comm::CommView comm, const MatrixView<const T>& m, int root) {
  DistMatrix<T> whole(on_one_rank(m.layout.rows(), m.layout.columns(), root), comm.rank());
  redistribute<T>(comm, T(1), Op::none, m, T(0), whole.view());
  return {whole.local().begin(), whole.local().end()};
}

template <Scalar T>
std::string to_text(comm::CommView comm, const MatrixView<const T>& m) {
  DistMatrix<T> all(replicated(m.layout.rows(), m.layout.columns(), comm.size()), comm.rank());
  redistribute<T>(comm, T(1), Op::none, m, T(0), all.view());
  std::string text;
  for (Index i = 0; i < m.layout.rows(); ++i) {
    for (Index j = 0; j < m.layout.columns(); ++j) {
      const T x = all.local()[static_cast<std::size_t>(i + j * m.layout.rows())];
      if constexpr (ScalarTraits<T>::is_complex)
        text += fmt::format("{}{:.5g}{:+.5g}i", j > 0 ? "  " : "", x.real(), x.imag());
      else
        text += fmt::format("{}{:.5g}", j > 0 ? "  " : "", x);
    }
    text += '\n';
  }
  return text;
}

#define CAIRN_INSTANTIATE(T)                                                          \
  template double norm(comm::CommView, Norm, const MatrixView<const T>&);             \
  template std::vector<T> gather_to(comm::CommView, const MatrixView<const T>&, int); \
  template std::string to_text(comm::CommView, const MatrixView<const T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::layout
