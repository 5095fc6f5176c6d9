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
  const Vector<W> x = random_signs<W>(p.n);
  Vector<W> bx(p.k), abx(p.m), cx(p.m), c0x(p.m);
  add_product<T>(s, Matrix::b, p.op_b, rank, from(b), x, bx);
  add_up(plain, bx);
  add_product<T>(s, Matrix::a, p.op_a, rank, from(a), bx, abx);
  add_up(plain, abx);
  add_product<T>(s, Matrix::c, Op::none, rank, from(c), x, cx);
  add_up(plain, cx);
  if (beta != T(0)) {
    const auto before = [](Index row, Index col, Index) { return random_element<T>(Matrix::c, row, col); };
    add_product<T>(s, Matrix::c, Op::none, rank, before, x, c0x);
    add_up(plain, c0x);
  }
  // The product is rounded in T, the check itself in double; a complex product is a few roundings.
  const double factor = ScalarTraits<T>::is_complex ? 4 : 1;
  const double terms = static_cast<double>(p.k + s.grid.pk + s.rounds.count + 4);
  const double own = static_cast<double>(2 * (p.n + p.k + s.grid.ranks()) + 8);
  const double in_product = rounding(factor * terms, static_cast<double>(ScalarTraits<T>::roundoff));
  const double in_check = rounding(factor * own, ScalarTraits<double>::roundoff);
  ProductCheck check;
  for (std::size_t i = 0; i < cx.value.size(); ++i) {
    const W expected = W(alpha) * abx.value[i] + W(beta) * c0x.value[i];
    const double size = std::abs(W(alpha)) * abx.size[i] + std::abs(W(beta)) * c0x.size[i];
    const double allowed = (in_product + in_check) * size + in_check * cx.size[i];
    const double error = std::abs(cx.value[i] - expected);
    if (error == 0) continue;
    const double share = error / allowed;
    check.worst = std::max(check.worst, std::isnan(share) ? std::numeric_limits<double>::infinity() : share);
  }
  return check;
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
