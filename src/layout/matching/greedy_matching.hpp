// The pairs with the most words first.
#pragma once

#include <vector>

#include "layout/matching/benefit_table.hpp"

namespace cairn::layout {

// Among pairs with as many words the diagonal comes first, then the lower position, then the lower rank. Half
// of the optimum at least: a pair that is taken blocks at most two pairs of the optimum, neither with more
// words. O(E log E) time for E entries. -1 for a position that no entry is left for.
std::vector<int> match_greedily(const BenefitTable& table);

}  // namespace cairn::layout
