// The plan of a redistribution for one rank: which part of which cell goes to whom. Pure: no MPI, no data,
// for any rank of any number of ranks. The words it counts are the words that are sent.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "comm/traffic.hpp"
#include "layout/exchange/relay.hpp"
#include "layout/overlap.hpp"

namespace cairn::layout {

// The elements that a cell of `from` (of op(from)) and a cell of `to` have in common: the product of two sets
// of indices. They travel line by line in the order in which `to` keeps them: a line is a column where `to`
// is column-major.
struct CommonBox {
  int move = 0;
  int from_cell = 0;  // number among the cells of the rank that sends
  int to_cell = 0;    // number among the cells of the rank that receives
  int along = 0;      // stretches within a line, an index into ExchangePlan::stretches
  int across = 0;     // stretches over the lines
};

// Everything between two ranks that is for the receiver alone; or what takers of one cell pass on, which is a
// message of its own.
struct Message {
  int peer = 0;
  int giver = 0;  // who has the words from the start: the sender, unless it passes them on
  Relay relay = {};
  std::vector<CommonBox> boxes = {};
  Index words = 0;

  // By whoever has it from the giver.
  Index times_passed_on() const { return relay.is_direct() ? 0 : std::ssize(relay.takers) - 1; }
};

// Lines first .. end-1 of a box.
struct Segment {
  int box = 0;
  Index first = 0;
  Index end = 0;
  Index words = 0;
};

// What is sent at once.
struct MessagePiece {
  std::vector<Segment> segments;
  Index words = 0;
};

// A transposition reads across its lines: lines of this many elements keep what it touches, a page an
// element, within reach of the address translation, and the piece wide enough to use whole cache lines.
inline constexpr Index transposed_line = 512;

class ExchangePlan {
 public:
  ExchangePlan(std::vector<Move> moves, int rank, int ranks, PassOn pass_on = PassOn::allowed);

  const std::vector<Move>& moves() const noexcept { return moves_; }
  int rank() const noexcept { return rank_; }
  // In the order in which they are dealt with: the rank s ahead, while the one s behind sends to this one.
  const std::vector<Message>& sends() const noexcept { return sends_; }
  const std::vector<Message>& receives() const noexcept { return receives_; }
  // What comes from takers of the same cells, in the order in which they get it.
  const std::vector<Message>& passed() const noexcept { return passed_; }
  const std::vector<CommonBox>& local() const noexcept { return local_; }
  const Stretches& stretches(int number) const { return stretches_[static_cast<std::size_t>(number)]; }

  Index words_sent() const;
  Index words_received() const;
  Index words_kept() const noexcept { return kept_; }
  // Words and messages when messages are cut into pieces of at most this many words (or one line).
  comm::Counters count(Index piece_words, Index element_bytes) const;
  std::vector<MessagePiece> pieces(const Message& message, Index piece_words) const;

 private:
  // What one part shares with the others, kept once for all the boxes that use it: the numbers of its
  // stretches; where a triangle moves, the indices of each in the whole matrix.
  struct Kept {
    int part;
    std::vector<int> stretches;
    std::vector<std::vector<Index>> indices = {};
  };
  enum class Side { sender, receiver };
  // Messages that are being made, by peer, giver and relay.
  using Drafts = std::map<std::tuple<int, int, Relay>, Message>;
  struct Making {
    Relays relays;
    Drafts sends = {}, receives = {}, passed = {};
  };

  void add_sends(Making& making, int move, const Layout& from, const Layout& to);
  void add_receives(Making& making, int move, const Layout& from, const Layout& to);
  std::vector<Kept> keep_shared(const IndexMap& map, int part, const IndexMap& other, Side side,
                                Index longest, bool with_indices);
  // The boxes of two cells that have these rows and columns in common.
  std::vector<CommonBox> boxes(int move, int from_cell, int to_cell, const Kept& rows, const Kept& columns);
  // The boxes that make up the part of `box` in a triangle: whole, or cut into rectangles and single lines.
  void add_cut(const CommonBox& box, std::span<const Index> along, std::span<const Index> across, bool tail,
               std::vector<CommonBox>& all);
  int keep_slice(int stretches, Index first, Index count);
  // Slice `number` of each box.
  std::vector<CommonBox> slice(const std::vector<CommonBox>& boxes, int number, int slices);
  Index words_of(const CommonBox& box) const;
  void keep_here(const std::vector<CommonBox>& boxes);
  void append(Drafts& drafts, int peer, int giver, const Relay& relay,
              const std::vector<CommonBox>& boxes) const;
  std::vector<Message> in_turn(Drafts&& drafts, Side side) const;

  std::vector<Move> moves_;
  int rank_, ranks_;
  std::vector<Message> sends_, receives_, passed_;
  std::vector<CommonBox> local_;
  std::vector<Stretches> stretches_;
  Index kept_ = 0;
};

// Throws ArgumentError unless op(A) and B have the same shape and name only ranks below `ranks`.
void check_move(const Layout& a, const Layout& b, Op op, int ranks);

}  // namespace cairn::layout
