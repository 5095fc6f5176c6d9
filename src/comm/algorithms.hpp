// The schedules of every collective, as pure functions of (rank, ranks, sizes). No MPI here.
//
// Notation of the cost lines: p ranks, n words in all, c(i) words of block i, lg = ceil(log2 p).
// "Words" is what one rank sends and what it receives; the busiest rank where they differ.
#pragma once

#include <string_view>

#include "comm/partition.hpp"
#include "comm/schedule.hpp"

namespace cairn::comm {

// Which rank of how many, and the longest message in elements. Messages that are added on arrival are cut
// shorter, so that a piece is added while it is in the cache.
struct Seat {
  int rank = 0;
  int ranks = 1;
  Index message_elements = Index{1} << 27;
  Index piece_elements = Index{1} << 16;
  Index relay_elements = Index{1} << 17;  // of a message that is passed on
  Index tree_elements = Index{1} << 17;   // of one that is passed on again and again, down a tree
  bool separate_output = false;  // the output is not the input: it may be written before the input is read

  Index combine_elements() const { return std::min(message_elements, piece_elements); }
};

// ---- allgather: everybody gets all blocks. input: my block; output: all blocks -------------------
// doubling: lg rounds (at most two messages each, where the blocks pass the end); words n - c(r) received,
//           each once; sent the same for equal blocks, up to lg * n where one block is everything.
// ring:     p - 1 messages; words n - c(r) received, at most n sent whatever the counts are.
// direct:   p - 1 messages in one round; words n - c(r) received, (p - 1) c(r) sent.
RankSchedule allgather_doubling(const Seat& seat, const Partition& parts);
RankSchedule allgather_ring(const Seat& seat, const Partition& parts);
RankSchedule allgather_direct(const Seat& seat, const Partition& parts);
// get: the same words as direct, taken from the others' windows (input is the window).
RankSchedule allgather_get(const Seat& seat, const Partition& parts);

// ---- reduce-scatter: block r of the sum goes to rank r. input: all blocks; output: my block -------
// halving: the doubling allgather backwards: lg rounds; words n - c(r) sent; work memory about n/2.
// ring:    p - 1 messages; words n - c(r+1) sent; work memory two blocks.
// direct:  p - 1 messages (and more, cut into pieces) at once; words n - c(r) sent, (p - 1) c(r) received;
//          work memory one piece per rank.
RankSchedule reduce_scatter_halving(const Seat& seat, const Partition& parts);
RankSchedule reduce_scatter_ring(const Seat& seat, const Partition& parts);
RankSchedule reduce_scatter_direct(const Seat& seat, const Partition& parts);
RankSchedule reduce_scatter_get(const Seat& seat, const Partition& parts);

// ---- broadcast: output of the root goes to every output --------------------------------------------
// tree:    lg rounds; the root sends lg * n.
// scatter_allgather: the root sends each other rank one of p - 1 blocks, and those ranks double their blocks.
//          Everybody receives n and nobody sends more than n: total and busiest rank are the least possible.
// scatter_direct: the same words; each rank passes its block on to all others itself, piece by piece as it
//          comes.
// two_trees: the same words; half of the data goes down each of two binary trees, and a rank passes on only
//          one of the halves, to two others. Few long messages; 1 + lg rounds until the last rank has a piece.
// three_trees: a third down each, and a rank passes one on to as many others (5 for p > 6) as 2 (p-1)/p n
//          words allow. The same total, fewer rounds.
RankSchedule broadcast_scatter_direct(const Seat& seat, Index n, int root);
RankSchedule broadcast_two_trees(const Seat& seat, Index n, int root);
RankSchedule broadcast_three_trees(const Seat& seat, Index n, int root);
RankSchedule broadcast_tree(const Seat& seat, Index n, int root);
RankSchedule broadcast_scatter_allgather(const Seat& seat, Index n, int root);

// ---- reduce: the sum of all inputs goes to the root's output; broadcasts backwards ------------------
RankSchedule reduce_tree(const Seat& seat, Index n, int root);
RankSchedule reduce_direct_gather(const Seat& seat, Index n, int root);
RankSchedule reduce_scatter_gather(const Seat& seat, Index n, int root);

// ---- allreduce: the sum of all inputs goes to every output -----------------------------------------
// doubling: lg rounds (two more if p is not a power of two), n words each.
// rsag:     reduce-scatter, then allgather: 2 (p-1)/p n words, 2 lg rounds.
RankSchedule allreduce_doubling(const Seat& seat, Index n);
// direct:   the same words, in messages to everybody.
// tree:     up one tree and down again: 2 (p-1) n words and messages in all, fewer of both than doubling, but
//           lg n for the root each way and 2 lg rounds.
RankSchedule allreduce_direct(const Seat& seat, Index n);
RankSchedule allreduce_tree(const Seat& seat, Index n);
RankSchedule allreduce_rsag(const Seat& seat, Index n);

// ---- gather and scatter: blocks to and from a root ---------------------------------------------------
// direct: one message per block, the root's n - c(root) words and no other.
// tree:   lg messages at the root, the same words there, up to lg/2 * n in all.
RankSchedule gather_direct(const Seat& seat, const Partition& parts, int root);
RankSchedule gather_tree(const Seat& seat, const Partition& parts, int root);
RankSchedule scatter_direct(const Seat& seat, const Partition& parts, int root);
RankSchedule scatter_tree(const Seat& seat, const Partition& parts, int root);

// ---- all-to-all: block i of my input goes to rank i, block r of rank i's input comes to my block i ----
RankSchedule alltoall_direct(const Seat& seat, const Partition& send, const Partition& receive);

// ---- barrier: lg rounds of empty messages ------------------------------------------------------------
RankSchedule barrier_dissemination(const Seat& seat);

// ---- choosing ------------------------------------------------------------------------------------------
// What a message, a byte and a round cost, in seconds: a round is waiting for partners that have something
// else to do first. The same on all ranks of a communicator: they must choose alike.
struct LinkCost {
  double alpha = 2.5e-6;
  double beta = 2e-10;  // per byte
  double sigma = 5e-6;
  // There are more ranks than cores: while a rank waits for its turn in a tree others do their share.
  bool crowded = false;
  friend bool operator==(const LinkCost&, const LinkCost&) = default;
};

// The ways to move the blocks of an allgather; those of a reduce-scatter are the same backwards, doubling is
// called halving there.
enum class BlockWay { direct, doubling, ring };

// The cheapest for the busiest rank. O(log p) for balanced parts, O(p log p) for others.
BlockWay choose_way(const Partition& parts, Index element_bytes, const LinkCost& cost);
RankSchedule allgather(BlockWay way, const Seat& seat, const Partition& parts);
RankSchedule reduce_scatter(BlockWay way, const Seat& seat, const Partition& parts);

RankSchedule choose_allgather(const Seat& seat, const Partition& parts, Index element_bytes,
                              const LinkCost& cost);
RankSchedule choose_reduce_scatter(const Seat& seat, const Partition& parts, Index element_bytes,
                                   const LinkCost& cost);
RankSchedule choose_broadcast(const Seat& seat, Index n, int root, Index element_bytes, const LinkCost& cost);
RankSchedule choose_reduce(const Seat& seat, Index n, int root, Index element_bytes, const LinkCost& cost);
RankSchedule choose_allreduce(const Seat& seat, Index n, Index element_bytes, const LinkCost& cost);
RankSchedule choose_gather(const Seat& seat, const Partition& parts, int root, Index element_bytes,
                           const LinkCost& cost);
RankSchedule choose_scatter(const Seat& seat, const Partition& parts, int root, Index element_bytes,
                            const LinkCost& cost);

}  // namespace cairn::comm
