// A cairn::Matrix as the layers below see it.
#pragma once

#include "api/layout_state.hpp"
#include "cairn/matrix.hpp"
#include "gemm/local_blocks.hpp"

namespace cairn::detail {

// Of any layout. Makes the general form of a native one.
template <Scalar T>
layout::MatrixView<T> view_of(const Matrix<T>& m) {
  return {m.layout().state().general(), m.local().data(), static_cast<Index>(m.local().size()),
          m.leading_dimension()};
}

template <Scalar T>
layout::LocalBlocks<T> blocks_of(const Matrix<T>& m, layout::Copies copies = layout::Copies::first) {
  const int rank = m.context().rank();
  if (const auto& native = m.layout().state().native) {
    return gemm::blocks_of<T>(native->layout(), rank, m.local());
  }
  return layout::blocks_of<T>(layout::MatrixView<const T>(view_of(m)), rank, copies);
}

}  // namespace cairn::detail
