// Iterative refinement: factors in low precision, residuals in high.
#pragma once

#include <functional>

#include "factor/factored.hpp"

namespace cairn::factor {

struct Refinement {
  int steps = 0;
  double backward_error = 0;  // |b - A x| / (|A| |x| + |b|), infinity norms, the worst column
  bool converged = false;
};

// The products that refinement needs: A lies in blocks of rows; X is brought to every rank. Words: n^2 / P at first,
// then n columns(X) per step and rank.
template <Scalar T>
class ResidualMaker {
 public:
  ResidualMaker(comm::CommView comm, const layout::MatrixView<const T>& a);

  // Collective. r := b - A x, all in layout(); and the largest |b - A x| / (|A| |x| + |b|) of a column.
  double make(const layout::DistMatrix<T>& x, const layout::DistMatrix<T>& b, layout::DistMatrix<T>& r) const;
  layout::Layout layout(Index columns) const;
  double norm() const { return norm_; }

 private:
  comm::CommView comm_;
  layout::DistMatrix<T> a_;
  double norm_ = 0;
};

// Collective. B becomes X: solve(r) replaces r by an approximate A^-1 r. Not converged: B is as it was.
template <Scalar T>
Refinement refine(comm::CommView comm, const ResidualMaker<T>& residual,
                  const std::function<void(const layout::MatrixView<T>&)>& solve,
                  const layout::MatrixView<T>& b, int most_steps);

}  // namespace cairn::factor
