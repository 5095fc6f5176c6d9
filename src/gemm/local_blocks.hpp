// What a rank holds of a matrix in the native layout of a schedule, as rectangles in memory.
#pragma once

#include <span>

#include "gemm/native.hpp"
#include "layout/local_blocks.hpp"

namespace cairn::gemm {

// The memory must outlive the blocks. A part that is shorter than its layout says is an ArgumentError.
template <Scalar T>
layout::LocalBlocks<T> blocks_of(const NativeLayout& layout, int rank, std::span<const T> part);

}  // namespace cairn::gemm
