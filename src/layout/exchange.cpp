#include "layout/exchange.hpp"

#include "base/copy.hpp"
#include "comm/collectives.hpp"

namespace cairn::layout {
namespace {

constexpr int first_tag = 7;

// Threads are not started for what one does in less time.
int threads_for(const ExchangePlan& plan, const RedistributeOptions& options) {
  constexpr Index worth_threads = 1 << 18;
  const Index words = plan.words_kept() + plan.words_sent() + plan.words_received();
  return words < worth_threads ? 1 : options.threads;
}

}  // namespace

template <Scalar T>
Exchange<T>::Exchange(const ExchangePlan& plan, comm::CommView comm, std::span<const MoveData<T>> moves,
                      const RedistributeOptions& options, int channel)
    : plan_(plan),
      comm_(comm.unchecked()),
      options_(options),
      tag_(first_tag + channel),
      packing_(plan, moves, threads_for(plan, options)),
      sends_(list(plan.sends())),
      receives_(list(plan.receives())) {}

// The first pieces of all messages, then the second ones: a rank that has nobody to send to at some distance
// is then never far ahead of the others, and all links are busy until the end.
template <Scalar T>
std::deque<Parcel> Exchange<T>::list(const std::vector<Message>& messages) const {
  std::vector<std::vector<Piece>> pieces;
  std::size_t most = 0;
  for (const Message& m : messages) {
    pieces.push_back(plan_.pieces(m, options_.piece_words(sizeof(T))));
    most = std::max(most, pieces.back().size());
  }
  std::deque<Parcel> parcels;
  for (std::size_t turn = 0; turn < most; ++turn)
    for (std::size_t i = 0; i < messages.size(); ++i)
      if (turn < pieces[i].size()) parcels.push_back({&messages[i], std::move(pieces[i][turn])});
  return parcels;
}

template <Scalar T>
bool Exchange<T>::advance() {
  if (done_) return true;
  const std::vector<Box>& local = plan_.local();
  // Where several moves are added up in one place, what is here comes first: sums have one order.
  if (packing_.adds_up())
    while (next_local_ < local.size()) packing_.move_here(local[next_local_++]);
  start_receives();
  start_sends();
  if (next_local_ < local.size()) packing_.move_here(local[next_local_++]);
  settle();
  done_ = !moving() && next_local_ == local.size();
  if (done_) finish_streaming();
  return done_;
}

template <Scalar T>
void Exchange<T>::finish() {
  comm_.wait_until([this] { return advance(); });
}

template <Scalar T>
T* Exchange<T>::lease(UnderWay& u) const {
  u.buffer = comm_.pool().lease(u.parcel.piece.words * static_cast<Index>(sizeof(T)));
  return reinterpret_cast<T*>(u.buffer.data());
}

template <Scalar T>
void Exchange<T>::start_sends() {
  while (!sends_.empty() && std::cmp_less(sending_.size(), options_.pieces_under_way)) {
    UnderWay u{std::move(sends_.front()), {}, nullptr, {}};
    sends_.pop_front();
    const T* data = packing_.where_sent(u.parcel);
    if (data == nullptr) {
      T* buffer = lease(u);
      packing_.pack(u.parcel, buffer);
      data = buffer;
    }
    u.operation = comm::start_send(comm_, std::span(data, static_cast<std::size_t>(u.parcel.piece.words)),
                                   u.parcel.message->peer, tag_);
    sending_.push_back(std::move(u));
  }
}

template <Scalar T>
void Exchange<T>::start_receives() {
  while (!receives_.empty() && std::cmp_less(receiving_.size(), options_.pieces_under_way)) {
    UnderWay u{std::move(receives_.front()), {}, nullptr, {}};
    receives_.pop_front();
    T* data = packing_.where_received(u.parcel);
    if (data == nullptr) data = u.landing = lease(u);
    u.operation = comm::start_receive(comm_, std::span(data, static_cast<std::size_t>(u.parcel.piece.words)),
                                      u.parcel.message->peer, tag_);
    receiving_.push_back(std::move(u));
  }
}

// Whatever has arrived from the front on is unpacked, whatever has left is forgotten.
template <Scalar T>
void Exchange<T>::settle() {
  while (!receiving_.empty() && receiving_.front().operation.done()) {
    const UnderWay u = std::move(receiving_.front());
    receiving_.pop_front();
    start_receives();
    if (u.landing != nullptr) packing_.unpack(u.parcel, u.landing);
  }
  while (!sending_.empty() && sending_.front().operation.done()) sending_.pop_front();
}

template class Exchange<float>;
template class Exchange<double>;
template class Exchange<std::complex<float>>;
template class Exchange<std::complex<double>>;

}  // namespace cairn::layout
