#include "layout/exchange/exchange.hpp"

#include "base/copy.hpp"
#include "comm/collectives.hpp"

namespace cairn::layout {
namespace {

constexpr int first_tag = 7;
// What is passed on has tags of its own, above those of Programs: it may overtake what the passer owns.
constexpr int first_passing_tag = 3088, passing_tags = 1000;
static_assert(first_passing_tag + passing_tags <= comm::user_tags);

// Threads are not started for what one does in less time.
int threads_for(const ExchangePlan& plan, const RedistributeOptions& options) {
  constexpr Index worth_threads = 1 << 18;
  const Index words = plan.words_kept() + plan.words_sent() + plan.words_received();
  return words < worth_threads ? 1 : options.threads;
}

// The first pieces of all messages, then the second ones: a rank that has nobody to send to at some distance
// is then never far ahead of the others, and all links are busy until the end.
std::deque<Parcel> list(const ExchangePlan& plan, const std::vector<Message>& messages, Index piece_words) {
  std::vector<std::vector<MessagePiece>> pieces;
  std::size_t most = 0;
  for (const Message& m : messages) {
    pieces.push_back(plan.pieces(m, piece_words));
    most = std::max(most, pieces.back().size());
  }
  std::deque<Parcel> parcels;
  for (std::size_t turn = 0; turn < most; ++turn)
    for (std::size_t i = 0; i < messages.size(); ++i)
      if (turn < pieces[i].size()) parcels.push_back({&messages[i], std::move(pieces[i][turn])});
  return parcels;
}

}  // namespace

template <Scalar T>
Slots<T>::Slots(const std::deque<Parcel>& parcels, const RedistributeOptions& options)
    : count_(std::min<Index>(options.pieces_under_way, static_cast<Index>(parcels.size()))) {
  for (const Parcel& p : parcels) longest_ = std::max(longest_, p.piece.words);
}

template <Scalar T>
T* Slots<T>::take(Pool& pool) {
  if (memory_.bytes() == 0) {
    memory_ = pool.lease(words() * static_cast<Index>(sizeof(T)));
    for (Index i = count_; i-- > 0;) free_.push_back(memory_.template as<T>().data() + i * longest_);
  }
  T* slot = free_.back();
  free_.pop_back();
  return slot;
}

Index slot_bytes(const ExchangePlan& plan, Index element_bytes, const RedistributeOptions& options) {
  Index words = 0;
  for (const auto* messages : {&plan.sends(), &plan.receives(), &plan.passed()})
    words += Slots<float>(list(plan, *messages, options.piece_words(element_bytes)), options).words();
  return words * element_bytes;
}

template <Scalar T>
RunningExchange<T>::RunningExchange(const ExchangePlan& plan, comm::CommView comm,
                                    std::span<const MoveData<T>> moves, const RedistributeOptions& options,
                                    int channel)
    : plan_(plan),
      comm_(comm.unchecked()),
      options_(options),
      tag_(first_tag + channel),
      packing_(plan, moves, threads_for(plan, options)),
      sends_(list(plan, plan.sends(), options.piece_words(sizeof(T)))),
      packed_(sends_, options),
      owned_(incoming(tag_, plan.receives())),
      passed_(incoming(first_passing_tag + channel % passing_tags, plan.passed())) {}

template <Scalar T>
typename RunningExchange<T>::Incoming RunningExchange<T>::incoming(
    int tag, const std::vector<Message>& messages) const {
  std::deque<Parcel> parcels = list(plan_, messages, options_.piece_words(sizeof(T)));
  Slots<T> slots(parcels, options_);
  return {tag, std::move(parcels), std::move(slots)};
}

template <Scalar T>
bool RunningExchange<T>::advance() {
  if (done_) return true;
  const std::vector<CommonBox>& local = plan_.local();
  // Where several moves are added up in one place, what is here comes first: sums have one order.
  if (packing_.adds_up())
    while (next_local_ < local.size()) packing_.move_here(local[next_local_++]);
  start_receives(owned_);
  start_receives(passed_);
  start_sends();
  if (next_local_ < local.size()) packing_.move_here(local[next_local_++]);
  settle(owned_);
  settle(passed_);
  settle_sends();
  done_ = !moving() && next_local_ == local.size();
  if (done_) finish_streaming();
  return done_;
}

template <Scalar T>
void RunningExchange<T>::finish() {
  comm_.wait_until([this] { return advance(); });
}

template <Scalar T>
void RunningExchange<T>::start_sends() {
  while (!sends_.empty() && std::cmp_less(sending_.size(), options_.pieces_under_way)) {
    UnderWay u{std::move(sends_.front()), nullptr, nullptr, {}};
    sends_.pop_front();
    const T* data = packing_.where_sent(u.parcel);
    if (data == nullptr) {
      data = u.slot = packed_.take(comm_.pool());
      packing_.pack(u.parcel, u.slot);
    }
    u.operation = comm::start_send(comm_, std::span(data, static_cast<std::size_t>(u.parcel.piece.words)),
                                   u.parcel.message->peer, tag_);
    sending_.push_back(std::move(u));
  }
}

template <Scalar T>
void RunningExchange<T>::start_receives(Incoming& from) {
  const auto most = static_cast<std::size_t>(options_.pieces_under_way);
  // What is passed on is always taken: its passer waits for that before it takes more.
  const auto has_room = [&] { return &from == &passed_ || passing_.size() < most; };
  while (!from.parcels.empty() && from.under_way.size() < most && has_room()) {
    T* const place = packing_.where_received(from.parcels.front());
    if (place == nullptr && !from.slots.has_free()) return;
    UnderWay u{std::move(from.parcels.front()), place, nullptr, {}};
    from.parcels.pop_front();
    if (place == nullptr) u.data = u.slot = from.slots.take(comm_.pool());
    u.operation =
        comm::start_receive(comm_, std::span(u.data, static_cast<std::size_t>(u.parcel.piece.words)),
                            u.parcel.message->peer, from.tag);
    from.under_way.push_back(std::move(u));
  }
}

// Whatever has arrived from the front on is unpacked, and passed on if others take it, too.
template <Scalar T>
void RunningExchange<T>::settle(Incoming& from) {
  while (!from.under_way.empty() && from.under_way.front().operation.done()) {
    const UnderWay u = std::move(from.under_way.front());
    from.under_way.pop_front();
    if (u.slot != nullptr) packing_.unpack(u.parcel, u.slot);
    if (&from == &owned_ && !u.parcel.message->relay.is_direct())
      pass_on(u.parcel, u.data, u.slot);
    else if (u.slot != nullptr)
      from.slots.give_back(u.slot);
    start_receives(from);
  }
}

template <Scalar T>
void RunningExchange<T>::pass_on(const Parcel& parcel, T* data, T* slot) {
  PassedOn p{slot, {}};
  for (const int taker : parcel.message->relay.takers)
    if (taker != plan_.rank())
      p.operations.push_back(comm::start_send(
          comm_, std::span<const T>(data, static_cast<std::size_t>(parcel.piece.words)), taker, passed_.tag));
  passing_.push_back(std::move(p));
}

// Whatever has left is forgotten.
template <Scalar T>
void RunningExchange<T>::settle_sends() {
  while (!sending_.empty() && sending_.front().operation.done()) {
    if (sending_.front().slot != nullptr) packed_.give_back(sending_.front().slot);
    sending_.pop_front();
  }
  while (!passing_.empty() && passing_.front().done()) {
    if (passing_.front().slot != nullptr) owned_.slots.give_back(passing_.front().slot);
    passing_.pop_front();
  }
}

template class RunningExchange<float>;
template class RunningExchange<double>;
template class RunningExchange<std::complex<float>>;
template class RunningExchange<std::complex<double>>;

}  // namespace cairn::layout
