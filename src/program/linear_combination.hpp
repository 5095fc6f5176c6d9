// to := keep to + the sum of factors times matrices: one pass over memory, whatever the number of terms.
#pragma once

#include <span>

#include "base/blas.hpp"

namespace cairn::program {

template <Scalar T>
struct ScaledMatrix {
  T factor = T(1);
  const T* data = nullptr;
  Index ld = 1;
};

// rows x columns, column-major. keep = 0 never reads `to`. A term may be `to` itself, with the same leading
// dimension.
template <Scalar T>
void combine(Index rows, Index columns, T keep, T* to, Index ld, std::span<const ScaledMatrix<T>> terms);

}  // namespace cairn::program
