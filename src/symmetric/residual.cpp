#include "symmetric/residual.hpp"

#include "check/parts.hpp"

namespace cairn::symmetric {
namespace {

using check::Operand;
using check::Term;
using layout::LocalBlocks;

// op(X)', the prime being the transpose or the adjoint.
template <Scalar T>
Operand<T> primed(const Problem& p, const LocalBlocks<T>& x) {
  if (p.op == Op::none) return {p.hermitian ? Op::adjoint : Op::transpose, x};
  return {Op::none, (p.op == Op::adjoint) == p.hermitian ? x : check::conjugated(x)};
}

// The square matrix that one triangle stands for.
template <Scalar T>
LocalBlocks<T> square(const Problem& p, const LocalBlocks<T>& x) {
  if (p.kind == Kind::triangular) return check::triangle_of(x, p.triangle, p.diagonal);
  return check::mirrored(x, p.triangle, p.hermitian);
}

template <Scalar T>
std::vector<Term<T>> terms_of(const Problem& p, T alpha, const std::array<LocalBlocks<T>, 3>& x) {
  if (p.kind == Kind::rank_k) return {{alpha, {{p.op, x[0]}, primed(p, x[0])}}};
  if (p.kind == Kind::rank_2k)
    return {{alpha, {{p.op, x[0]}, primed(p, x[1])}},
            {p.hermitian ? cairn::conj(alpha) : alpha, {{p.op, x[1]}, primed(p, x[0])}}};
  const Operand<T> triangle{p.kind == Kind::triangular ? p.op : Op::none, square(p, x[0])},
      panel{Op::none, x[1]};
  if (p.side == Side::left) return {{alpha, {triangle, panel}}};
  return {{alpha, {panel, triangle}}};
}

}  // namespace

template <Scalar T>
check::Verdict check_product(comm::CommView comm, const Problem& p, T alpha,
                             const std::array<layout::MatrixView<const T>, 3>& before, T beta,
                             const layout::MatrixView<const T>& after, const check::VerifyOptions& options) {
  std::array<LocalBlocks<T>, 3> x;
  for (std::size_t i = 0; i < 3; ++i) x[i] = layout::blocks_of<T>(before[i], comm.rank());
  const auto result = [&](const LocalBlocks<T>& blocks) { return p.updates() ? square(p, blocks) : blocks; };
  std::vector<Term<T>> terms = terms_of(p, alpha, x);
  if (p.kind != Kind::triangular) terms.push_back({beta, {{Op::none, result(x[2])}}});
  const check::Freivalds<T> freivalds(comm, after.layout.rows(), after.layout.columns(), options);
  return freivalds.check(terms, T(0), result(layout::blocks_of<T>(after, comm.rank())));
}

#define CAIRN_INSTANTIATE(T)                                                                  \
  template check::Verdict check_product(comm::CommView, const Problem&, T,                    \
                                        const std::array<layout::MatrixView<const T>, 3>&, T, \
                                        const layout::MatrixView<const T>&, const check::VerifyOptions&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::symmetric
