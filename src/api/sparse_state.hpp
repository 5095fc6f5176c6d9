// What a cairn::SparseMatrix is inside.
#pragma once

#include "api/context_state.hpp"
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

inline comm::CommView comm_of(const Context& context) { return context.state().comm(); }

template <Scalar T>
SparseMatrix<T> wrap(const Context& context, sparse::DistSparse<T> matrix) {
  return SparseMatrix<T>(std::make_shared<const SparseState<T>>(SparseState<T>{context, std::move(matrix)}));
}

template <Scalar T>
void check_same_context(const SparseMatrix<T>& a, const SparseMatrix<T>& b, std::string_view name) {
  require(a.context() == b.context(), "A and {} have different contexts, expected one", name);
}

}  // namespace cairn::detail
