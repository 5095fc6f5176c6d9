// Are factors and solutions right? Both sides of what they should fulfil times random vectors (check/freivalds.hpp).
#pragma once

#include "check/freivalds.hpp"
#include "factor/factored.hpp"

namespace cairn::factor {

struct Residual {
  check::Verdict verdict;  // row by row, within what rounding explains
  double relative = 0;  // the largest residual, as a norm: about 1 or less if rounding is all that went wrong
};

// P A = L U within the bound of Gaussian elimination, |P A - L U| <= g(k) |L| |U|, whatever the pivots.
// relative: |P A x - L U x| / (n eps |A|), infinity norms, |x| = 1.
template <Scalar T>
Residual lu_residual(comm::CommView comm, const layout::MatrixView<const T>& a, FactoredLu<T>& factors,
                     const check::VerifyOptions& options = {});

// A = L L^H within g(n + 1) |L| |L^H|; relative: |A x - L L^H x| / (n eps |A|). The named triangle of A is read.
template <Scalar T>
Residual cholesky_residual(comm::CommView comm, const layout::MatrixView<const T>& a, Triangle triangle,
                           FactoredCholesky<T>& factor, const check::VerifyOptions& options = {});

// relative: the largest normwise backward error of a column, |b - A x| / (|A| |x| + |b|), over eps; the verdict allows 10
// sqrt(n). `triangle`: A is Hermitian and only that half of it is read. Words: X and B go to every rank.
template <Scalar T>
Residual solve_residual(comm::CommView comm, const layout::MatrixView<const T>& a,
                        std::optional<Triangle> triangle, const layout::MatrixView<const T>& x,
                        const layout::MatrixView<const T>& b);

}  // namespace cairn::factor
