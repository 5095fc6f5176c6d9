// Fast products between diagonal scalings (section 6.1 of paper 001): D1 C D3 = (D1 A D2) (D2^-1 B D3). The
// error of a fast product is small against max|A| max|B| only; a row or an inner index that is much smaller
// than the others loses all its digits unless it is scaled. Powers of two: the scaling itself rounds nothing.
#pragma once

#include <span>

#include "gemm/fast/local.hpp"

namespace cairn::gemm::fast {

// outside: rows of op(A) and columns of op(B) to about 1, so that the error of c_ij is small against
// |A(i,:)| |B(:,j)|. inside: columns of op(A) and rows of op(B) to about the same size. both: outside, then
// inside.
enum class Scaling : std::uint8_t { none, outside, inside, both };

// The workspace of `multiply` and copies of A, B and C.
Index scaled_workspace_elements(const LocalProduct& p, Scaling scaling, bool keeps);

template <Scalar T>
void multiply_scaled(const LocalProduct& p, Scaling scaling, T alpha, const T* a, Index lda, const T* b,
                     Index ldb, T beta, T* c, Index ldc, std::span<T> workspace, Workers& workers);

#define CAIRN_FAST_SCALED(T)                                                                                 \
  extern template void multiply_scaled(const LocalProduct&, Scaling, T, const T*, Index, const T*, Index, T, \
                                       T*, Index, std::span<T>, Workers&);
CAIRN_FAST_SCALED(float)
CAIRN_FAST_SCALED(double)
CAIRN_FAST_SCALED(std::complex<float>)
CAIRN_FAST_SCALED(std::complex<double>)
#undef CAIRN_FAST_SCALED

}  // namespace cairn::gemm::fast
