// Triangular solves and symmetric updates.
#include "base/blas_detail.hpp"

namespace cairn::blas {

extern "C" {
#define CAIRN_TRSM(name, T)                                                                                 \
  void name(const char*, const char*, const char*, const char*, const Int*, const Int*, const T*, const T*, \
            const Int*, T*, const Int*);
#define CAIRN_HERK(name, T)                                                                         \
  void name(const char*, const char*, const Int*, const Int*, const Real<T>*, const T*, const Int*, \
            const Real<T>*, T*, const Int*);
CAIRN_TRSM(strsm_, float)
CAIRN_TRSM(dtrsm_, double)
CAIRN_TRSM(ctrsm_, std::complex<float>)
CAIRN_TRSM(ztrsm_, std::complex<double>)
CAIRN_HERK(ssyrk_, float)
CAIRN_HERK(dsyrk_, double)
CAIRN_HERK(cherk_, std::complex<float>)
CAIRN_HERK(zherk_, std::complex<double>)
#undef CAIRN_TRSM
#undef CAIRN_HERK
}

namespace {

template <class T>
struct Level3;
template <>
struct Level3<float> {
  static constexpr auto trsm = &strsm_;
  static constexpr auto herk = &ssyrk_;
};
template <>
struct Level3<double> {
  static constexpr auto trsm = &dtrsm_;
  static constexpr auto herk = &dsyrk_;
};
template <>
struct Level3<std::complex<float>> {
  static constexpr auto trsm = &ctrsm_;
  static constexpr auto herk = &cherk_;
};
template <>
struct Level3<std::complex<double>> {
  static constexpr auto trsm = &ztrsm_;
  static constexpr auto herk = &zherk_;
};

}  // namespace

template <Scalar T>
void trsm(Side side, Triangle triangle, Op op, Diagonal diagonal, Index m, Index n, T alpha, const T* a,
          Index lda, T* b, Index ldb) {
  if (m == 0 || n == 0) return;
  const char s = side == Side::left ? 'L' : 'R', u = letter(triangle), t = letter(op),
             d = diagonal == Diagonal::unit ? 'U' : 'N';
  const Int m_ = narrow<Int>(m, "trsm: m"), n_ = narrow<Int>(n, "trsm: n");
  const Int lda_ = leading(lda, "trsm: lda"), ldb_ = leading(ldb, "trsm: ldb");
  Level3<T>::trsm(&s, &u, &t, &d, &m_, &n_, &alpha, a, &lda_, b, &ldb_);
}

template <Scalar T>
void herk(Triangle triangle, Op op, Index n, Index k, Real<T> alpha, const T* a, Index lda, Real<T> beta,
          T* c, Index ldc) {
  require(op != Op::transpose || !ScalarTraits<T>::is_complex,
          "herk: op is transpose, expected none or adjoint");
  if (n == 0) return;
  const char u = letter(triangle), t = op == Op::none ? 'N' : ScalarTraits<T>::is_complex ? 'C' : 'T';
  const Int n_ = narrow<Int>(n, "herk: n"), k_ = narrow<Int>(k, "herk: k");
  const Int lda_ = leading(lda, "herk: lda"), ldc_ = leading(ldc, "herk: ldc");
  Level3<T>::herk(&u, &t, &n_, &k_, &alpha, a, &lda_, &beta, c, &ldc_);
}

#define CAIRN_INSTANTIATE(T)                                                                     \
  template void trsm(Side, Triangle, Op, Diagonal, Index, Index, T, const T*, Index, T*, Index); \
  template void herk(Triangle, Op, Index, Index, Real<T>, const T*, Index, Real<T>, T*, Index);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::blas
