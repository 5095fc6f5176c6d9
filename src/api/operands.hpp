// The arguments of one multiply.
#pragma once

#include "api/checks.hpp"
#include "api/context_state.hpp"
#include "api/matrix_view.hpp"
#include "cairn/multiply.hpp"

namespace cairn::detail {

template <Scalar T>
struct Operands {
  T alpha, beta;
  const Matrix<T>&a, &b, &c;
  Product product;
  const MultiplyOptions& options;

  ContextState& context() const { return a.context().state(); }
};

}  // namespace cairn::detail
