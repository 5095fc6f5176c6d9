#include "bench/factored_system.hpp"

#include "bench/scalapack_system.hpp"
#include "factor/residual.hpp"

namespace cairn::bench {

using factor::Kind;

FactoredSystem::FactoredSystem(comm::CommView c, Index n, bool definite,
                               const factor::FactorSettings& settings)
    : comm_(c),
      plan_(factor::plan_factor({definite ? Kind::cholesky : Kind::lu, n, n, ScalarType::f64}, c.size(),
                                settings)),
      a_(definite ? factor::cholesky_layout(*plan_.cholesky) : factor::lu_layout(*plan_.lu), c.rank()) {
  if (definite)
    cholesky_.emplace(c, plan_, Triangle::lower);
  else
    lu_.emplace(c, plan_);
  layout::fill(a_.view(), c.rank(), [&](Index i, Index j) { return system_element(i, j, n, definite); });
}

void FactoredSystem::load() { load(matrix()); }

void FactoredSystem::load(const layout::MatrixView<const double>& a) {
  if (lu_)
    lu_->load(a);
  else
    cholesky_->load(a);
}

void FactoredSystem::factor() {
  if (lu_)
    lu_->factor();
  else
    cholesky_->factor();
}

void FactoredSystem::solve(const layout::MatrixView<double>& b) {
  if (lu_)
    lu_->solve(Op::none, b);
  else
    cholesky_->solve(b);
}

double FactoredSystem::residual() {
  return lu_ ? factor::lu_residual<double>(comm_, matrix(), *lu_).relative
             : factor::cholesky_residual<double>(comm_, matrix(), Triangle::lower, *cholesky_).relative;
}

double FactoredSystem::solve_residual(const layout::MatrixView<const double>& x,
                                      const layout::MatrixView<const double>& b) const {
  const std::optional<Triangle> part = lu_ ? std::nullopt : std::optional(Triangle::lower);
  return factor::solve_residual<double>(comm_, matrix(), part, x, b).relative;
}

}  // namespace cairn::bench
