// An exchange under way: the words of one or several moves between any layouts, in pieces. A piece is packed,
// sent and unpacked while it is in the cache, and the work memory is a few pieces a rank, whatever the size
// of the matrices.
#pragma once

#include <algorithm>
#include <deque>

#include "comm/communicator.hpp"
#include "layout/packing.hpp"

namespace cairn::layout {

struct RedistributeOptions {
  Index piece_bytes = Index{1} << 18;
  int pieces_under_way = 8;  // each way; work memory is at most twice as many pieces
  int threads = 1;           // that pack and unpack

  Index piece_words(Index element_bytes) const { return std::max<Index>(1, piece_bytes / element_bytes); }
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
    Pool::Lease buffer;
    T* landing = nullptr;  // a receive that is unpacked when it is there
    comm::Operation operation;
  };

  std::deque<Parcel> list(const std::vector<Message>& messages) const;
  T* lease(UnderWay& u) const;
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
  std::deque<UnderWay> sending_, receiving_;
  std::size_t next_local_ = 0;
  bool done_ = false;
};

}  // namespace cairn::layout
