#pragma once

#include "factor/cholesky_moves.hpp"
#include "factor/cholesky_shape.hpp"
#include "factor/rank_words.hpp"

namespace cairn::factor {

// Words of every rank, exactly as they are sent: N^2/(2P) [(z - 1) + (c - 1)] and lower terms per rank.
// O(tiles^2 z) time.
RankWords count_cholesky(const CholeskyShape& shape);
RankWords count_cholesky(const CholeskyShape& shape, const CholeskyMoves& moves);

// Words that move one after another, whatever moves beside them: in every step the most that one rank sends of the sums,
// the triangle, and the rows for those that go on; half of all rows where that is more, since two panels are under way at a time.
Index cholesky_chain(const CholeskyShape& shape, const CholeskyMoves& moves);

// The largest share of the flops of the updates over the even one.
double cholesky_flop_imbalance(const CholeskyShape& shape);

}  // namespace cairn::factor
