// How well factors and solutions fit: norms of what is left over, from products with a random vector of signs. Words:
// a few vectors. Everything is added in double.
#pragma once

#include "factor/factored.hpp"

namespace cairn::factor {

// |P A x - L U x| over n eps |A| (infinity norms, |x| = 1): about 1 or less if rounding is all that went wrong.
template <Scalar T>
double lu_residual(comm::CommView comm, const layout::MatrixView<const T>& a, FactoredLu<T>& factors);

// |A x - L L^H x| over n eps |A|; the named triangle of A is read.
template <Scalar T>
double cholesky_residual(comm::CommView comm, const layout::MatrixView<const T>& a, Triangle triangle,
                         FactoredCholesky<T>& factor);

// The largest normwise backward error of a column, |b - A x| / (|A| |x| + |b|), over eps. `triangle`: A is Hermitian and
// only that half of it is read.
template <Scalar T>
double solve_residual(comm::CommView comm, const layout::MatrixView<const T>& a,
                      std::optional<Triangle> triangle, const layout::MatrixView<const T>& x,
                      const layout::MatrixView<const T>& b);

}  // namespace cairn::factor
