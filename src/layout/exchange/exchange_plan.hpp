// The plan of a redistribution for one rank: which part of which cell goes to whom. Pure: no MPI, no data,
// for any rank of any number of ranks. The words it counts are the words that are sent.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/blas.hpp"
#include "comm/traffic.hpp"
#include "layout/layout.hpp"
#include "layout/overlap.hpp"

namespace cairn::layout {

// to := op(from), on the same communicator; or of a square matrix only one triangle of `to`, its diagonal
// included: nothing else is sent or written.
struct Move {
  Layout from;
  Layout to;
  Op op = Op::none;
  std::optional<Triangle> triangle = {};
};

// The elements that a cell of `from` (of op(from)) and a cell of `to` have in common: the product of two sets
// of indices. They travel line by line in the order in which `to` keeps them: a line is a column where `to`
// is column-major.
struct Box {
  int move = 0;
  int from_cell = 0;  // number among the cells of the rank that sends
  int to_cell = 0;    // number among the cells of the rank that receives
  int along = 0;      // stretches within a line, an index into ExchangePlan::stretches
  int across = 0;     // stretches over the lines
};

// Everything between two ranks.
struct Message {
  int peer = 0;
  std::vector<Box> boxes;
  Index words = 0;
};

// Lines first .. end-1 of a box.
struct Segment {
  int box = 0;
  Index first = 0;
  Index end = 0;
  Index words = 0;
};

// What is sent at once.
struct Piece {
  std::vector<Segment> segments;
  Index words = 0;
};

class ExchangePlan {
 public:
  ExchangePlan(std::vector<Move> moves, int rank, int ranks);

  const std::vector<Move>& moves() const noexcept { return moves_; }
  int rank() const noexcept { return rank_; }
  // In the order in which they are dealt with: the rank s ahead, while the one s behind sends to this one.
  const std::vector<Message>& sends() const noexcept { return sends_; }
  const std::vector<Message>& receives() const noexcept { return receives_; }
  const std::vector<Box>& local() const noexcept { return local_; }
  const Stretches& stretches(int number) const { return stretches_[static_cast<std::size_t>(number)]; }

  Index words_sent() const;
  Index words_received() const;
  Index words_kept() const noexcept { return kept_; }
  // Words and messages when messages are cut into pieces of at most so many words (or one line).
  comm::Counters count(Index piece_words, Index element_bytes) const;
  std::vector<Piece> pieces(const Message& message, Index piece_words) const;

 private:
  void add_sends(int move, const Layout& from, const Layout& to);
  void add_receives(int move, const Layout& from, const Layout& to);
  // What one part shares with the others, kept once for all the boxes that use it: the numbers of its
  // stretches; where a triangle moves, the indices of each in the whole matrix.
  struct Kept {
    int part;
    std::vector<int> stretches;
    std::vector<std::vector<Index>> indices = {};
  };
  enum class Side { sender, receiver };
  std::vector<Kept> keep_shared(const IndexMap& map, int part, const IndexMap& other, Side side,
                                Index longest, bool with_indices);
  // The boxes of two cells that have these rows and columns in common.
  std::vector<Box> boxes(int move, int from_cell, int to_cell, const Kept& rows, const Kept& columns);
  // The boxes that make up the part of `box` in a triangle: whole, or cut into rectangles and single lines.
  void add_cut(const Box& box, std::span<const Index> along, std::span<const Index> across, bool tail,
               std::vector<Box>& all);
  int keep_slice(int stretches, Index first, Index count);
  Index words_of(const Box& box) const;
  std::vector<Message> in_turn(std::vector<Message> by_rank, int direction) const;
  Message& message_to(std::vector<Message>& by_rank, int peer) const;

  std::vector<Move> moves_;
  int rank_, ranks_;
  std::vector<Message> sends_, receives_;
  std::vector<Box> local_;
  std::vector<Stretches> stretches_;
  Index kept_ = 0;
};

// Throws ArgumentError unless op(A) and B have the same shape and name only ranks below `ranks`.
void check_move(const Layout& a, const Layout& b, Op op, int ranks);

// The rank that gives a cell of a replicated layout to `receiver`: itself if it can.
int giver(const Layout& from, int row_part, int column_part, int receiver);
// The layout of op(A), where A is laid out as `from`.
Layout as_operand(const Layout& from, Op op);

}  // namespace cairn::layout
