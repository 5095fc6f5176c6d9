// A collective as a value: what one rank sends, receives and combines, round by round, on buffers named by
// slot and offset. It is made without MPI, for any rank of any number of ranks, and is then counted, run, or
// simulated: the words a plan predicts and the words that move come from the same list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>

#include "base/size.hpp"
#include "base/small_vector.hpp"
#include "comm/traffic.hpp"

namespace cairn::comm {

enum class Slot : std::uint8_t { input, output, work };

// An element in one of the three buffers of an operation.
struct Place {
  Slot slot = Slot::input;
  Index offset = 0;

  Place operator+(Index elements) const { return {slot, offset + elements}; }
};
inline Place in(Index offset) { return {Slot::input, offset}; }
inline Place out(Index offset) { return {Slot::output, offset}; }
inline Place work(Index offset) { return {Slot::work, offset}; }

struct Transfer {
  enum class Kind : std::uint8_t { send, receive, get };
  Kind kind;
  int peer;
  Place place;
  Index count;
  Index remote = 0;  // get: offset in the peer's window
  // A receive from the same peer, earlier in the same round: this one is posted when that one and its locals
  // are done. Receives from one peer are posted in their order here, because messages between two ranks keep
  // theirs.
  std::int32_t after = at_once;
  // Posted with its round, but only the end of the schedule waits for it. No local step depends on it.
  bool background = false;

  static constexpr std::int32_t at_once = -1;
};

// to := a, or to := a (op) b.
struct Local {
  enum class Kind : std::uint8_t { copy, combine };
  Kind kind;
  Place a;
  Place b;
  Place to;
  Index count;
  std::int32_t after;
};
inline constexpr std::int32_t start_of_round = -1;
inline constexpr std::int32_t end_of_round = std::numeric_limits<std::int32_t>::max();

// A round posts its transfers at once, except those that wait for another one. A local step runs when they
// are posted (after = start_of_round), as soon as transfer `after` (an index into all transfers) is complete,
// or when all of the round are (end_of_round); the locals of a round are sorted by it. The next round starts
// when everything is done.
struct Round {
  std::int32_t first_transfer = 0;
  std::int32_t end_transfer = 0;
  std::int32_t first_local = 0;
  std::int32_t end_local = 0;
};

struct RankSchedule {
  SmallVector<Round, 2> rounds;
  SmallVector<Transfer, 2> transfers;
  SmallVector<Local, 1> locals;
  Index work_count = 0;  // elements of the work buffer
  Volume served;         // what other ranks get from this one without its help (bytes unset)

  std::span<const Transfer> transfers_of(const Round& r) const;
};

// Words and messages of a schedule; `element_bytes` only scales the bytes.
Counters count(const RankSchedule& schedule, Index element_bytes);

// A schedule and what it moves, shared by every operation that runs it.
struct CountedSchedule {
  CountedSchedule(RankSchedule&& steps, Index element_bytes)
      : schedule(std::move(steps)), moved(count(schedule, element_bytes)) {}
  RankSchedule schedule;
  Counters moved;
};

// What the schedule of a collective with equal blocks follows from, besides the communicator and
// LinkCost.
struct ScheduleKey {
  const char* operation = nullptr;  // the same literal each time
  Index count = 0;
  Index element_bytes = 0;
  int root = 0;
  bool variant = false;
  friend bool operator==(const ScheduleKey&, const ScheduleKey&) = default;
};

// One after the other, on the same buffers; the work buffers lie side by side.
RankSchedule concatenate(std::initializer_list<const RankSchedule*> parts);

// Writes a schedule down step by step. Counts of zero leave nothing behind, on both sides alike; counts above
// `message_elements` become several messages, cut alike on both sides.
class ScheduleBuilder {
 public:
  explicit ScheduleBuilder(Index message_elements) : limit_(message_elements) {}

  void send(int peer, Place from, Index count);
  void receive(int peer, Place to, Index count);
  // Posted with this round, complete when the schedule ends; what is sent must not change until then.
  void send_in_background(int peer, Place from, Index count);
  void receive_in_background(int peer, Place to, Index count);
  void get(int peer, Index remote, Place to, Index count);
  // Receives into `landing`; each target run then becomes what landed (op) with, piece by piece as the
  // message arrives. The targets cover the message in order. A landing place of landing_elements(count) is
  // used over and over, so that what has arrived is still in the cache when it is added; `in_place` lands
  // each piece where its target is.
  struct Target {
    Index count;
    Place with;
    Place to;
  };
  void receive_and_combine(int peer, Place landing, std::span<const Target> targets);
  void receive_and_combine(int peer, Place landing, Index count, Place with, Place to);
  void receive_in_place_and_combine(int peer, Index count, Place with, Place to);
  Index message_elements() const { return limit_; }
  Index landing_elements(Index count) const { return std::min(count, landing_pieces * limit_); }
  void copy(Place from, Place to, Index count);            // at the end of the round
  void copy_meanwhile(Place from, Place to, Index count);  // at its start, while the transfers are under way
  void combine(Place a, Place b, Place to, Index count);   // at the end of the round
  void signal(int peer);                                   // an empty message
  void await_signal(int peer);

  void set_message_elements(Index elements) { limit_ = elements; }  // from here on
  void next_round();  // ends the round; an empty one leaves nothing behind
  Place reserve_work(Index elements);
  void serve(Index words);  // one transfer of `words` that a peer takes by itself
  RankSchedule finish();

 private:
  static constexpr Index landing_pieces = 2;

  template <class F>
  void pieces(Index count, F&& f);
  std::int32_t add_receive(int peer, Place to, Index n, std::int32_t after = Transfer::at_once);
  void combine_piece(std::int32_t transfer, Index at, std::span<const Target> targets);

  RankSchedule schedule_;
  // Peers of this round with receives that wait: what the last waits for. None in most schedules.
  std::unique_ptr<std::unordered_map<int, std::int32_t>> waiting_;
  SmallVector<Local, 1> at_start_, at_end_;  // of this round
  Round round_;
  Index limit_;
};

}  // namespace cairn::comm
