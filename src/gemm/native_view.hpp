// The native layout of a schedule as a layout::Layout, to be redistributed from and to any other.
#pragma once

#include "gemm/native.hpp"
#include "layout/layout.hpp"

namespace cairn::gemm {

// The same elements at the same places as NativeLayout(schedule, matrix), for every rank. A mesh layout
// unless rounds cut the rows of the stored matrix; then every rectangle of every round is named. Memory: O(P
// rounds).
layout::Layout general_layout(const Schedule& schedule, Matrix matrix);

}  // namespace cairn::gemm
