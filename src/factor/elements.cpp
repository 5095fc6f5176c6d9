// Looking at all elements of a distributed matrix.
#include <cmath>
#include <limits>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "factor/factored.hpp"

namespace cairn::factor {
namespace {

bool counts(std::optional<Triangle> part, Index i, Index j) {
  return !part || (*part == Triangle::lower ? i >= j : i <= j);
}

template <Scalar T>
bool is_finite(const T& x) {
  return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
}

}  // namespace

template <Scalar T>
void require_finite(comm::CommView comm, const layout::MatrixView<const T>& a, std::optional<Triangle> part) {
  constexpr Index none = std::numeric_limits<Index>::max();
  Index first = none;
  const Index rows = a.layout.rows();
  layout::for_each_element(a, comm.rank(), [&](Index i, Index j, const T& x) {
    if (!is_finite(x) && counts(part, i, j)) first = std::min(first, i + j * rows);
  });
  const comm::Phase phase(comm.traffic(), comm::agreement_phase);
  first = comm::allreduce(comm.unchecked(), first, comm::ReduceOp::min);
  require(first == none, "element ({}, {}) of A is not finite, expected numbers", rows > 0 ? first % rows : 0,
          rows > 0 ? first / rows : 0);
}

template <Scalar T>
double largest_element(comm::CommView comm, const layout::MatrixView<const T>& a,
                       std::optional<Triangle> part) {
  double largest = 0;
  layout::for_each_element(a, comm.rank(), [&](Index i, Index j, const T& x) {
    if (counts(part, i, j)) largest = std::max(largest, static_cast<double>(std::abs(x)));
  });
  const comm::Phase phase(comm.traffic(), comm::agreement_phase);
  return comm::allreduce(comm.unchecked(), largest, comm::ReduceOp::max);
}

#define CAIRN_INSTANTIATE(T)                                                             \
  template void require_finite<T>(comm::CommView, const layout::MatrixView<const T>&,    \
                                  std::optional<Triangle>);                              \
  template double largest_element<T>(comm::CommView, const layout::MatrixView<const T>&, \
                                     std::optional<Triangle>);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
