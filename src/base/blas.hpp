// The BLAS calls Cairn uses, over 64-bit sizes. The only door to BLAS in the project.
#pragma once

#include <string>

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

// Which library answers to dgemm_ in this process.
struct Library {
  std::string path;      // the shared object, links resolved
  std::string vendor;    // "OpenBLAS", "BLIS", "MKL", "reference" or "unknown"
  std::string version;   // as the library tells it, or empty
  int integer_bits = 0;  // of its size arguments, found by asking it
  int threads = 0;       // it would use now; 0 if it does not tell
};
Library library();

// Threads the BLAS may use from now on. False if this BLAS cannot be told.
bool set_threads(int threads);

}  // namespace blas
}  // namespace cairn
