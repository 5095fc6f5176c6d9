// An exchange under way: the words of one or several moves between any layouts, in pieces. A piece is packed,
// sent and unpacked while it is in the cache, and the work memory is a few pieces a rank, whatever the size
// of the matrices.
#pragma once

#include <algorithm>
#include <deque>

#include "comm/communicator.hpp"
#include "layout/exchange/packing.hpp"

namespace cairn::layout {

struct RedistributeOptions {
  Index piece_bytes = Index{1} << 18;
  int pieces_under_way = 8;  // each way; work memory is at most twice as many pieces
  int threads = 1;           // that pack and unpack

  Index piece_words(Index element_bytes) const { return std::max<Index>(1, piece_bytes / element_bytes); }
};

// Places for the pieces that are under way one way, as many as may be and as long as the longest: in one
// piece of memory that is there once the first is asked for.
template <Scalar T>
class Slots {
 public:
  Slots(const std::deque<Parcel>& parcels, const RedistributeOptions& options);

  Index words() const { return count_ * longest_; }
  T* take(Pool& pool);
  void give_back(T* slot) { free_.push_back(slot); }

 private:
  Index count_ = 0, longest_ = 0;
  Pool::Lease memory_;
  std::vector<T*> free_;
};

// All ranks deal with the transfers in one order, by (piece, distance of the ranks), and post the next one as
// soon as one is done: the first in this order that is not done is posted on both its sides, so something
// always moves. Nothing moves but in advance() and finish(). Of several exchanges under way on a communicator
// each needs a channel of its own, and whoever waits for one must advance the others.
template <Scalar T>
class Exchange {
 public:
  // The plan must outlive this; the same order of channels on all ranks.
  Exchange(const ExchangePlan& plan, comm::CommView comm, std::span<const MoveData<T>> moves,
           const RedistributeOptions& options = {}, int channel = 0);

  // Does what can be done without waiting; true when all is done. Counted under the phase that is open.
  bool advance();
  bool done() const noexcept { return done_; }
  void finish();

 private:
  struct UnderWay {
    Parcel parcel;
    T* slot = nullptr;  // where it is packed, or is unpacked from when it is there
    comm::Operation operation;
  };

  void start_sends();
  void start_receives();
  void settle();
  bool moving() const {
    return !(receives_.empty() && sends_.empty() && receiving_.empty() && sending_.empty());
  }

  const ExchangePlan& plan_;
  comm::CommView comm_;
  RedistributeOptions options_;
  int tag_;
  Packing<T> packing_;
  std::deque<Parcel> sends_, receives_;
  Slots<T> packed_, landed_;  // outlive what is under way
  std::deque<UnderWay> sending_, receiving_;
  std::size_t next_local_ = 0;
  bool done_ = false;
};

// Bytes of the places for pieces of an exchange, at most: none where everything can be sent and received
// where it lies.
Index slot_bytes(const ExchangePlan& plan, Index element_bytes, const RedistributeOptions& options);

}  // namespace cairn::layout
