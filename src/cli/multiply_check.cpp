#include "cli/multiply_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

using gemm::Matrix;

// A vector and the same with absolute values everywhere, in which errors are measured. In double precision,
// whatever the matrices are.
template <class W>
struct Vector {
  explicit Vector(Index n) : value(static_cast<std::size_t>(n)), size(static_cast<std::size_t>(n)) {}
  void add(Index i, W v, double s) {
    value[static_cast<std::size_t>(i)] += v;
    size[static_cast<std::size_t>(i)] += s;
  }
  std::vector<W> value;
  std::vector<double> size;
};

template <class T>
using Wide = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<double>, double>;

// y += op(S) x for the part of the stored matrix S that this rank has.
template <Scalar T, class Element>
void add_product(const gemm::Schedule& s, Matrix matrix, Op op, int rank, const Element& element,
                 const Vector<Wide<T>>& x, Vector<Wide<T>>& y) {
  for_each_element(s, matrix, rank, [&](Index row, Index col, Index position) {
    const Wide<T> e = Wide<T>(element(row, col, position));
    const Index from = op == Op::none ? col : row, to = op == Op::none ? row : col;
    const auto i = static_cast<std::size_t>(from);
    y.add(to, (op == Op::adjoint ? conj(e) : e) * x.value[i], std::abs(e) * x.size[i]);
  });
}

template <class W>
void add_up(comm::CommView c, Vector<W>& v) {
  comm::allreduce(c, std::span<const W>(v.value), std::span(v.value), comm::ReduceOp::sum);
  comm::allreduce(c, std::span<const double>(v.size), std::span(v.size), comm::ReduceOp::sum);
}

template <class W>
void scale(Vector<W>& v, W by) {
  for (W& x : v.value) x *= by;
  for (double& x : v.size) x *= std::abs(by);
}

// q u / (1 - q u), the error of q roundings.
double rounding(double q, double u) {
  const double x = std::min(0.5, q * u);
  return x / (1 - x);
}

template <class W>
Vector<W> random_signs(Index n) {
  Vector<W> x(n);
  for (Index j = 0; j < n; ++j) x.add(j, random_element<double>(Matrix::c, -1, j) < 0 ? -1.0 : 1.0, 1);
  return x;
}

// What rounding allows, over the sum of the absolute values of all terms. The product is rounded in T, the
// check itself in double; a complex product is a few roundings.
struct Allowed {
  double in_product, in_check;
};
template <Scalar T>
Allowed allowed(const gemm::Schedule& s) {
  const gemm::Problem& p = s.problem;
  const double factor = ScalarTraits<T>::is_complex ? 4 : 1;
  const double terms = static_cast<double>(p.k + s.grid.pk + s.rounds.count + 4);
  const double own = static_cast<double>(2 * (p.n + p.k + s.grid.ranks()) + 8);
  return {rounding(factor * terms, static_cast<double>(ScalarTraits<T>::roundoff)),
          rounding(factor * own, ScalarTraits<double>::roundoff)};
}

// The largest |x - y| over what is allowed; infinite where a number is none.
template <class W>
double largest_share(const Vector<W>& x, const Vector<W>& y, const Allowed& a) {
  double worst = 0;
  for (std::size_t i = 0; i < x.value.size(); ++i) {
    const double error = std::abs(x.value[i] - y.value[i]);
    if (error == 0) continue;
    const double share = error / ((a.in_product + a.in_check) * y.size[i] + a.in_check * x.size[i]);
    worst = std::max(worst, std::isnan(share) ? std::numeric_limits<double>::infinity() : share);
  }
  return worst;
}

}  // namespace

template <Scalar T>
ProductCheck check_product(comm::CommView comm, const gemm::Schedule& s, T alpha, std::span<const T> a,
                           std::span<const T> b, T beta, std::span<const T> c) {
  using W = Wide<T>;
  const gemm::Problem& p = s.problem;
  const comm::CommView plain = comm.unchecked();
  const int rank = plain.rank();
  const auto from = [](std::span<const T> data) {
    return [data](Index, Index, Index position) { return data[static_cast<std::size_t>(position)]; };
  };
  const auto before = [](Index row, Index col, Index) { return random_element<T>(Matrix::c, row, col); };
  const Vector<W> x = random_signs<W>(p.n);
  Vector<W> bx(p.k), expected(p.m), found(p.m);
  add_product<T>(s, Matrix::b, p.op_b, rank, from(b), x, bx);
  add_up(plain, bx);
  scale(bx, W(alpha));
  add_product<T>(s, Matrix::a, p.op_a, rank, from(a), bx, expected);
  if (beta != T(0)) {
    Vector<W> x_beta = x;
    scale(x_beta, W(beta));
    add_product<T>(s, Matrix::c, Op::none, rank, before, x_beta, expected);
  }
  add_up(plain, expected);
  add_product<T>(s, Matrix::c, Op::none, rank, from(c), x, found);
  add_up(plain, found);
  return {largest_share(found, expected, allowed<T>(s))};
}

template ProductCheck check_product(comm::CommView, const gemm::Schedule&, float, std::span<const float>,
                                    std::span<const float>, float, std::span<const float>);
template ProductCheck check_product(comm::CommView, const gemm::Schedule&, double, std::span<const double>,
                                    std::span<const double>, double, std::span<const double>);
template ProductCheck check_product(comm::CommView, const gemm::Schedule&, std::complex<float>,
                                    std::span<const std::complex<float>>,
                                    std::span<const std::complex<float>>, std::complex<float>,
                                    std::span<const std::complex<float>>);
template ProductCheck check_product(comm::CommView, const gemm::Schedule&, std::complex<double>,
                                    std::span<const std::complex<double>>,
                                    std::span<const std::complex<double>>, std::complex<double>,
                                    std::span<const std::complex<double>>);

}  // namespace cairn::cli
