// Matrix times vector and rank-1 updates.
#include "base/blas_detail.hpp"

namespace cairn::blas {

extern "C" {
#define CAIRN_GEMV(name, T)                                                                            \
  void name(const char*, const Int*, const Int*, const T*, const T*, const Int*, const T*, const Int*, \
            const T*, T*, const Int*);
#define CAIRN_GER(name, T) \
  void name(const Int*, const Int*, const T*, const T*, const Int*, const T*, const Int*, T*, const Int*);
CAIRN_GEMV(sgemv_, float)
CAIRN_GEMV(dgemv_, double)
CAIRN_GEMV(cgemv_, std::complex<float>)
CAIRN_GEMV(zgemv_, std::complex<double>)
CAIRN_GER(sger_, float)
CAIRN_GER(dger_, double)
CAIRN_GER(cgeru_, std::complex<float>)
CAIRN_GER(zgeru_, std::complex<double>)
CAIRN_GER(cgerc_, std::complex<float>)
CAIRN_GER(zgerc_, std::complex<double>)
#undef CAIRN_GEMV
#undef CAIRN_GER
}

namespace {

// The routines of a type: y := op(A) x, A + x y^T, A + x y^H.
template <class T>
struct Symbols;
template <>
struct Symbols<float> {
  static constexpr auto gemv = &sgemv_;
  static constexpr auto ger = &sger_, gerc = &sger_;
};
template <>
struct Symbols<double> {
  static constexpr auto gemv = &dgemv_;
  static constexpr auto ger = &dger_, gerc = &dger_;
};
template <>
struct Symbols<std::complex<float>> {
  static constexpr auto gemv = &cgemv_;
  static constexpr auto ger = &cgeru_, gerc = &cgerc_;
};
template <>
struct Symbols<std::complex<double>> {
  static constexpr auto gemv = &zgemv_;
  static constexpr auto ger = &zgeru_, gerc = &zgerc_;
};

// Libraries differ in what they do to y where there is nothing to add to it or beta is zero.
template <Scalar T>
void scale(T* y, Index n, Index inc, T beta) {
  if (beta == T(1)) return;
  for (Index i = 0; i < n; ++i) y[i * inc] = beta == T(0) ? T(0) : beta * y[i * inc];
}

}  // namespace

template <Scalar T>
void gemv(Op op, Index m, Index n, T alpha, const T* a, Index lda, const T* x, Index incx, T beta, T* y,
          Index incy) {
  scale(y, op == Op::none ? m : n, incy, beta);
  if (m == 0 || n == 0 || alpha == T(0)) return;
  const char t = letter(op);
  const Int m_ = narrow<Int>(m, "gemv: m"), n_ = narrow<Int>(n, "gemv: n"), lda_ = leading(lda, "gemv: lda");
  const Int incx_ = narrow<Int>(incx, "gemv: incx"), incy_ = narrow<Int>(incy, "gemv: incy");
  const T one = T(1);
  Symbols<T>::gemv(&t, &m_, &n_, &alpha, a, &lda_, x, &incx_, &one, y, &incy_);
}

template <Scalar T>
void ger(Op op, Index m, Index n, T alpha, const T* x, Index incx, const T* y, Index incy, T* a, Index lda) {
  require(op != Op::none, "ger: op of the second vector is none, expected transpose or adjoint");
  if (m == 0 || n == 0 || alpha == T(0)) return;
  const Int m_ = narrow<Int>(m, "ger: m"), n_ = narrow<Int>(n, "ger: n"), lda_ = leading(lda, "ger: lda");
  const Int incx_ = narrow<Int>(incx, "ger: incx"), incy_ = narrow<Int>(incy, "ger: incy");
  (op == Op::adjoint ? Symbols<T>::gerc : Symbols<T>::ger)(&m_, &n_, &alpha, x, &incx_, y, &incy_, a, &lda_);
}

#define CAIRN_INSTANTIATE(T)                                                               \
  template void gemv(Op, Index, Index, T, const T*, Index, const T*, Index, T, T*, Index); \
  template void ger(Op, Index, Index, T, const T*, Index, const T*, Index, T*, Index);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::blas
