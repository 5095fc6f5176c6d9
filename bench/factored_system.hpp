// The same systems by Cairn: native layouts for the factorization alone, the user's block-cyclic ones for a whole solve.
#pragma once

#include <optional>

#include "factor/factored.hpp"

namespace cairn::bench {

class FactoredSystem {
 public:
  FactoredSystem(comm::CommView c, Index n, bool definite, const factor::FactorSettings& settings);

  // A as the plan wants it, and as somebody else has it.
  void load();
  void load(const layout::MatrixView<const double>& a);
  void factor();
  void solve(const layout::MatrixView<double>& b);

  const factor::FactorPlan& plan() const { return plan_; }
  // Of the factors: |P A - L U| / (|A| n u) or of L L^H.
  double residual();
  // Normwise backward error over u.
  double solve_residual(const layout::MatrixView<const double>& x,
                        const layout::MatrixView<const double>& b) const;

 private:
  layout::MatrixView<const double> matrix() const { return a_.view(); }

  comm::CommView comm_;
  factor::FactorPlan plan_;
  layout::DistMatrix<double> a_;
  std::optional<factor::FactoredLu<double>> lu_;
  std::optional<factor::FactoredCholesky<double>> cholesky_;
};

}  // namespace cairn::bench
