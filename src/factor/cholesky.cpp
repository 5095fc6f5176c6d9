#include "factor/cholesky.hpp"

#include <limits>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "factor/cholesky_compile.hpp"
#include "layout/exchange/redistribute.hpp"
#include "program/count.hpp"
#include "program/run.hpp"

namespace cairn::factor {

template <Scalar T>
CholeskyTiles<T>::CholeskyTiles(std::shared_ptr<const CholeskyShape> shape, int rank)
    : shape_(std::move(shape)),
      memory_(rank < shape_->ranks() ? CholeskyStorage(*shape_, rank % shape_->positions()).elements() : 0),
      view_{cholesky_layout(*shape_), memory_.data(), memory_.size(), 0} {
  std::ranges::fill(local(), T(0));
}

template <Scalar T>
CholeskyTiles<T>::CholeskyTiles(std::shared_ptr<const CholeskyShape> shape, int rank,
                                const layout::MatrixView<T>& in_place)
    : shape_(std::move(shape)),
      view_(in_place),
      leading_dimension_(
          std::max<Index>({1, in_place.leading_dimension, in_place.layout.least_leading_dimension(rank)})) {}

template <Scalar T>
Index run_cholesky(comm::CommView comm, CholeskyTiles<T>& tiles, program::Trace* trace) {
  const CholeskyShape& shape = tiles.shape();
  Index info = std::numeric_limits<Index>::max();
  if (comm.rank() < shape.ranks()) {
    auto outcome = std::make_shared<CholeskyOutcome>();
    const program::Program program =
        compile_cholesky<T>(shape, comm.rank(), outcome, tiles.leading_dimension());
    Buffer<T> work(program.array_counts[0]);
    const std::array<T*, 2> arrays = {work.data(), tiles.local().data()};
    program::run<T>(program, comm, {arrays, {}}, {.trace = trace});
    if (outcome->info > 0) info = outcome->info;
  }
  const comm::Phase phase(comm.traffic(), comm::agreement_phase);
  info = comm::allreduce(comm.unchecked(), info, comm::ReduceOp::min);
  return info == std::numeric_limits<Index>::max() ? 0 : info;
}

template <Scalar T>
Index cholesky_bytes(const CholeskyShape& shape, int rank) {
  if (rank >= shape.ranks()) return 0;
  const program::Program program = compile_cholesky<T>(shape, rank, std::make_shared<CholeskyOutcome>());
  return (program.array_counts[0] + program.array_counts[1]) * static_cast<Index>(sizeof(T));
}

template <Scalar T>
void take_triangle(comm::CommView comm, const layout::MatrixView<const T>& a, Triangle triangle,
                   CholeskyTiles<T>& tiles) {
  layout::redistribute<T>(comm, T(1), triangle == Triangle::lower ? Op::none : Op::adjoint, a, T(0),
                          tiles.view());
}

#define CAIRN_INSTANTIATE(T)                                                                \
  template class CholeskyTiles<T>;                                                          \
  template Index run_cholesky(comm::CommView, CholeskyTiles<T>&, program::Trace*);          \
  template Index cholesky_bytes<T>(const CholeskyShape&, int);                              \
  template void take_triangle(comm::CommView, const layout::MatrixView<const T>&, Triangle, \
                              CholeskyTiles<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
