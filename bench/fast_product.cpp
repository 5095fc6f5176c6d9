#include "bench/fast_product.hpp"

#include <algorithm>
#include <cmath>

#include "comm/collectives.hpp"
#include "gemm/fast/error_bound.hpp"
#include "layout/dist_matrix.hpp"

namespace cairn::bench {
namespace {

using gemm::Matrix;

// A number in [-1, 1) for each element of a matrix, the same on every rank.
template <Scalar T>
T element_at(std::uint64_t matrix, Index i, Index j) {
  const auto number = [&](std::uint64_t part) {
    std::uint64_t x = (matrix + part) * 0x9E3779B97F4A7C15ULL +
                      static_cast<std::uint64_t>(i) * 0xBF58476D1CE4E5B9ULL +
                      static_cast<std::uint64_t>(j) * 0x94D049BB133111EBULL;
    x = (x ^ (x >> 31)) * 0xD6E8FEB86659FD93ULL;
    x ^= x >> 32;
    return static_cast<Real<T>>(static_cast<double>(x >> 11) / static_cast<double>(1ULL << 52) - 1);
  };
  if constexpr (ScalarTraits<T>::is_complex)
    return {number(0), number(7)};
  else
    return number(0);
}

}  // namespace

template <Scalar T>
FastProduct<T>::FastProduct(comm::CommView c, const gemm::fast::FastSchedule& s)
    : comm_(c), dealt_(s), program_(gemm::fast::compile(s, c.rank(), c.size())) {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    arrays_[i] = Buffer<T>(program_.array_counts[i]);
    std::fill_n(arrays_[i].data(), arrays_[i].size(), T(0));  // padding, and pages that are there
  }
  for (const Matrix x : {Matrix::a, Matrix::b}) {
    const Buffer<T>& data = arrays_[index(x) + 1];
    const layout::MatrixView<T> view{dealt_.layout(x), data.data(), data.size(), 0};
    if (data.size() > 0)
      layout::for_each_element(view, c.rank(),
                               [&](Index i, Index j, T& v) { v = element_at<T>(index(x) + 1, i, j); });
  }
}

template <Scalar T>
void FastProduct<T>::run() {
  const std::array<T*, 4> arrays{arrays_[0].data(), arrays_[1].data(), arrays_[2].data(), arrays_[3].data()};
  const std::array<T, 2> parameters{T(1), T(0)};
  program::run<T>(program_, comm_, {arrays, parameters});
}

template <Scalar T>
double FastProduct<T>::worst_error(int samples) {
  const gemm::fast::FastSchedule& s = dealt_.schedule();
  const Buffer<T>& data = arrays_[gemm::fast::array_c];
  const double bound = gemm::fast::error_bound(s).product * gemm::fast::unit_roundoff(s.problem.type) *
                       (ScalarTraits<T>::is_complex ? 2 : 1);
  double worst = 0;
  const Index every = std::max<Index>(1, data.size() / std::max(1, samples));
  Index number = 0;
  const layout::MatrixView<T> view{dealt_.layout(Matrix::c), data.data(), data.size(), 0};
  if (data.size() > 0)
    layout::for_each_element(view, comm_.rank(), [&](Index i, Index j, T& v) {
      if (number++ % every != 0) return;
      using Wide = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<long double>, long double>;
      Wide sum(0);
      for (Index l = 0; l < s.problem.k; ++l)
        sum += static_cast<Wide>(element_at<T>(1, i, l)) * static_cast<Wide>(element_at<T>(2, l, j));
      const double error = static_cast<double>(std::abs(sum - static_cast<Wide>(v)));
      worst = std::max(worst, std::isnan(error) ? 1e300 : error / bound);
    });
  return comm::allreduce(comm_.unchecked(), worst, comm::ReduceOp::max);
}

template class FastProduct<float>;
template class FastProduct<double>;
template class FastProduct<std::complex<float>>;
template class FastProduct<std::complex<double>>;

}  // namespace cairn::bench
