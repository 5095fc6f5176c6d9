#include "gemm/fast/scaled.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::gemm::fast {
namespace {

template <Scalar T>
T entry(Op op, const T* x, Index ld, Index i, Index j) {
  const T value = op == Op::none ? x[i + j * ld] : x[j + i * ld];
  return op == Op::adjoint ? conj(value) : value;
}

template <Scalar T>
double magnitude(T x) {  // NaN is none: it must not become a scale
  const double value = std::abs(x);
  return std::isfinite(value) ? value : 0;
}

int exponent_of(double x) { return x > 0 ? std::ilogb(x) : 0; }

// The largest of each row and of each column.
struct LargestOfLines {
  std::vector<double> row, column;
};
template <Scalar T>
LargestOfLines largest(const T* x, Index rows, Index columns) {
  LargestOfLines l{std::vector<double>(static_cast<std::size_t>(rows)),
                   std::vector<double>(static_cast<std::size_t>(columns))};
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) {
      const double v = magnitude(x[i + j * rows]);
      auto &r = l.row[static_cast<std::size_t>(i)], &c = l.column[static_cast<std::size_t>(j)];
      r = std::max(r, v);
      c = std::max(c, v);
    }
  return l;
}

using Exponents = std::vector<int>;

Exponents exponents(const std::vector<double>& sizes) {
  Exponents e;
  for (const double s : sizes) e.push_back(exponent_of(s));
  return e;
}

template <Scalar T>
T times_power(T x, int exponent) {
  if constexpr (ScalarTraits<T>::is_complex)
    return {std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent)};
  else
    return std::ldexp(x, exponent);
}

// x(i, j) := x(i, j) 2^(sign rows[i]); columns likewise.
template <Scalar T>
void scale_rows(T* x, Index rows, Index columns, const Exponents& by, int sign) {
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i)
      x[i + j * rows] = times_power(x[i + j * rows], sign * by[static_cast<std::size_t>(i)]);
}
template <Scalar T>
void scale_columns(T* x, Index rows, Index columns, const Exponents& by, int sign) {
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i)
      x[i + j * rows] = times_power(x[i + j * rows], sign * by[static_cast<std::size_t>(j)]);
}

// D2: half of the difference of the exponents of a column of A and of the row of B it meets.
template <Scalar T>
void balance(T* a, T* b, const LocalProduct& p) {
  const Exponents ea = exponents(largest(a, p.m, p.k).column), eb = exponents(largest(b, p.k, p.n).row);
  Exponents d;
  for (std::size_t i = 0; i < ea.size(); ++i) d.push_back((eb[i] - ea[i]) / 2);
  scale_columns(a, p.m, p.k, d, 1);
  scale_rows(b, p.k, p.n, d, -1);
}

template <Scalar T>
T* copy_of(Op op, const T* x, Index ld, Index rows, Index columns, T* y) {
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) y[i + j * rows] = entry(op, x, ld, i, j);
  return y;
}

}  // namespace

Index scaled_workspace_elements(const LocalProduct& p, Scaling scaling, bool keeps) {
  if (scaling == Scaling::none) return workspace_elements(p, keeps);
  return workspace_elements(p, false) + p.m * p.k + p.k * p.n + p.m * p.n;
}

template <Scalar T>
void multiply_scaled(const LocalProduct& p, Scaling scaling, T alpha, const T* a, Index lda, const T* b,
                     Index ldb, T beta, T* c, Index ldc, std::span<T> workspace, Workers& workers) {
  if (scaling == Scaling::none) return multiply(p, alpha, a, lda, b, ldb, beta, c, ldc, workspace, workers);
  const std::span<T> a_copy = workspace.first(static_cast<std::size_t>(p.m * p.k)),
                     b_copy = workspace.subspan(a_copy.size(), static_cast<std::size_t>(p.k * p.n)),
                     c_copy = workspace.subspan(a_copy.size() + b_copy.size(),
                                                static_cast<std::size_t>(p.m * p.n));
  const std::span<T> rest = workspace.subspan(a_copy.size() + b_copy.size() + c_copy.size());
  T* left = copy_of(p.op_a, a, lda, p.m, p.k, a_copy.data());
  T* right = copy_of(p.op_b, b, ldb, p.k, p.n, b_copy.data());
  T* product = c_copy.data();
  const bool outside = scaling != Scaling::inside;
  Exponents rows(static_cast<std::size_t>(p.m)), columns(static_cast<std::size_t>(p.n));
  if (outside) {
    rows = exponents(largest(left, p.m, p.k).row);
    columns = exponents(largest(right, p.k, p.n).column);
    scale_rows(left, p.m, p.k, rows, -1);
    scale_columns(right, p.k, p.n, columns, -1);
  }
  if (scaling != Scaling::outside) balance(left, right, p);
  LocalProduct plain = p;
  plain.op_a = plain.op_b = Op::none;
  multiply(plain, alpha, left, std::max<Index>(1, p.m), right, std::max<Index>(1, p.k), T(0), product,
           std::max<Index>(1, p.m), rest, workers);
  for (Index j = 0; j < p.n; ++j)
    for (Index i = 0; i < p.m; ++i) {
      const int e = rows[static_cast<std::size_t>(i)] + columns[static_cast<std::size_t>(j)];
      const T value = times_power(product[i + j * p.m], e);
      c[i + j * ldc] = beta == T(0) ? value : value + beta * c[i + j * ldc];
    }
}

#define CAIRN_FAST_SCALED(T)                                                                              \
  template void multiply_scaled(const LocalProduct&, Scaling, T, const T*, Index, const T*, Index, T, T*, \
                                Index, std::span<T>, Workers&);
CAIRN_FAST_SCALED(float)
CAIRN_FAST_SCALED(double)
CAIRN_FAST_SCALED(std::complex<float>)
CAIRN_FAST_SCALED(std::complex<double>)
#undef CAIRN_FAST_SCALED

}  // namespace cairn::gemm::fast
