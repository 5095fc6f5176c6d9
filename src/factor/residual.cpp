#include "factor/residual.hpp"

#include <cmath>

#include "check/parts.hpp"
#include "layout/kinds.hpp"

namespace cairn::factor {
namespace {

using check::Operand;
using check::Term;
using check::VectorSet;
using layout::LocalBlocks;

template <Scalar T>
constexpr double eps = 2.0 * ScalarTraits<T>::roundoff;

// Collective. Is A = L R?
template <Scalar T>
Residual product_residual(comm::CommView comm, const LocalBlocks<T>& a, const Operand<T>& l,
                          const Operand<T>& r, const check::VerifyOptions& options) {
  const check::Freivalds<T> freivalds(comm, a.rows, a.cols, options);
  Residual found{freivalds.check(T(1), l, r, T(0), a)};
  const double norm = check::infinity_norm(comm, a), left = found.verdict.largest_residual;
  const auto n = static_cast<double>(std::max<Index>(1, std::max(a.rows, a.cols)));
  found.relative = left == 0 ? 0 : left / (eps<T> * n * norm);
  return found;
}

// Row order[r] of A is row r of P A.
std::vector<Index> places_in(std::span<const Index> order) {
  std::vector<Index> place(order.size());
  for (std::size_t r = 0; r < order.size(); ++r)
    place[static_cast<std::size_t>(order[r])] = static_cast<Index>(r);
  return place;
}

// Of vector t of a set. A NaN is the largest.
double largest(const VectorSet& x, int t, auto&& see) {
  double most = 0;
  for (Index i = 0; i < x.length(); ++i) {
    const double size = x.complex() ? std::hypot(x.re(t)[i], x.im(t)[i]) : std::abs(x.re(t)[i]);
    if (size <= most) continue;
    most = std::isnan(size) ? INFINITY : size;
    see(i);
  }
  return most;
}
double largest(const VectorSet& x, int t) {
  return largest(x, t, [](Index) {});
}

void subtract(const VectorSet& from, int t, VectorSet& to) {
  for (Index i = 0; i < to.length(); ++i) {
    to.re(t)[i] -= from.re(t)[i];
    if (to.complex()) to.im(t)[i] -= from.im(t)[i];
  }
}

}  // namespace

template <Scalar T>
Residual lu_residual(comm::CommView comm, const layout::MatrixView<const T>& a, FactoredLu<T>& factors,
                     const check::VerifyOptions& options) {
  const Index m = a.layout.rows(), n = a.layout.columns(), k = std::min(m, n);
  if (k == 0) return {};
  layout::DistMatrix<T> f(layout::blocked(m, n, 1, comm.size()), comm.rank());
  factors.copy_both(f.view());
  const LocalBlocks<T> both = layout::blocks_of<T>(std::as_const(f).view(), comm.rank());
  LocalBlocks<T> l = check::triangle_of(both, Triangle::lower, Diagonal::unit);
  LocalBlocks<T> u = check::triangle_of(both, Triangle::upper);
  l.cols = u.rows = k;
  const std::vector<Index> place = places_in(factors.order());
  const auto pa = check::rows_renamed<T>(layout::blocks_of<T>(a, comm.rank()), place);
  return product_residual<T>(comm, pa, {Op::none, l, "L"}, {Op::none, u, "U"}, options);
}

template <Scalar T>
Residual cholesky_residual(comm::CommView comm, const layout::MatrixView<const T>& a, Triangle triangle,
                           FactoredCholesky<T>& factor, const check::VerifyOptions& options) {
  if (a.layout.rows() == 0) return {};
  const auto whole = check::mirrored(layout::blocks_of<T>(a, comm.rank()), triangle, true);
  const auto l =
      check::triangle_of(layout::blocks_of<T>(factor.tiles().view(), comm.rank()), Triangle::lower);
  return product_residual<T>(comm, whole, {Op::none, l, "L"}, {Op::adjoint, l, "L^H"}, options);
}

template <Scalar T>
Residual solve_residual(comm::CommView comm, const layout::MatrixView<const T>& a,
                        std::optional<Triangle> triangle, const layout::MatrixView<const T>& x,
                        const layout::MatrixView<const T>& b) {
  const Index n = a.layout.rows();
  const int columns = narrow<int>(x.layout.columns(), "right-hand sides to check");
  if (n == 0 || columns == 0) return {};
  LocalBlocks<T> whole = layout::blocks_of<T>(a, comm.rank());
  if (triangle) whole = check::mirrored(whole, *triangle, true);
  const VectorSet xs = check::columns_of(comm, layout::blocks_of<T>(x, comm.rank()));
  const VectorSet bs = check::columns_of(comm, layout::blocks_of<T>(b, comm.rank()));
  VectorSet left(n, columns, ScalarTraits<T>::is_complex);
  check::accumulate(whole, Op::none, 1, xs, left);
  check::sum_over_ranks(comm, left);
  double norm = 0;
  for (Index i = 0; i < n; ++i) norm = std::max(norm, left.absolute()[i]);
  Residual found;
  for (int j = 0; j < columns; ++j) {
    subtract(bs, j, left);
    Index row = 0;
    const double error = largest(left, j, [&](Index i) { row = i; });
    const double size = norm * largest(xs, j) + largest(bs, j), unit = eps<T> * (size > 0 ? size : 1);
    check::compare_row(found.verdict, row, error, 10 * std::sqrt(static_cast<double>(n)) * unit);
    found.relative = std::isfinite(error) ? std::max(found.relative, error / unit) : INFINITY;
  }
  found.verdict.rows = n;
  return found;
}

#define CAIRN_INSTANTIATE(T)                                                                           \
  template Residual lu_residual<T>(comm::CommView, const layout::MatrixView<const T>&, FactoredLu<T>&, \
                                   const check::VerifyOptions&);                                       \
  template Residual cholesky_residual<T>(comm::CommView, const layout::MatrixView<const T>&, Triangle, \
                                         FactoredCholesky<T>&, const check::VerifyOptions&);           \
  template Residual solve_residual<T>(comm::CommView, const layout::MatrixView<const T>&,              \
                                      std::optional<Triangle>, const layout::MatrixView<const T>&,     \
                                      const layout::MatrixView<const T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
