// A local product while words move.
#pragma once

#include <algorithm>

#include "base/blas.hpp"
#include "comm/progress_thread.hpp"

namespace cairn::program {

// c := alpha op_a(a) op_b(b) + beta c, as BLAS is called.
template <Scalar T>
struct LocalProduct {
  Op op_a = Op::none, op_b = Op::none;
  Index m = 0, n = 0, k = 0;
  T alpha = T(1);
  const T* a = nullptr;
  Index lda = 1;
  const T* b = nullptr;
  Index ldb = 1;
  T beta = T(0);
  T* c = nullptr;
  Index ldc = 1;
};

template <Scalar T>
void multiply(const LocalProduct<T>& x) {
  blas::gemm(x.op_a, x.op_b, x.m, x.n, x.k, x.alpha, x.a, x.lda, x.b, x.ldb, x.beta, x.c, x.ldc);
}

// Without a thread to drive MPI: `progress` is called between strips of columns of a few milliseconds that
// are wide enough for the BLAS.
template <Scalar T, class F>
void multiply_in_strips(const LocalProduct<T>& x, const F& progress) {
  constexpr double strip_flops = 1e8;
  constexpr Index narrowest = 192;  // the BLAS packs all of A again for every strip
  constexpr int polls = 16;         // MPI reads or writes one fragment of a long message in each
  const double column_flops = ScalarTraits<T>::flops_per_voxel * static_cast<double>(x.m) *
                              static_cast<double>(std::max<Index>(1, x.k));
  const double columns = std::min(static_cast<double>(x.n), strip_flops / std::max(1.0, column_flops));
  const Index width = std::max(narrowest, static_cast<Index>(columns));
  for (Index j = 0; j < x.n; j += width) {
    for (int i = 0; j > 0 && i < polls; ++i) progress();
    LocalProduct<T> strip = x;
    strip.n = std::min(width, x.n - j);
    strip.b += x.op_b == Op::none ? j * x.ldb : j;
    strip.c += j * x.ldc;
    multiply(strip);
  }
}

// MPI moves words only when it is called: `progress` is, from the thread where MPI and the system allow.
template <Scalar T, class F>
void multiply_beside(const LocalProduct<T>& x, comm::ProgressThread& thread, const F& progress) {
  if (!comm::ProgressThread::is_allowed() || !thread.start()) return multiply_in_strips(x, progress);
  thread.beside(progress, [&] { multiply(x); });
}

}  // namespace cairn::program
