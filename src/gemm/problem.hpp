// The product C := alpha op(A) op(B) + beta C as a problem, and the symmetry of its three dimensions and
// three matrices: each matrix has two of the dimensions and misses the third.
#pragma once

#include <array>
#include <string_view>

#include "base/blas.hpp"
#include "cairn/choices.hpp"

namespace cairn {

constexpr std::size_t index(Dimension d) { return static_cast<std::size_t>(d); }
std::string_view name(Dimension d);

}  // namespace cairn

namespace cairn::gemm {

using Dim = Dimension;
enum class Matrix : std::uint8_t { a, b, c };
inline constexpr std::array all_dims{Dim::m, Dim::n, Dim::k};
inline constexpr std::array all_matrices{Matrix::a, Matrix::b, Matrix::c};

constexpr std::size_t index(Matrix x) { return static_cast<std::size_t>(x); }

std::string_view name(Matrix x);
std::string_view name(Op op);         // N, T, C
std::string_view phase_of(Matrix x);  // of Traffic: "gather A", "gather B", "combine C"

// What a scalar is decides what is done; its value only what is computed.
enum class Coefficient : std::uint8_t { zero, one, other };

template <Scalar T>
Coefficient kind_of(T value) {
  return value == T(0) ? Coefficient::zero : value == T(1) ? Coefficient::one : Coefficient::other;
}

struct Problem {
  Index m = 0;
  Index n = 0;
  Index k = 0;
  Op op_a = Op::none;
  Op op_b = Op::none;
  ScalarType type = ScalarType::f64;
  Coefficient alpha = Coefficient::one;
  Coefficient beta = Coefficient::zero;

  Index size(Dim d) const { return d == Dim::m ? m : d == Dim::n ? n : k; }
  bool empty() const { return m == 0 || n == 0; }
  bool multiplies() const { return !empty() && k > 0 && alpha != Coefficient::zero; }
  friend bool operator==(const Problem&, const Problem&) = default;
};

double voxels(const Problem& p);

// The dimensions of the rows and columns of a matrix as it is stored, and the one it does not have: along
// that one its faces are gathered (A, B) or combined (C).
constexpr Dim missing(Matrix x) { return x == Matrix::a ? Dim::n : x == Matrix::b ? Dim::m : Dim::k; }
Dim row_dim(const Problem& p, Matrix x);
Dim col_dim(const Problem& p, Matrix x);
Index stored_rows(const Problem& p, Matrix x);
Index stored_columns(const Problem& p, Matrix x);

}  // namespace cairn::gemm
