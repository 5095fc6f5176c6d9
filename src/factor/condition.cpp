#include "factor/condition.hpp"

#include <cmath>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "layout/kinds.hpp"

namespace cairn::factor {
namespace {

struct Peak {
  double value = -1;
  Index row = 0;
};

// The largest element and the first row that has it, on every rank.
template <Scalar T>
Peak peak_of(comm::CommView comm, const layout::MatrixView<const T>& x) {
  Peak mine;
  layout::for_each_element(x, comm.rank(), [&](Index i, Index, const T& v) {
    const auto size = static_cast<double>(std::abs(v));
    if (size > mine.value) mine = {size, i};
  });
  const comm::Phase phase(comm.traffic(), comm::agreement_phase);
  const double most = comm::allreduce(comm.unchecked(), mine.value, comm::ReduceOp::max);
  const Index row = mine.value == most ? mine.row : x.layout.rows();
  return {most, comm::allreduce(comm.unchecked(), row, comm::ReduceOp::min)};
}

template <Scalar T>
double sum_of(comm::CommView comm, const layout::MatrixView<const T>& x) {
  double sum = 0;
  layout::for_each_element(x, comm.rank(),
                           [&](Index, Index, const T& v) { sum += static_cast<double>(std::abs(v)); });
  const comm::Phase phase(comm.traffic(), comm::agreement_phase);
  return comm::allreduce(comm.unchecked(), sum, comm::ReduceOp::sum);
}

}  // namespace

template <Scalar T>
double inverse_norm(comm::CommView comm, Index n,
                    const std::function<void(Op, const layout::MatrixView<T>&)>& solve) {
  if (n == 0) return 0;
  constexpr int most_steps = 5;
  layout::DistMatrix<T> x(layout::blocked(n, 1, comm.size(), 1), comm.rank());
  const layout::MatrixView<T> view = x.view();
  fill(view, comm.rank(),
       [&](Index, Index) { return T(static_cast<Real<T>>(1.0 / static_cast<double>(n))); });
  double estimate = 0;
  Index last = -1;
  for (int step = 0; step < most_steps; ++step) {
    solve(Op::none, view);
    const double norm = sum_of<T>(comm, view);
    if (step > 0 && norm <= estimate) break;
    estimate = norm;
    for_each_element(view, comm.rank(), [](Index, Index, T& v) {
      const Real<T> size = std::abs(v);
      v = size == 0 ? T(1) : v / size;
    });
    solve(Op::adjoint, view);
    const Peak peak = peak_of<T>(comm, view);
    if (peak.row == last || peak.row >= n) break;
    last = peak.row;
    fill(view, comm.rank(), [&](Index i, Index) { return i == last ? T(1) : T(0); });
  }
  // A vector of alternating signs finds what the steps above may miss.
  fill(view, comm.rank(), [&](Index i, Index) {
    const double size = 1 + static_cast<double>(i) / static_cast<double>(std::max<Index>(1, n - 1));
    return T(static_cast<Real<T>>(i % 2 == 0 ? size : -size));
  });
  solve(Op::none, view);
  return std::max(estimate, 2 * sum_of<T>(comm, view) / (3 * static_cast<double>(n)));
}

#define CAIRN_INSTANTIATE(T)                             \
  template double inverse_norm<T>(comm::CommView, Index, \
                                  const std::function<void(Op, const layout::MatrixView<T>&)>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
