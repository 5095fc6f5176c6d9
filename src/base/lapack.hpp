// The LAPACK calls Cairn uses, over 64-bit sizes. The only door to LAPACK in the project.
#pragma once

#include <span>

#include "base/scalar.hpp"
#include "base/size.hpp"

namespace cairn::lapack {

// A := the factors of P A = L U, A m x n and column-major: U on and above the diagonal, L without its ones
// below. pivots[i], counted from 0, is the row that row i was swapped with, i < min(m, n). Returns 0, or the
// first i + 1 for which U(i, i) is zero: the factors are there all the same.
template <Scalar T>
Index getrf(Index m, Index n, T* a, Index lda, std::span<int> pivots);

// The same without exchanging rows. A zero on the diagonal of U is reported in the same way; the column
// below it is then left as it is.
template <Scalar T>
Index getrf_without_pivots(Index m, Index n, T* a, Index lda);

// One triangle of A := the L of A = L L^H or the U of A = U^H U. Returns 0, or the order of the first leading
// minor that is not positive: rows and columns before it are factored.
template <Scalar T>
Index potrf(Triangle triangle, Index n, T* a, Index lda);

// Row i of A changes places with row pivots[i], i = 0, 1, ...
template <Scalar T>
void swap_rows(Index n, T* a, Index lda, std::span<const int> pivots);

#define CAIRN_LAPACK(T)                                                 \
  extern template Index getrf(Index, Index, T*, Index, std::span<int>); \
  extern template Index getrf_without_pivots(Index, Index, T*, Index);  \
  extern template Index potrf(Triangle, Index, T*, Index);              \
  extern template void swap_rows(Index, T*, Index, std::span<const int>);
CAIRN_LAPACK(float)
CAIRN_LAPACK(double)
CAIRN_LAPACK(std::complex<float>)
CAIRN_LAPACK(std::complex<double>)
#undef CAIRN_LAPACK

}  // namespace cairn::lapack
