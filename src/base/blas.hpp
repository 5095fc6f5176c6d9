// The BLAS calls Cairn uses, over 64-bit sizes. The only door to BLAS in the project.
#pragma once

#include <string>
#include <string_view>

#include "base/scalar.hpp"
#include "base/size.hpp"

namespace cairn {

namespace blas {

// C := alpha op(A) op(B) + beta C, column-major, op(A) m x k, op(B) k x n. beta = 0 never reads C.
template <Scalar T>
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, T alpha, const T* a, Index lda, const T* b, Index ldb,
          T beta, T* c, Index ldc);

extern template void gemm(Op, Op, Index, Index, Index, float, const float*, Index, const float*, Index, float,
                          float*, Index);
extern template void gemm(Op, Op, Index, Index, Index, double, const double*, Index, const double*, Index,
                          double, double*, Index);
extern template void gemm(Op, Op, Index, Index, Index, std::complex<float>, const std::complex<float>*, Index,
                          const std::complex<float>*, Index, std::complex<float>, std::complex<float>*,
                          Index);
extern template void gemm(Op, Op, Index, Index, Index, std::complex<double>, const std::complex<double>*,
                          Index, const std::complex<double>*, Index, std::complex<double>,
                          std::complex<double>*, Index);

// y := alpha op(A) x + beta y, A m x n and column-major; incx and incy are at least 1. beta = 0 never reads
// y, alpha = 0 neither A nor x.
template <Scalar T>
void gemv(Op op, Index m, Index n, T alpha, const T* a, Index lda, const T* x, Index incx, T beta, T* y,
          Index incy);

// A := A + alpha x op(y), A m x n and column-major; op is transpose, or adjoint for the conjugate of y.
// alpha = 0 reads neither x nor y.
template <Scalar T>
void ger(Op op, Index m, Index n, T alpha, const T* x, Index incx, const T* y, Index incy, T* a, Index lda);

#define CAIRN_LEVEL2(T)                                                                           \
  extern template void gemv(Op, Index, Index, T, const T*, Index, const T*, Index, T, T*, Index); \
  extern template void ger(Op, Index, Index, T, const T*, Index, const T*, Index, T*, Index);
CAIRN_LEVEL2(float)
CAIRN_LEVEL2(double)
CAIRN_LEVEL2(std::complex<float>)
CAIRN_LEVEL2(std::complex<double>)
#undef CAIRN_LEVEL2

// B := alpha op(A)^-1 B (left) or alpha B op(A)^-1 (right), A a triangle, B m x n; column-major.
template <Scalar T>
void trsm(Side side, Triangle triangle, Op op, Diagonal diagonal, Index m, Index n, T alpha, const T* a,
          Index lda, T* b, Index ldb);

// C := alpha op(A) op(A)^H + beta C, one triangle of C; op(A) n x k with op none or adjoint. Real: syrk.
template <Scalar T>
void herk(Triangle triangle, Op op, Index n, Index k, Real<T> alpha, const T* a, Index lda, Real<T> beta,
          T* c, Index ldc);

#define CAIRN_LEVEL3(T)                                                                                 \
  extern template void trsm(Side, Triangle, Op, Diagonal, Index, Index, T, const T*, Index, T*, Index); \
  extern template void herk(Triangle, Op, Index, Index, Real<T>, const T*, Index, Real<T>, T*, Index);
CAIRN_LEVEL3(float)
CAIRN_LEVEL3(double)
CAIRN_LEVEL3(std::complex<float>)
CAIRN_LEVEL3(std::complex<double>)
#undef CAIRN_LEVEL3

// Which library answers to dgemm_ in this process.
struct Library {
  std::string path;      // the shared object, links resolved
  std::string vendor;    // "OpenBLAS", "BLIS", "MKL", "reference" or "unknown"
  std::string version;   // as the library tells it, or empty
  int integer_bits = 0;  // of its size arguments, found by asking it
  int threads = 0;       // it would use now; 0 if it does not tell
};
Library library();
// Of a library that does not tell: a libblas.so is the reference, but for those that BLIS was built as.
std::string vendor_by_path(std::string_view path);

// Threads the BLAS may use from now on. False if this BLAS cannot be told.
bool set_threads(int threads);

}  // namespace blas
}  // namespace cairn
