// A plain product to compare with: matrices whose elements are functions of their indices, and the error that
// any order of the sums may have.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gemm/native.hpp"

namespace cairn::gemm::test {

// A number in [-1, 1) that depends on everything.
inline double hash_number(std::uint64_t seed, Index i, Index j) {
  std::uint64_t x = seed * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(i) * 0xBF58476D1CE4E5B9ULL +
                    static_cast<std::uint64_t>(j) * 0x94D049BB133111EBULL;
  x ^= x >> 31;
  x *= 0xD6E8FEB86659FD93ULL;
  x ^= x >> 32;
  return static_cast<double>(x >> 11) / static_cast<double>(1ULL << 52) - 1;
}

template <Scalar T>
T element(std::uint64_t seed, Index i, Index j) {
  if constexpr (ScalarTraits<T>::is_complex)
    return {static_cast<Real<T>>(hash_number(seed, i, j)), static_cast<Real<T>>(hash_number(seed + 7, i, j))};
  else
    return static_cast<T>(hash_number(seed, i, j));
}

// This rank's part of a stored matrix with element(seed, i, j) at (i, j).
template <Scalar T>
std::vector<T> local_part(const Schedule& s, Matrix x, int rank, std::uint64_t seed) {
  const NativeLayout layout(s, x);
  std::vector<T> part(static_cast<std::size_t>(layout.local_count(rank)));
  for (const Piece& p : layout.pieces(rank)) {
    for (Index j = 0; j < p.cols; ++j)
      for (Index i = 0; i < p.rows; ++i)
        part[static_cast<std::size_t>(p.offset + i + j * p.rows)] = element<T>(seed, p.row + i, p.col + j);
  }
  return part;
}

struct Seeds {
  std::uint64_t a = 1, b = 2, c = 3;
};

// Element (i, j) of alpha op(A) op(B) + beta C in the type's own arithmetic, and the sum of the absolute
// values.
template <Scalar T>
std::pair<T, double> reference(const Problem& p, const Seeds& seeds, T alpha, T beta, Index i, Index j) {
  const auto a = [&](Index l) {
    if (p.op_a == Op::none) return element<T>(seeds.a, i, l);
    return p.op_a == Op::transpose ? element<T>(seeds.a, l, i) : conj(element<T>(seeds.a, l, i));
  };
  const auto b = [&](Index l) {
    if (p.op_b == Op::none) return element<T>(seeds.b, l, j);
    return p.op_b == Op::transpose ? element<T>(seeds.b, j, l) : conj(element<T>(seeds.b, j, l));
  };
  T sum(0);
  double absolute = 0;
  for (Index l = 0; l < p.k; ++l) {
    const T x = a(l), y = b(l);
    sum += x * y;
    absolute += static_cast<double>(std::abs(x)) * static_cast<double>(std::abs(y));
  }
  if (alpha == T(0)) sum = T(0), absolute = 0;
  T result = alpha == T(0) ? T(0) : alpha * sum;
  absolute *= static_cast<double>(std::abs(alpha));
  if (beta != T(0)) {
    const T c = element<T>(seeds.c, i, j);
    result += beta * c;
    absolute += static_cast<double>(std::abs(beta)) * static_cast<double>(std::abs(c));
  }
  return {result, absolute};
}

// Both results, ours and the reference, are sums of k products and at most pk + rounds partial sums in some
// order, with alpha and beta: each is within g(q) of the exact one, q = k + pk + rounds + 4, g(q) = q u / (1
// - q u). A complex product has four times the error of a real one at most.
template <Scalar T>
double error_bound(const Schedule& s, double absolute) {
  const double u = ScalarTraits<T>::roundoff;
  const double terms =
      static_cast<double>(s.problem.k + (s.tree ? s.tree->ranks() : s.grid.pk) + s.rounds.count + 4);
  const double q = terms * (ScalarTraits<T>::is_complex ? 4 : 1) * u;
  return 2 * q / (1 - q) * absolute;
}

// Compares this rank's part of the result, element by element.
template <Scalar T>
void expect_product(const Schedule& s, int rank, const Seeds& seeds, T alpha, T beta,
                    const std::vector<T>& c) {
  const NativeLayout layout(s, Matrix::c);
  for (const Piece& p : layout.pieces(rank)) {
    for (Index j = 0; j < p.cols; ++j)
      for (Index i = 0; i < p.rows; ++i) {
        const auto [expected, absolute] = reference<T>(s.problem, seeds, alpha, beta, p.row + i, p.col + j);
        const T got = c[static_cast<std::size_t>(p.offset + i + j * p.rows)];
        const auto error = static_cast<double>(std::abs(got - expected));
        ASSERT_LE(error, error_bound<T>(s, absolute))  // NaN fails as well
            << "C(" << p.row + i << ", " << p.col + j << ") on rank " << rank << " of " << describe(s);
      }
  }
}

}  // namespace cairn::gemm::test
