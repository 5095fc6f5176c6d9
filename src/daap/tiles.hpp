// Tile sizes that attain the optimum of section 3.2.
#pragma once

#include <map>
#include <string>

#include "daap/optimise.hpp"

namespace cairn::daap {

// The sizes |D^t| of a subcomputation with a dominator set of X vertices; X is `partition`, an expression in
// M (or the symbol X). Empty when the optimum has no closed form. Where several tiles attain the optimum, the
// one whose sizes are closest to each other (least squares of the logarithms) is taken if it keeps every term
// of lower order below X, otherwise one that keeps them farthest below.
std::map<std::string, GiNaC::ex> tile_sizes(const std::set<std::string>& variables,
                                            const TileOptimum& optimum, const GiNaC::ex& partition,
                                            const Symbols& symbols, WorkBudget& budget);

}  // namespace cairn::daap
