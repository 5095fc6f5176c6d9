// Matrix times vector and rank-1 update, in any layouts. A vector is an n x 1 or a 1 x n Matrix, a row or a column of
// another one (Layout::sub_matrix) as well.
//
//   cairn::matvec(1.0, cairn::Op::none, a, x, 0.0, y);    // y := A x
#pragma once

#include <type_traits>

#include "cairn/export.hpp"
#include "cairn/matrix.hpp"

namespace cairn {

// Collective. y := alpha op(A) x + beta y. A stays where it is. beta = 0 never reads y; alpha = 0 never reads A and x.
// Words, for A on a d0 x d1 mesh (elemental, block-cyclic on a column-major mesh) and vectors dealt over all of it:
// (d0-1)/d0 n/d1 + (d1-1)/d1 m/d0 per rank; other layouts are planned for as a product with one column. Bad arguments
// are the same ArgumentError on every rank.
template <Scalar T>
CAIRN_EXPORT void matvec(std::type_identity_t<T> alpha, Op op, const Matrix<T>& a, const Matrix<T>& x,
                         std::type_identity_t<T> beta, Matrix<T>& y);

// Collective. A := A + alpha y op(x), op transpose or adjoint. A stays where it is; words as for matvec.
template <Scalar T>
CAIRN_EXPORT void rank1(std::type_identity_t<T> alpha, const Matrix<T>& y, Op op, const Matrix<T>& x,
                        Matrix<T>& a);

#define CAIRN_EXTERN(T)                                                                           \
  extern template void matvec<T>(std::type_identity_t<T>, Op, const Matrix<T>&, const Matrix<T>&, \
                                 std::type_identity_t<T>, Matrix<T>&);                            \
  extern template void rank1<T>(std::type_identity_t<T>, const Matrix<T>&, Op, const Matrix<T>&, Matrix<T>&);
CAIRN_EXTERN(float)
CAIRN_EXTERN(double)
CAIRN_EXTERN(std::complex<float>)
CAIRN_EXTERN(std::complex<double>)
#undef CAIRN_EXTERN

}  // namespace cairn
