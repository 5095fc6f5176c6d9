// Arguments of a product: what must fit together. Local; the caller makes one rank's error everybody's.
#pragma once

#include "api/matrix_view.hpp"
#include "base/error.hpp"
#include "cairn/plan.hpp"

namespace cairn::detail {

inline std::string shape(std::string_view name, Op op, Index rows, Index columns) {
  return op == Op::none ? fmt::format("{} is {} x {}", name, rows, columns)
                        : fmt::format("op({}) is {} x {}", name, columns, rows);
}

// An enum can hold any number.
inline void check_op(std::string_view name, Op op) {
  require(op == Op::none || op == Op::transpose || op == Op::adjoint,
          "{} is Op({}), expected none, transpose or adjoint", name, static_cast<int>(op));
}

// The product that C := op(A) op(B) is, as far as A and B agree on it.
template <Scalar T>
Product product_of(Op op_a, const Matrix<T>& a, Op op_b, const Matrix<T>& b) {
  return {.m = op_a == Op::none ? a.rows() : a.columns(),
          .n = op_b == Op::none ? b.columns() : b.rows(),
          .k = op_a == Op::none ? a.columns() : a.rows(),
          .op_a = op_a,
          .op_b = op_b,
          .type = ScalarTraits<T>::type};
}

template <Scalar T>
void check_shapes(const Product& p, const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& c) {
  check_op("op of A", p.op_a);
  check_op("op of B", p.op_b);
  require(a.context() == b.context() && a.context() == c.context(),
          "A, B and C have different contexts, expected one");
  const Index inner = p.op_b == Op::none ? b.rows() : b.columns();
  require(inner == p.k, "{} and {}: expected as many rows of the second as columns of the first",
          shape("A", p.op_a, a.rows(), a.columns()), shape("B", p.op_b, b.rows(), b.columns()));
  require(c.rows() == p.m && c.columns() == p.n, "C is {} x {}, expected {} x {}", c.rows(), c.columns(), p.m,
          p.n);
}

// C is written while the factors are read. They may lie in one allocation, parts of one matrix for example,
// as long as they have no element in common.
template <Scalar T>
void check_memory_apart(std::string_view name, const Matrix<T>& factor, const Matrix<T>& c) {
  const std::less<const T*> before;
  const std::span<T> mine = factor.local(), result = c.local();
  const bool apart = mine.empty() || result.empty() || !before(mine.data(), result.data() + result.size()) ||
                     !before(result.data(), mine.data() + mine.size());
  require(apart || !share_memory(view_of(factor), view_of(c), c.context().rank()),
          "C overlaps {}, expected memory of its own", name);
}

}  // namespace cairn::detail
