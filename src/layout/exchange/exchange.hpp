// An exchange under way: the words of one or several moves between any layouts, in pieces. A piece is packed,
// sent and unpacked while it is in the cache, and the work memory is a few pieces per rank, whatever the size
// of the matrices.
#pragma once

#include <algorithm>
#include <deque>

#include "comm/communicator.hpp"
#include "layout/exchange/packing.hpp"

namespace cairn::layout {

struct RedistributeOptions {
  Index piece_bytes = Index{1} << 18;
  int pieces_under_way =
      8;  // each way; work memory is at most twice as many pieces, three times where some are passed on
  int threads = 1;  // that pack and unpack

  Index piece_words(Index element_bytes) const { return std::max<Index>(1, piece_bytes / element_bytes); }
};

// Places for the pieces that are under way one way, as many as may be and as long as the longest: in one
// piece of memory that is there once the first is asked for.
template <Scalar T>
class Slots {
 public:
  Slots(const std::deque<Parcel>& parcels, const RedistributeOptions& options);

  Index words() const { return count_ * longest_; }
  bool has_free() const { return memory_.bytes() == 0 ? count_ > 0 : !free_.empty(); }
  T* take(Pool& pool);
  void give_back(T* slot) { free_.push_back(slot); }

 private:
  Index count_ = 0, longest_ = 0;
  Pool::Lease memory_;
  std::vector<T*> free_;
};

// All ranks deal with the transfers in one order, by (piece, distance of the ranks), and post the next one as
// soon as one is done: the first in this order that is not done is posted on both its sides, so something
// always moves. A piece that is passed on is sent to its other takers from where it arrived, and they have places of
// their own for such pieces, in the order of the same numbers. Nothing moves but in advance() and finish(). Of several exchanges under way on a communicator
// each needs a channel of its own, and whoever waits for one must advance the others.
template <Scalar T>
class RunningExchange {
 public:
  // The plan must outlive this; the same order of channels on all ranks.
  RunningExchange(const ExchangePlan& plan, comm::CommView comm, std::span<const MoveData<T>> moves,
                  const RedistributeOptions& options = {}, int channel = 0);

  // Does what can be done without waiting; true when all is done. Counted under the phase that is open.
  bool advance();
  bool done() const noexcept { return done_; }
  void finish();

 private:
  struct UnderWay {
    Parcel parcel;
    T* data = nullptr;  // what is received
    T* slot = nullptr;  // where it is packed, or is unpacked from when it is there
    comm::Ongoing operation;
  };

  // A piece on its way to the others that take it.
  struct PassedOn {
    T* slot;  // null: it lies where it belongs
    std::vector<comm::Ongoing> operations;

    bool done() const {
      return std::ranges::all_of(operations, [](const comm::Ongoing& o) { return o.done(); });
    }
  };
  // Pieces that come one way: from those who own them, or passed on.
  struct Incoming {
    int tag;
    std::deque<Parcel> parcels;
    Slots<T> slots;  // outlive what is under way
    std::deque<UnderWay> under_way = {};

    bool over() const { return parcels.empty() && under_way.empty(); }
  };

  Incoming incoming(int tag, const std::vector<Message>& messages) const;
  void start_sends();
  void start_receives(Incoming& from);
  void settle(Incoming& from);
  void pass_on(const Parcel& parcel, T* data, T* slot);
  void settle_sends();
  bool moving() const {
    return !(owned_.over() && passed_.over() && sends_.empty() && sending_.empty() && passing_.empty());
  }

  const ExchangePlan& plan_;
  comm::CommView comm_;
  RedistributeOptions options_;
  int tag_;
  Packing<T> packing_;
  std::deque<Parcel> sends_;
  Slots<T> packed_;  // outlives what is under way
  Incoming owned_, passed_;
  std::deque<UnderWay> sending_;
  std::deque<PassedOn> passing_;
  std::size_t next_local_ = 0;
  bool done_ = false;
};

// Bytes of the places for pieces of an exchange, at most: none where everything can be sent and received
// where it lies.
Index slot_bytes(const ExchangePlan& plan, Index element_bytes, const RedistributeOptions& options);

}  // namespace cairn::layout
