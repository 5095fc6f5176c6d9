// What a rank holds of a stored matrix, as rectangles in memory, whatever laid it out.
#pragma once

#include <functional>

#include "layout/matrix_view.hpp"

namespace cairn::layout {

// Elements (row + i, col + j), 0 <= i < rows, 0 <= j < cols, at data[i * row_stride + j * col_stride].
template <Scalar T>
struct Block {
  const T* data = nullptr;
  Index row = 0;
  Index col = 0;
  Index rows = 0;
  Index cols = 0;
  Index row_stride = 1;
  Index col_stride = 1;
};

template <Scalar T>
struct LocalBlocks {
  using Visitor = std::function<void(const Block<T>&)>;

  Index rows = 0;  // of the whole matrix
  Index cols = 0;
  // Each element of this rank in one of the blocks.
  std::function<void(const Visitor&)> for_each = [](const Visitor&) {};
};

// Of a replicated matrix: what this rank holds, or only what it is the first owner of, so that over all ranks
// each element is there once.
enum class Copies : std::uint8_t { first, all };

// The views are kept, not the elements: the memory must outlive the blocks. A part that is shorter than its
// layout says is an ArgumentError.
template <Scalar T>
LocalBlocks<T> blocks_of(const MatrixView<const T>& matrix, int rank, Copies copies = Copies::first);

}  // namespace cairn::layout
