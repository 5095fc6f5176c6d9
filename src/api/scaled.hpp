// A product between diagonal scalings (section 6.1 of paper 001), for matrices in any layout:
//   D1 C D3 = (D1 op(A)) (op(B) D3),  powers of two, so that the scaling itself rounds nothing.
// The error of a fast product is small against max|A| max|B| alone; rows of op(A) and columns of op(B) that are much
// smaller than others keep their digits only if they are brought to the same size first.
#pragma once

#include <algorithm>
#include <cmath>

#include "api/operands.hpp"
#include "comm/collectives.hpp"

namespace cairn::detail {

template <Scalar T>
class ScaledProduct {
 public:
  // Collective: finds the scales, m + n words each way, and makes copies of A and B that are scaled and a C for
  // the product.
  explicit ScaledProduct(const Operands<T>& o)
      : o_(o),
        rows_(exponents(o.a, o.product.op_a == Op::none, o.product.m)),
        columns_(exponents(o.b, o.product.op_b != Op::none, o.product.n)),
        a_(o.a.context(), o.a.layout()),
        b_(o.b.context(), o.b.layout()),
        c_(o.c.context(), o.c.layout()) {
    if (o.alpha == T(0)) return;
    copy_scaled(o.a, a_, [&](Index i, Index j) { return -rows_[at(o.product.op_a == Op::none ? i : j)]; });
    copy_scaled(o.b, b_, [&](Index i, Index j) { return -columns_[at(o.product.op_b == Op::none ? j : i)]; });
  }

  const Matrix<T>& a() const { return a_; }
  const Matrix<T>& b() const { return b_; }
  Matrix<T>& c() { return c_; }

  // Local. C := D1^-1 product D3^-1 + beta C.
  void finish(const Matrix<T>& c) const {
    std::vector<T> product;
    c_.for_each(
        [&](Index i, Index j, T x) { product.push_back(times_power(x, rows_[at(i)] + columns_[at(j)])); });
    auto next = product.begin();
    const T beta = o_.beta;
    c.for_each([&](Index, Index, T& x) {
      x = beta == T(0) ? *next : *next + beta * x;
      ++next;
    });
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  static T times_power(T x, int exponent) {
    if constexpr (ScalarTraits<T>::is_complex)
      return {std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent)};
    else
      return std::ldexp(x, exponent);
  }

  // Of the largest element of every row, or of every column; what is not finite gives no scale.
  std::vector<int> exponents(const Matrix<T>& x, bool by_row, Index count) const {
    std::vector<double> mine(at(count), 0), all(at(count), 0);
    if (o_.alpha != T(0))
      x.for_each([&](Index i, Index j, T v) {
        const double size = static_cast<double>(std::abs(v));
        double& most = mine[at(by_row ? i : j)];
        if (std::isfinite(size)) most = std::max(most, size);
      });
    const comm::CommView comm = o_.context().comm();
    const comm::Phase phase(comm.traffic(), "scale");
    comm::allreduce<double>(comm.unchecked(), mine, all, comm::ReduceOp::max);
    std::vector<int> e;
    for (const double size : all) e.push_back(size > 0 ? std::ilogb(size) : 0);
    return e;
  }

  template <class Exponent>
  static void copy_scaled(const Matrix<T>& from, const Matrix<T>& to, Exponent&& exponent) {
    std::vector<T> values;
    from.for_each([&](Index i, Index j, T x) { values.push_back(times_power(x, exponent(i, j))); });
    auto next = values.begin();
    to.for_each([&](Index, Index, T& x) { x = *next++; });
  }

  const Operands<T>& o_;
  std::vector<int> rows_, columns_;
  Matrix<T> a_, b_, c_;
};

}  // namespace cairn::detail
