// An allgather or a reduce-scatter of blocks as a value: what it is and by which way it goes. It is written
// down as a RankSchedule for any position, or counted in closed form without writing it: a planner asks for
// millions of counts, and a large reduce-scatter written down has a transfer for every half MiB. A new way is
// added here and in algorithms.hpp; the tests compare the two.
#pragma once

#include <vector>

#include "comm/algorithms.hpp"
#include "comm/window.hpp"

namespace cairn::comm {

enum class BlockKind : std::uint8_t { allgather, reduce_scatter };

struct BlockCollective {
  BlockKind kind = BlockKind::allgather;
  Partition blocks = Partition::even(1, 0);  // one a rank of the group
  BlockWay way = BlockWay::direct;           // two-sided
  Transport transport = Transport::two_sided;
  Index element_bytes = 8;
};

// What the rank at `position` does. Input and output: my block and all blocks of an allgather, all blocks and
// mine of a reduce-scatter. One-sided: all blocks lie `whole` elements into the window of every rank; peers of
// gets are positions too; a barrier before (the blocks are in place) and one after (they have been read).
RankSchedule write(const BlockCollective& collective, int position, Index whole = 0);

// count(write(collective, position), element_bytes). O(1), O(log p) for doubling. For balanced blocks.
Counters closed_count(const BlockCollective& collective, int position);
// write(collective, position).work_count. For balanced blocks.
Index closed_work(const BlockCollective& collective, int position);

// Positions near which what a rank moves (words and messages, sent and received, and sums of them) stops being
// linear in the position: where blocks become shorter (t), and where a window of blocks passes t or the end of
// the circle. Between two of them the largest value is at an end. Not sorted; may lie outside 0 .. p-1, which
// counts round the circle.
std::vector<int> corners(const BlockCollective& collective);

}  // namespace cairn::comm
