// The positions of a fibre that stand for all of them.
#pragma once

#include <vector>

#include "gemm/collective.hpp"

namespace cairn::gemm {

// Positions among which every figure of the collectives of `matrix` in the fibre of `at` (words and messages,
// sent and received, and sums of them) is the largest, within each of the ranges [0, split) and [split, p).
// Sorted.
//
// Along a fibre what a rank moves changes only where blocks become shorter (t) or where a window of blocks
// passes t or the end of the circle. Between two such places it is linear in the position, so that its
// largest value is at an end.
std::vector<int> extreme_positions(const Schedule& schedule, Matrix matrix, const Coordinates& at, int split);

}  // namespace cairn::gemm
