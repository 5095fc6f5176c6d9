// What a cairn::SparseMatrix is inside.
#pragma once

#include "cairn/sparse.hpp"
#include "sparse/spgemm_run.hpp"

namespace cairn::detail {

template <Scalar T>
struct SparseState {
  Context context;
  sparse::DistSparse<T> matrix;
};

template <Scalar T>
struct SparsePatternState {
  std::optional<sparse::SpgemmMethod> method;
  sparse::Recall<T> recall;
  Index layouts = 0;  // fingerprint of those of A and B it was made for
};

}  // namespace cairn::detail
