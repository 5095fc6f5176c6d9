// The native layout as a general Layout: to redistribute into it and out of it, to read and write files.
#pragma once

#include "gemm/native.hpp"
#include "layout/layout.hpp"

namespace cairn::gemm {

// Of the matrix as it is stored. One round: on the mesh pm x pn x pk, O(parts of the columns) memory. More
// rounds: a free layout with a rectangle a rank and round.
layout::Layout to_layout(const Schedule& schedule, Matrix matrix);

}  // namespace cairn::gemm
