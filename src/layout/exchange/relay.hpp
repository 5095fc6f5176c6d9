// Who passes words on. A rank that would send far more than it owns or needs gives every word once, and those who
// need it pass it on among themselves: scatter and allgather, piece by piece. docs/internals/layout.md.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <vector>

#include "base/blas.hpp"
#include "layout/layout.hpp"

namespace cairn::layout {

// to := op(from), on the same communicator; or of a square matrix only one triangle of `to`, its diagonal
// included: nothing else is sent or written.
struct Move {
  Layout from;
  Layout to;
  Op op = Op::none;
  std::optional<Triangle> triangle = {};
};

// Whether takers may pass words on. Only where all ranks plan the same moves, by which they know who gives once; and
// never where several moves are added up in one place: the order of a sum is the order in which one sender's words
// arrive.
enum class PassOn : bool { never, allowed };

// Elements of one cell of `to` that come from one giver: taker i gets slice i of each box from it and passes that on
// to the others. No takers: the words are for the receiver alone.
struct Relay {
  int move = -1;
  int column_part = -1, row_part = -1;  // of `to`
  std::vector<int> takers = {};         // in the order of their slices

  bool is_direct() const { return takers.empty(); }
  friend auto operator<=>(const Relay&, const Relay&) = default;
};

class Relays {
 public:
  Relays(std::span<const Move> moves, PassOn pass_on);

  // What a rank would send is at most what it owns times the copies that are wanted of it. It gives every word once
  // if that is more than one and a half times what it owns or needs. Then it sends at most what it owns; whoever
  // passes words on sends them fewer times than it needs words; so nobody sends more than 2.5 times the larger of
  // what it owns and what it needs. Where all ranks own as much nobody passes on: need is owned times copies.
  bool gives_once(int rank) const;
  // Whether anybody may. O(ranks) where something is replicated.
  bool any(int ranks) const;

 private:
  std::span<const Move> moves_;
  std::vector<Index> copies_;  // of the cells of `to`, at most, by move
  bool possible_ = false;
};

// The ranks that take what a cell of `from` and a cell of `to` have in common from `giver`, in the order of the
// copies of `to`.
std::vector<int> takers_from(int giver, const Layout& from, int from_row, int from_column, const Layout& to,
                             int to_row, int to_column);

// The rank that gives a cell of a replicated layout to `receiver`: itself if it can.
int giver(const Layout& from, int row_part, int column_part, int receiver);
// The layout of op(A), where A is laid out as `from`.
Layout as_operand(const Layout& from, Op op);

// Which of the two directions of a box is cut into slices: over the lines where there are enough of them.
constexpr bool slices_lines(Index along, Index across, int takers) {
  return across >= takers || across >= along;
}
// Where slice i of `takers` begins.
constexpr Index slice_start(Index count, int i, int takers) {
  return (count / takers) * i + (count % takers) * i / takers;
}

}  // namespace cairn::layout
