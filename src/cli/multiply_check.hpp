// Is C = alpha op(A) op(B) + beta C0? A check by one random vector x of signs: C x against
// alpha op(A) (op(B) x) + beta C0 x. To be replaced by the library's own verification (gemm/verify.hpp).
#pragma once

#include "cli/multiply_data.hpp"
#include "comm/communicator.hpp"

namespace cairn::cli {

struct ProductCheck {
  double worst = 0;  // largest difference over what rounding allows
  bool passed() const { return worst <= 1; }
};

// Collective. A, B and C0 are those of fill_random; a, b, c this rank's parts. Words: four vectors of m and
// two of k are added up over all ranks. Memory: O(m + n + k) on each.
template <Scalar T>
ProductCheck check_product(comm::CommView comm, const gemm::Schedule& schedule, T alpha, std::span<const T> a,
                           std::span<const T> b, T beta, std::span<const T> c);

extern template ProductCheck check_product(comm::CommView, const gemm::Schedule&, float,
                                           std::span<const float>, std::span<const float>, float,
                                           std::span<const float>);
extern template ProductCheck check_product(comm::CommView, const gemm::Schedule&, double,
                                           std::span<const double>, std::span<const double>, double,
                                           std::span<const double>);
extern template ProductCheck check_product(comm::CommView, const gemm::Schedule&, std::complex<float>,
                                           std::span<const std::complex<float>>,
                                           std::span<const std::complex<float>>, std::complex<float>,
                                           std::span<const std::complex<float>>);
extern template ProductCheck check_product(comm::CommView, const gemm::Schedule&, std::complex<double>,
                                           std::span<const std::complex<double>>,
                                           std::span<const std::complex<double>>, std::complex<double>,
                                           std::span<const std::complex<double>>);

}  // namespace cairn::cli
