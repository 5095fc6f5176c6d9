#pragma once

#include <span>

#include "factor/lu_step.hpp"
#include "factor/rank_words.hpp"

namespace cairn::factor {

// Words of every rank for this order of the pivot rows, exactly as they are sent: N^2/(2P) [x + y - 2 + 2 (c - 1)]
// and lower terms per rank. O(steps positions^2) time.
RankWords count_lu(const LuShape& shape, std::span<const Index> order,
                   PivotChoice pivoting = PivotChoice::tournament);

// Rows in an order that stands for pivots of a matrix that is not known yet: shuffled, the same everywhere.
std::vector<Index> expected_order(Index rows);

double lu_flop_imbalance(const LuShape& shape, std::span<const Index> order);

}  // namespace cairn::factor
