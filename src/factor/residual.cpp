#include "factor/residual.hpp"

#include <cmath>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"

namespace cairn::factor {
namespace {

using Wide = std::complex<double>;
using Vector = std::vector<Wide>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The sum over all ranks, on all.
Vector total(comm::CommView comm, const Vector& mine) {
  Vector sum(mine.size());
  const comm::Phase phase(comm.traffic(), comm::agreement_phase);
  comm::allreduce(comm.unchecked(), std::span<const Wide>(mine), std::span<Wide>(sum), comm::ReduceOp::sum);
  return sum;
}

// f(y, i, j, element) adds to y.
template <Scalar T, class F>
Vector accumulate(comm::CommView comm, const layout::MatrixView<const T>& m, Index size, F&& f) {
  Vector y(at(size), 0.0);
  layout::for_each_element(m, comm.rank(), [&](Index i, Index j, const T& x) { f(y, i, j, Wide(x)); });
  return total(comm, y);
}

Vector signs(Index n) {
  Vector x;
  std::uint64_t state = 88172645463325252ULL;
  for (Index i = 0; i < n; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x.emplace_back((state >> 33) % 2 == 0 ? 1.0 : -1.0);
  }
  return x;
}

double largest(const Vector& v) {
  double most = 0;
  for (const Wide& x : v) most = std::isnan(std::abs(x)) ? INFINITY : std::max(most, std::abs(x));
  return most;
}

// A x and |A| 1 in one pass, for a whole matrix or for a Hermitian one of which a triangle is stored.
template <Scalar T>
std::pair<Vector, double> times(comm::CommView comm, const layout::MatrixView<const T>& a,
                                std::optional<Triangle> triangle, const Vector& x) {
  const Index m = a.layout.rows();
  const Vector y = accumulate<T>(comm, a, 2 * m, [&](Vector& sum, Index i, Index j, const Wide& v) {
    if (triangle && (*triangle == Triangle::lower ? i < j : i > j)) return;
    sum[at(i)] += v * x[at(j)];
    sum[at(m + i)] += std::abs(v);
    if (!triangle || i == j) return;
    sum[at(j)] += std::conj(v) * x[at(i)];
    sum[at(m + j)] += std::abs(v);
  });
  return {Vector(y.begin(), y.begin() + m), largest(Vector(y.begin() + m, y.end()))};
}

template <Scalar T>
double relative(double left, double norm, Index n) {
  const double eps = 2.0 * ScalarTraits<T>::roundoff;
  return left == 0 ? 0 : left / (eps * static_cast<double>(std::max<Index>(1, n)) * norm);
}

template <Scalar T>
Vector on_every_rank(comm::CommView comm, const layout::MatrixView<const T>& m) {
  const Index rows = m.layout.rows();
  return accumulate<T>(comm, m, rows * m.layout.columns(),
                       [&](Vector& sum, Index i, Index j, const Wide& v) { sum[at(i + j * rows)] = v; });
}

}  // namespace

template <Scalar T>
double lu_residual(comm::CommView comm, const layout::MatrixView<const T>& a, FactoredLu<T>& factors) {
  const Index m = a.layout.rows(), n = a.layout.columns();
  if (m == 0 || n == 0) return 0;
  const Vector x = signs(n);
  const auto [ax, norm] = times<T>(comm, a, {}, x);
  layout::DistMatrix<T> f(layout::blocked(m, n, 1, comm.size()), comm.rank());
  factors.copy_both(f.view());
  const layout::DistMatrix<T>& both = f;
  const Vector ux = accumulate<T>(comm, both.view(), m, [&](Vector& y, Index i, Index j, const Wide& v) {
    if (i <= j) y[at(i)] += v * x[at(j)];
  });
  const Vector below = accumulate<T>(comm, both.view(), m, [&](Vector& y, Index i, Index j, const Wide& v) {
    if (i > j) y[at(i)] += v * ux[at(j)];
  });
  Vector left(at(m));
  for (Index i = 0; i < m; ++i) left[at(i)] = ax[at(factors.order()[at(i)])] - ux[at(i)] - below[at(i)];
  return relative<T>(largest(left), norm, std::max(m, n));
}

template <Scalar T>
double cholesky_residual(comm::CommView comm, const layout::MatrixView<const T>& a, Triangle triangle,
                         FactoredCholesky<T>& factor) {
  const Index n = a.layout.rows();
  if (n == 0) return 0;
  const Vector x = signs(n);
  const auto [ax, norm] = times<T>(comm, a, triangle, x);
  const layout::MatrixView<const T> l = factor.tiles().view();
  const Vector lx = accumulate<T>(comm, l, n, [&](Vector& y, Index i, Index j, const Wide& v) {
    if (i >= j) y[at(j)] += std::conj(v) * x[at(i)];
  });
  Vector left = accumulate<T>(comm, l, n, [&](Vector& y, Index i, Index j, const Wide& v) {
    if (i >= j) y[at(i)] += v * lx[at(j)];
  });
  for (Index i = 0; i < n; ++i) left[at(i)] -= ax[at(i)];
  return relative<T>(largest(left), norm, n);
}

template <Scalar T>
double solve_residual(comm::CommView comm, const layout::MatrixView<const T>& a,
                      std::optional<Triangle> triangle, const layout::MatrixView<const T>& x,
                      const layout::MatrixView<const T>& b) {
  const Index n = a.layout.rows(), columns = x.layout.columns();
  if (n == 0 || columns == 0) return 0;
  const Vector xs = on_every_rank<T>(comm, x), bs = on_every_rank<T>(comm, b);
  double worst = 0;
  for (Index j = 0; j < columns; ++j) {
    const Vector xj(xs.begin() + j * n, xs.begin() + (j + 1) * n),
        bj(bs.begin() + j * n, bs.begin() + (j + 1) * n);
    auto [left, norm] = times<T>(comm, a, triangle, xj);
    for (Index i = 0; i < n; ++i) left[at(i)] -= bj[at(i)];
    const double scale = norm * largest(xj) + largest(bj);
    const double error = largest(left) / (scale > 0 ? scale : 1) / (2.0 * ScalarTraits<T>::roundoff);
    worst = std::isnan(error) ? INFINITY : std::max(worst, error);
  }
  return worst;
}

#define CAIRN_INSTANTIATE(T)                                                                          \
  template double lu_residual<T>(comm::CommView, const layout::MatrixView<const T>&, FactoredLu<T>&); \
  template double cholesky_residual<T>(comm::CommView, const layout::MatrixView<const T>&, Triangle,  \
                                       FactoredCholesky<T>&);                                         \
  template double solve_residual<T>(comm::CommView, const layout::MatrixView<const T>&,               \
                                    std::optional<Triangle>, const layout::MatrixView<const T>&,      \
                                    const layout::MatrixView<const T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
