// Triangular solves of panels. The BLAS solves with a triangle of a hundred columns at a tenth to a quarter of the speed of
// its products; in blocks most of the work is products.
#pragma once

#include <algorithm>

#include "base/blas.hpp"

namespace cairn::factor {

// B := B L^-H, rows x width.
template <Scalar T>
void divide_by_adjoint(Index rows, Index width, const T* l, Index ldl, T* b, Index ldb) {
  constexpr Index block = 32;
  for (Index j = 0; j < width; j += block) {
    const Index w = std::min(block, width - j);
    if (j > 0)
      blas::gemm<T>(Op::none, Op::adjoint, rows, w, j, T(-1), b, ldb, l + j, ldl, T(1), b + j * ldb, ldb);
    blas::trsm<T>(Side::right, Triangle::lower, Op::adjoint, Diagonal::stored, rows, w, T(1),
                  l + j * (ldl + 1), ldl, b + j * ldb, ldb);
  }
}

// B := B U^-1, rows x width.
template <Scalar T>
void divide_by_upper(Index rows, Index width, const T* u, Index ldu, T* b, Index ldb) {
  constexpr Index block = 32;
  for (Index j = 0; j < width; j += block) {
    const Index w = std::min(block, width - j);
    if (j > 0)
      blas::gemm<T>(Op::none, Op::none, rows, w, j, T(-1), b, ldb, u + j * ldu, ldu, T(1), b + j * ldb, ldb);
    blas::trsm<T>(Side::right, Triangle::upper, Op::none, Diagonal::stored, rows, w, T(1), u + j * (ldu + 1),
                  ldu, b + j * ldb, ldb);
  }
}

// B := L^-1 B, L with ones on its diagonal, width x columns.
template <Scalar T>
void solve_unit_lower(Index width, Index columns, const T* l, Index ldl, T* b, Index ldb) {
  constexpr Index block = 8;  // the BLAS is slowest here
  for (Index i = 0; i < width; i += block) {
    const Index w = std::min(block, width - i);
    if (i > 0) blas::gemm<T>(Op::none, Op::none, w, columns, i, T(-1), l + i, ldl, b, ldb, T(1), b + i, ldb);
    blas::trsm<T>(Side::left, Triangle::lower, Op::none, Diagonal::unit, w, columns, T(1), l + i * (ldl + 1),
                  ldl, b + i, ldb);
  }
}

}  // namespace cairn::factor
