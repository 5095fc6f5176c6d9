#include "base/lapack.hpp"

#include <algorithm>
#include <vector>

#include "base/blas_detail.hpp"

namespace cairn::lapack {

using blas::Int;

extern "C" {
#define CAIRN_GETRF(name, T) void name(const Int*, const Int*, T*, const Int*, Int*, Int*);
#define CAIRN_POTRF(name, T) void name(const char*, const Int*, T*, const Int*, Int*);
CAIRN_GETRF(sgetrf_, float)
CAIRN_GETRF(dgetrf_, double)
CAIRN_GETRF(cgetrf_, std::complex<float>)
CAIRN_GETRF(zgetrf_, std::complex<double>)
CAIRN_POTRF(spotrf_, float)
CAIRN_POTRF(dpotrf_, double)
CAIRN_POTRF(cpotrf_, std::complex<float>)
CAIRN_POTRF(zpotrf_, std::complex<double>)
#undef CAIRN_GETRF
#undef CAIRN_POTRF
}

namespace {

template <class T>
struct Factoring;
template <>
struct Factoring<float> {
  static constexpr auto getrf = &sgetrf_;
  static constexpr auto potrf = &spotrf_;
};
template <>
struct Factoring<double> {
  static constexpr auto getrf = &dgetrf_;
  static constexpr auto potrf = &dpotrf_;
};
template <>
struct Factoring<std::complex<float>> {
  static constexpr auto getrf = &cgetrf_;
  static constexpr auto potrf = &cpotrf_;
};
template <>
struct Factoring<std::complex<double>> {
  static constexpr auto getrf = &zgetrf_;
  static constexpr auto potrf = &zpotrf_;
};

// One column at a time, for blocks of a few columns.
template <Scalar T>
Index eliminate(Index m, Index n, T* a, Index lda) {
  Index info = 0;
  for (Index k = 0; k < std::min(m, n); ++k) {
    T* column = a + k * lda;
    if (column[k] == T(0)) {
      info = info == 0 ? k + 1 : info;
      continue;
    }
    for (Index i = k + 1; i < m; ++i) column[i] /= column[k];
    blas::ger<T>(Op::transpose, m - k - 1, n - k - 1, T(-1), column + k + 1, 1, column + lda + k, lda,
                 column + lda + k + 1, lda);
  }
  return info;
}

}  // namespace

template <Scalar T>
Index getrf(Index m, Index n, T* a, Index lda, std::span<int> pivots) {
  const Index k = std::min(m, n);
  if (k == 0) return 0;
  std::vector<Int> found(static_cast<std::size_t>(k));
  const Int m_ = narrow<Int>(m, "getrf: m"), n_ = narrow<Int>(n, "getrf: n"),
            lda_ = blas::leading(lda, "getrf: lda");
  Int info = 0;
  Factoring<T>::getrf(&m_, &n_, a, &lda_, found.data(), &info);
  require(info >= 0, "getrf: argument {} is not valid", -info);
  std::ranges::transform(found, pivots.begin(), [](Int p) { return static_cast<int>(p) - 1; });
  return info;
}

template <Scalar T>
Index getrf_without_pivots(Index m, Index n, T* a, Index lda) {
  constexpr Index block = 16;
  Index info = 0;
  for (Index k = 0; k < std::min(m, n); k += block) {
    const Index b = std::min(block, std::min(m, n) - k), right = n - k - b, below = m - k - b;
    T* corner = a + k * (lda + 1);
    const Index here = eliminate(m - k, b, corner, lda);
    if (info == 0 && here > 0) info = k + here;
    blas::trsm<T>(Side::left, Triangle::lower, Op::none, Diagonal::unit, b, right, T(1), corner, lda,
                  corner + b * lda, lda);
    blas::gemm<T>(Op::none, Op::none, below, right, b, T(-1), corner + b, lda, corner + b * lda, lda, T(1),
                  corner + b * (lda + 1), lda);
  }
  return info;
}

template <Scalar T>
Index potrf(Triangle triangle, Index n, T* a, Index lda) {
  if (n == 0) return 0;
  const char u = blas::letter(triangle);
  const Int n_ = narrow<Int>(n, "potrf: n"), lda_ = blas::leading(lda, "potrf: lda");
  Int info = 0;
  Factoring<T>::potrf(&u, &n_, a, &lda_, &info);
  require(info >= 0, "potrf: argument {} is not valid", -info);
  return info;
}

template <Scalar T>
void swap_rows(Index n, T* a, Index lda, std::span<const int> pivots) {
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < std::ssize(pivots); ++i)
      std::swap(a[i + j * lda], a[pivots[static_cast<std::size_t>(i)] + j * lda]);
}

#define CAIRN_INSTANTIATE(T)                                     \
  template Index getrf(Index, Index, T*, Index, std::span<int>); \
  template Index getrf_without_pivots(Index, Index, T*, Index);  \
  template Index potrf(Triangle, Index, T*, Index);              \
  template void swap_rows(Index, T*, Index, std::span<const int>);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::lapack
