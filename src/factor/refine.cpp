#include "factor/refine.hpp"

#include <cmath>

#include "base/blas.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"

namespace cairn::factor {
namespace {

std::vector<double> most_of(comm::CommView comm, const std::vector<double>& mine) {
  std::vector<double> most(mine.size());
  const comm::Phase phase(comm.traffic(), comm::agreement_phase);
  comm::allreduce(comm.unchecked(), std::span<const double>(mine), std::span<double>(most),
                  comm::ReduceOp::max);
  return most;
}

}  // namespace

template <Scalar T>
ResidualMaker<T>::ResidualMaker(comm::CommView comm, const layout::MatrixView<const T>& a)
    : comm_(comm), a_(layout::blocked(a.layout.rows(), a.layout.columns(), comm.size(), 1), comm.rank()) {
  layout::redistribute<T>(comm, T(1), Op::none, a, T(0), a_.view());
  const layout::DistMatrix<T>& mine = a_;
  norm_ = layout::norm<T>(comm, layout::Norm::infinity, mine.view());
}

template <Scalar T>
layout::Layout ResidualMaker<T>::layout(Index columns) const {
  return layout::blocked(a_.layout().rows(), columns, comm_.size(), 1);
}

template <Scalar T>
double ResidualMaker<T>::make(const layout::DistMatrix<T>& x, const layout::DistMatrix<T>& b,
                              layout::DistMatrix<T>& r) const {
  const Index n = a_.layout().rows(), columns = x.layout().columns();
  layout::DistMatrix<T> whole(layout::replicated(n, columns, comm_.size()), comm_.rank());
  layout::redistribute<T>(comm_, T(1), Op::none, x.view(), T(0), whole.view());
  const Index rows = a_.layout().local_rows(comm_.rank()), ld = std::max<Index>(1, rows);
  std::ranges::copy(b.local(), r.local().begin());
  blas::gemm<T>(Op::none, Op::none, rows, columns, n, T(-1), a_.local().data(), ld, whole.local().data(), n,
                T(1), r.local().data(), ld);
  std::vector<double> sizes(static_cast<std::size_t>(3 * columns), 0);  // of r, x and b
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) {
      const auto at = static_cast<std::size_t>(i + j * ld);
      const std::array<double, 3> now = {static_cast<double>(std::abs(r.local()[at])),
                                         static_cast<double>(std::abs(x.local()[at])),
                                         static_cast<double>(std::abs(b.local()[at]))};
      for (std::size_t k = 0; k < now.size(); ++k) {
        double& most = sizes[k * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
        most = std::isfinite(now[k]) ? std::max(most, now[k]) : INFINITY;
      }
    }
  const std::vector<double> most = most_of(comm_, sizes);
  double worst = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j) {
    const auto c = static_cast<std::size_t>(columns);
    const double scale = norm_ * most[c + j] + most[2 * c + j], error = scale > 0 ? most[j] / scale : 0;
    worst = std::isfinite(error) ? std::max(worst, error) : INFINITY;
  }
  return worst;
}

template <Scalar T>
Refinement refine(comm::CommView comm, const ResidualMaker<T>& residual,
                  const std::function<void(const layout::MatrixView<T>&)>& solve,
                  const layout::MatrixView<T>& b, int most_steps) {
  const Index columns = b.layout.columns();
  Refinement result{0, 0, true};
  if (b.layout.rows() == 0 || columns == 0) return result;
  layout::DistMatrix<T> x(residual.layout(columns), comm.rank()), right(x.layout(), comm.rank()),
      r(x.layout(), comm.rank());
  layout::redistribute<T>(comm, T(1), Op::none, b, T(0), right.view());
  std::ranges::fill(x.local(), T(0));
  std::ranges::copy(right.local(), r.local().begin());
  const double enough = 2 * ScalarTraits<T>::roundoff * std::sqrt(static_cast<double>(b.layout.rows()));
  double last = INFINITY;
  for (result.steps = 0; result.steps <= most_steps; ++result.steps) {
    solve(r.view());
    for (std::size_t i = 0; i < x.local().size(); ++i) x.local()[i] += r.local()[i];
    result.backward_error = residual.make(x, right, r);
    if (result.backward_error <= enough) break;
    if (!(result.backward_error <= last / 2)) break;  // no longer worth it
    last = result.backward_error;
  }
  result.converged = result.backward_error <= 10 * enough;
  if (result.converged) layout::redistribute<T>(comm, T(1), Op::none, x.view(), T(0), b);
  return result;
}

#define CAIRN_INSTANTIATE(T)                                                              \
  template class ResidualMaker<T>;                                                        \
  template Refinement refine<T>(comm::CommView, const ResidualMaker<T>&,                  \
                                const std::function<void(const layout::MatrixView<T>&)>&, \
                                const layout::MatrixView<T>&, int);
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
