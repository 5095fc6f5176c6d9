#include "symmetric/residual.hpp"

#include <algorithm>
#include <cmath>

#include "comm/collectives.hpp"
#include "layout/dist_matrix.hpp"
#include "symmetric/compile.hpp"

namespace cairn::symmetric {
namespace {

using Complex = std::complex<double>;

// A vector and, beside it, the same with absolute values everywhere: what rounding may be large against.
struct Vector {
  std::vector<Complex> value;
  std::vector<double> size;

  explicit Vector(Index n) : value(static_cast<std::size_t>(n)), size(static_cast<std::size_t>(n)) {}
  void add(Index i, Complex x, double absolute) {
    value[static_cast<std::size_t>(i)] += x;
    size[static_cast<std::size_t>(i)] += absolute;
  }
};

Vector random_vector(Index n, std::uint64_t seed) {
  Vector x(n);
  for (Index i = 0; i < n; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    x.add(i, static_cast<double>(seed >> 11) * 0x1p-52 - 1, 1);
  }
  return x;
}

// What the elements of a matrix stand for.
enum class Structure : std::uint8_t { general, symmetric, hermitian, triangular };
struct Meaning {
  Structure structure = Structure::general;
  Triangle triangle = Triangle::lower;
  Diagonal diagonal = Diagonal::stored;
};

// Collective. op(M) x, on every rank. Of a replicated layout the first copy counts.
template <Scalar T>
Vector apply(comm::CommView comm, const layout::MatrixView<const T>& m, const Meaning& meaning, Op op,
             const Vector& x) {
  const Index rows = op == Op::none ? m.layout.rows() : m.layout.columns();
  Vector y(rows);
  const auto use = [&](Index i, Index j, Complex e) {
    if (op != Op::none) std::swap(i, j);
    if (op == Op::adjoint) e = std::conj(e);
    const auto from = static_cast<std::size_t>(j);
    y.add(i, e * x.value[from], std::abs(e) * x.size[from]);
  };
  const auto mirrored = [&](Complex e) {
    return meaning.structure == Structure::hermitian ? std::conj(e) : e;
  };
  layout::for_each_element(m, comm.rank(), [&](Index i, Index j, const T& element) {
    if (m.layout.owner_of(i, j) != comm.rank()) return;
    Complex e(element);
    if (meaning.structure != Structure::general && (meaning.triangle == Triangle::lower ? i < j : i > j))
      return;
    if (i == j && meaning.structure == Structure::hermitian) e = e.real();
    if (i == j && meaning.structure == Structure::triangular && meaning.diagonal == Diagonal::unit) e = 1;
    use(i, j, e);
    const bool twice = meaning.structure == Structure::symmetric || meaning.structure == Structure::hermitian;
    if (twice && i != j) use(j, i, mirrored(e));
  });
  Vector sum(rows);
  comm::allreduce(comm, y.value, std::span(sum.value), comm::ReduceOp::sum);
  comm::allreduce(comm, y.size, std::span(sum.size), comm::ReduceOp::sum);
  return sum;
}

Vector conjugated(Vector x) {
  for (Complex& v : x.value) v = std::conj(v);
  return x;
}

}  // namespace

template <Scalar T>
double error_over_allowed(comm::CommView comm, const Problem& p, T alpha,
                          const std::array<layout::MatrixView<const T>, 3>& before, T beta,
                          const layout::MatrixView<const T>& after, std::uint64_t seed) {
  const Structure symmetry = p.hermitian ? Structure::hermitian : Structure::symmetric;
  const Meaning general{},
      square{p.kind == Kind::triangular ? Structure::triangular : symmetry, p.triangle, p.diagonal};
  const Meaning& of_result = p.updates() ? square : general;
  const Vector x = random_vector(after.layout.columns(), seed);
  const Vector result = apply(comm, after, of_result, Op::none, x);
  Vector wanted(after.layout.rows());
  const auto add = [&](Complex factor, const Vector& y) {
    for (std::size_t i = 0; i < y.value.size(); ++i)
      wanted.add(static_cast<Index>(i), factor * y.value[i], std::abs(factor) * y.size[i]);
  };
  // op(A) op(B)' x, B' the transpose or the adjoint: conj(B^H conj(x)) is B^T x.
  const auto panels = [&](std::size_t a, std::size_t b) {
    const auto turned = [&](const Vector& v) {
      if (p.op == Op::none)
        return apply(comm, before[b], general, p.hermitian ? Op::adjoint : Op::transpose, v);
      const bool plain = (p.op == Op::adjoint) == p.hermitian;
      return plain ? apply(comm, before[b], general, Op::none, v)
                   : conjugated(apply(comm, before[b], general, Op::none, conjugated(v)));
    };
    return apply(comm, before[a], general, p.op, turned(x));
  };
  if (p.kind == Kind::rank_k) add(Complex(alpha), panels(0, 0));
  if (p.kind == Kind::rank_2k) {
    add(Complex(alpha), panels(0, 1));
    add(Complex(p.hermitian ? cairn::conj(alpha) : alpha), panels(1, 0));
  }
  const Op op = p.kind == Kind::triangular ? p.op : Op::none;
  if (!p.updates() && p.side == Side::left)
    add(Complex(alpha), apply(comm, before[0], square, op, apply(comm, before[1], general, Op::none, x)));
  if (!p.updates() && p.side == Side::right)
    add(Complex(alpha), apply(comm, before[1], general, Op::none, apply(comm, before[0], square, op, x)));
  if (beta != T(0) && p.kind != Kind::triangular)
    add(Complex(beta), apply(comm, before[2], of_result, Op::none, x));
  // Sums of p.k (p.n) products, then of n: gamma of both, four times for complex numbers.
  const double terms = static_cast<double>(p.n + p.k) + 20, roundoff = ScalarTraits<T>::roundoff;
  const double allowed = (is_complex(p.type) ? 4 : 1) * terms * roundoff;
  double worst = 0;
  for (std::size_t i = 0; i < wanted.value.size(); ++i) {
    const double difference = std::abs(result.value[i] - wanted.value[i]);
    const double over = difference / (allowed * (wanted.size[i] + result.size[i]) + 1e-300);
    worst = std::isnan(over) ? INFINITY : std::max(worst, over);
  }
  return worst;
}

#define CAIRN_INSTANTIATE(T)                                                               \
  template double error_over_allowed(comm::CommView, const Problem&, T,                    \
                                     const std::array<layout::MatrixView<const T>, 3>&, T, \
                                     const layout::MatrixView<const T>&, std::uint64_t);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::symmetric
