// What bricks of a tree move and hold, from the cells they share: words exactly, for any number of ranks.
#pragma once

#include "gemm/cost.hpp"
#include "gemm/count.hpp"

namespace cairn::gemm {

// Of one brick. Of a cell of w words with s sharers it owns a slice of w/s, receives the rest and sends its slice to
// the others; for C the other way round.
struct BrickWords {
  Index received = 0, sent = 0;   // in all
  Index gather = 0, combine = 0;  // the larger of both directions, of A and B and of C
  Index gathered_from = 0,
        combined = 0;  // messages, at most: one for each piece of each other sharer of a cell
  Index owned = 0;
  std::array<Index, 3> received_of{};  // by matrix
};
std::vector<BrickWords> words_of_bricks(const Schedule& schedule);

// Words, flops and ranks are exact; messages and work memory are at most these.
Totals tree_totals(const Schedule& schedule);
int busiest_rank_of_tree(const Schedule& schedule);
PhaseSeconds tree_seconds(const Schedule& schedule, const Machine& machine);
// Bytes that the brick that owns most has of A, B and C.
Index most_owned_bytes(const Schedule& schedule);

}  // namespace cairn::gemm
