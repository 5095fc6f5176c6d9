// The best trees: bricks of equal volume on every rank, with the least surface that the search finds.
#pragma once

#include <vector>

#include "gemm/problem.hpp"
#include "gemm/tree.hpp"

namespace cairn::plan {

// Trees on just so many ranks, those of least surface first: the best is among the first few, which their words
// tell. Trees that are grids are left out, and parts without an index are not made: there may be none. Pure, for any
// number of ranks; the work is bounded, whatever they are. docs/internals/trees.md.
std::vector<gemm::Tree> find_trees(const gemm::Problem& problem, int ranks);

}  // namespace cairn::plan
