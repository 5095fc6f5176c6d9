#include "layout/redistribute.hpp"

#include <array>
#include <cstring>
#include <deque>
#include <optional>

#include "base/workers.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"

namespace cairn::layout {
namespace {

Index piece_words(const RedistributeOptions& options, Index element_bytes) {
  return std::max<Index>(1, options.piece_bytes / element_bytes);
}

// The memory of a cell, along a line of the exchange (u) and across the lines (v).
template <class T>
struct CellMemory {
  T* data;
  Index along;
  Index across;
};

template <class T>
CellMemory<T> memory_of(T* data, const Cell& cell, Order order) {
  const bool by_columns = order == Order::column_major;
  return {data + cell.offset, by_columns ? cell.row_stride : cell.column_stride,
          by_columns ? cell.column_stride : cell.row_stride};
}

// The part of a stretch that has lines first .. end-1, if the stretch starts at line `start`.
Stretch clip(const Stretch& s, Index start, Index first, Index end) {
  const Index skip = std::max<Index>(0, first - start);
  const Index count = std::min(s.count, end - start) - skip;
  return {s.from + skip * s.from_step, s.to + skip * s.to_step, s.from_step, s.to_step,
          std::max<Index>(0, count)};
}

// Calls f(along, across, position): blocks of `first .. end-1` lines as a stretch within the lines, one
// across them, and where the block's first element is in a buffer that has the lines one after the other.
template <class F>
void for_each_block(const Stretches& along, const Stretches& across, Index first, Index end, const F& f) {
  Index line = 0;
  for (const Stretch& over : across.all()) {
    const Stretch v = clip(over, line, first, end);
    if (v.count > 0) {
      Index position = (std::max(line, first) - first) * along.count();
      for (const Stretch& u : along.all()) {
        f(u, v, position);
        position += u.count;
      }
    }
    line += over.count;
    if (line >= end) break;
  }
}

template <Scalar T>
class Exchange {
 public:
  Exchange(const ExchangePlan& plan, comm::CommView comm, std::span<const MoveData<T>> moves,
           const RedistributeOptions& options)
      : plan_(plan), comm_(comm.unchecked()), options_(options), workers_(threads_for(plan, options)) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const MoveData<T>& m = moves[i];
      Sides s;
      // The memory of op(A) is that of A with rows and columns swapped.
      const Layout from = as_operand(m.a.layout, m.op);
      for (const Cell& c : from.cells_of(plan.rank(), m.a.leading_dimension))
        s.from.push_back(memory_of(m.a.data, c, m.b.layout.order()));
      for (const Cell& c : m.b.cells(plan.rank())) s.to.push_back(memory_of(m.b.data, c, m.b.layout.order()));
      s.update = {m.alpha, m.beta, m.op == Op::adjoint && ScalarTraits<T>::is_complex,
                  m.b.layout.elements(plan.rank()) * static_cast<Index>(sizeof(T)) > larger_than_caches};
      sides_.push_back(std::move(s));
    }
  }

  // All ranks deal with the transfers in one order, by (distance of the ranks, piece), and post the next one
  // as soon as one is done: the first in this order that is not done is posted on both its sides, so
  // something always moves.
  void run() {
    list(plan_.sends(), sends_);
    list(plan_.receives(), receives_);
    std::size_t next_local = 0;
    while (!receives_.empty() || !sends_.empty() || !receiving_.empty() || !sending_.empty()) {
      start_receives();
      start_sends();
      if (next_local < plan_.local().size())
        move_here(plan_.local()[next_local++]);
      else
        wait_for_the_first();
      finish();
    }
    while (next_local < plan_.local().size()) move_here(plan_.local()[next_local++]);
  }

 private:
  struct Sides {
    std::vector<CellMemory<const T>> from;
    std::vector<CellMemory<T>> to;
    Update<T> update;
  };
  struct Job {
    const Message* message;
    Piece piece;
  };
  // Either may be what the rest of the world waits for.
  void wait_for_the_first() {
    if (sending_.empty())
      receiving_.front().operation.wait();
    else if (receiving_.empty())
      sending_.front().operation.wait();
    else
      wait_for_either(receiving_.front().operation, sending_.front().operation);
  }

  struct UnderWay {
    Job job;
    Pool::Lease buffer;
    T* landing = nullptr;  // a receive that is unpacked when it is there
    comm::Operation operation;
  };

  void list(const std::vector<Message>& messages, std::deque<Job>& jobs) const {
    for (const Message& m : messages)
      for (Piece& piece : plan_.pieces(m, piece_words(options_, sizeof(T))))
        jobs.push_back({&m, std::move(piece)});
  }
  // Threads are not started for what one does in less time.
  static int threads_for(const ExchangePlan& plan, const RedistributeOptions& options) {
    constexpr Index worth_threads = 1 << 18;
    const Index words = plan.words_kept() + plan.words_sent() + plan.words_received();
    return words < worth_threads ? 1 : options.threads;
  }
  const Sides& sides(const Box& box) const { return sides_[static_cast<std::size_t>(box.move)]; }
  const CellMemory<const T>& from(const Box& box) const {
    return sides(box).from[static_cast<std::size_t>(box.from_cell)];
  }
  const CellMemory<T>& to(const Box& box) const {
    return sides(box).to[static_cast<std::size_t>(box.to_cell)];
  }

  // Where a piece lies in one stretch of a cell's memory, or null. `position` picks the side of the
  // stretches.
  template <class U>
  U* contiguous(const Job& job, const CellMemory<U>& memory, Index Stretch::*position,
                Index Stretch::*step) const {
    if (job.piece.segments.size() != 1) return nullptr;
    const Segment& s = job.piece.segments.front();
    const Box& box = job.message->boxes[static_cast<std::size_t>(s.box)];
    const auto& along = plan_.stretches(box.along).all();
    if (along.size() != 1 || memory.along * (along[0].count > 1 ? along[0].*step : 1) != 1) return nullptr;
    U* start = nullptr;
    Index line = 0;
    for (const Stretch& over : plan_.stretches(box.across).all()) {
      const Stretch v = clip(over, line, s.first, s.end);
      line += over.count;
      if (v.count == 0) continue;
      if (start != nullptr) return nullptr;  // more than one stretch
      if (v.count > 1 && v.*step * memory.across != along[0].count) return nullptr;
      start = memory.data + along[0].*position + v.*position * memory.across;
    }
    return start;
  }

  T* lease(UnderWay& u, Index words) {
    u.buffer = comm_.pool().lease(words * static_cast<Index>(sizeof(T)));
    return reinterpret_cast<T*>(u.buffer.data());
  }

  void start_sends() {
    while (!sends_.empty() && std::cmp_less(sending_.size(), options_.pieces_under_way)) {
      UnderWay u{std::move(sends_.front()), {}, nullptr, {}};
      sends_.pop_front();
      const Box& box = first_box(u.job);
      const T* data = contiguous(u.job, from(box), &Stretch::from, &Stretch::from_step);
      if (data == nullptr) {
        T* buffer = lease(u, u.job.piece.words);
        pack(u.job, buffer);
        data = buffer;
      }
      u.operation = comm::start_send(comm_, std::span(data, static_cast<std::size_t>(u.job.piece.words)),
                                     u.job.message->peer, tag);
      sending_.push_back(std::move(u));
    }
  }

  void start_receives() {
    while (!receives_.empty() && std::cmp_less(receiving_.size(), options_.pieces_under_way)) {
      UnderWay u{std::move(receives_.front()), {}, nullptr, {}};
      receives_.pop_front();
      const Box& box = first_box(u.job);
      T* data =
          sides(box).update.is_copy() ? contiguous(u.job, to(box), &Stretch::to, &Stretch::to_step) : nullptr;
      if (data == nullptr) data = u.landing = lease(u, u.job.piece.words);
      u.operation = comm::start_receive(comm_, std::span(data, static_cast<std::size_t>(u.job.piece.words)),
                                        u.job.message->peer, tag);
      receiving_.push_back(std::move(u));
    }
  }

  // Whatever has arrived from the front on is unpacked, whatever has left is forgotten.
  void finish() {
    while (!receiving_.empty() && receiving_.front().operation.done()) {
      const UnderWay u = std::move(receiving_.front());
      receiving_.pop_front();
      start_receives();
      if (u.landing != nullptr) unpack(u.job, u.landing);
    }
    while (!sending_.empty() && sending_.front().operation.done()) sending_.pop_front();
  }

  const Box& first_box(const Job& job) const {
    return job.message->boxes[static_cast<std::size_t>(job.piece.segments.front().box)];
  }

  template <class F>
  void for_each_segment(const Job& job, const F& f) const {
    Index at = 0;
    for (const Segment& s : job.piece.segments) {
      f(job.message->boxes[static_cast<std::size_t>(s.box)], s, at);
      at += s.words;
    }
  }

  // f(first, end) for lines first .. end-1, shared out among the threads where there is enough to do.
  template <class F>
  void for_line_ranges(Index first, Index end, Index line_words, const F& f) const {
    constexpr Index worth_sharing = 1 << 14;  // words a thread
    const Index shares =
        std::min<Index>({workers_.threads(), end - first, (end - first) * line_words / worth_sharing});
    if (shares < 2) return f(first, end);
    workers_.run([&](int i) {
      if (i < shares) f(first + (end - first) * i / shares, first + (end - first) * (i + 1) / shares);
    });
  }

  void pack(const Job& job, T* buffer) const {
    for_each_segment(job, [&](const Box& box, const Segment& s, Index at) {
      const CellMemory<const T>& cell = from(box);
      const Stretches &along = plan_.stretches(box.along), &across = plan_.stretches(box.across);
      for_line_ranges(s.first, s.end, along.count(), [&](Index first, Index end) {
        T* lines = buffer + at + (first - s.first) * along.count();
        for_each_block(along, across, first, end, [&](const Stretch& u, const Stretch& v, Index position) {
          strided_update<T>(u.count, v.count, source(cell, u, v), {lines + position, 1, along.count()},
                            Update<T>{});
        });
      });
    });
  }

  void unpack(const Job& job, const T* buffer) const {
    for_each_segment(job, [&](const Box& box, const Segment& s, Index at) {
      const CellMemory<T>& cell = to(box);
      const Stretches &along = plan_.stretches(box.along), &across = plan_.stretches(box.across);
      for_line_ranges(s.first, s.end, along.count(), [&](Index first, Index end) {
        const T* lines = buffer + at + (first - s.first) * along.count();
        for_each_block(along, across, first, end, [&](const Stretch& u, const Stretch& v, Index position) {
          strided_update<T>(u.count, v.count, {lines + position, 1, along.count()}, target(cell, u, v),
                            sides(box).update);
        });
      });
    });
  }

  void move_here(const Box& box) const {
    const CellMemory<const T>& a = from(box);
    const CellMemory<T>& b = to(box);
    const Stretches &along = plan_.stretches(box.along), &across = plan_.stretches(box.across);
    for_line_ranges(0, across.count(), along.count(), [&](Index first, Index end) {
      for_each_block(along, across, first, end, [&](const Stretch& u, const Stretch& v, Index) {
        strided_update<T>(u.count, v.count, source(a, u, v), target(b, u, v), sides(box).update);
      });
    });
  }

  static Strided<const T> source(const CellMemory<const T>& c, const Stretch& u, const Stretch& v) {
    return {c.data + u.from * c.along + v.from * c.across, u.from_step * c.along, v.from_step * c.across};
  }
  static Strided<T> target(const CellMemory<T>& c, const Stretch& u, const Stretch& v) {
    return {c.data + u.to * c.along + v.to * c.across, u.to_step * c.along, v.to_step * c.across};
  }

  static constexpr int tag = 7;
  static constexpr Index larger_than_caches = Index{1} << 23;

  const ExchangePlan& plan_;
  comm::CommView comm_;
  RedistributeOptions options_;
  mutable Workers workers_;
  std::vector<Sides> sides_;
  std::deque<Job> sends_, receives_;
  std::deque<UnderWay> sending_, receiving_;
};

// alpha = 0: B := beta B, and nothing moves.
template <Scalar T>
void scale(const MatrixView<T>& b, T beta, int rank) {
  if (beta == T(1)) return;
  for (const Cell& cell : b.cells(rank)) {
    const CellMemory<T> m = memory_of(b.data, cell, b.layout.order());
    const bool by_columns = b.layout.order() == Order::column_major;
    const Index along = by_columns ? cell.rows : cell.columns, across = by_columns ? cell.columns : cell.rows;
    for (Index v = 0; v < across; ++v)
      for (Index u = 0; u < along; ++u) {
        T& x = m.data[u * m.along + v * m.across];
        x = beta == T(0) ? T(0) : beta * x;
      }
  }
}

template <Scalar T>
void check(const MoveData<T>& m, int rank) {
  check_memory(m.a, rank, "A");
  check_memory(m.b, rank, "B");
  require(!share_memory(m.a, m.b, rank), "A and B share memory on rank {}", rank);
}

void check(const RedistributeOptions& o) {
  require(o.piece_bytes >= 1, "bytes of a piece is {}, expected 1 or more", o.piece_bytes);
  require(o.pieces_under_way >= 1, "pieces under way is {}, expected 1 or more", o.pieces_under_way);
  require(o.threads >= 1, "threads is {}, expected 1 or more", o.threads);
}

// The bits of a scalar, to be compared between ranks.
template <Scalar T>
Index bits(const T& value) {
  std::array<Index, 2> words{};
  static_assert(sizeof(T) <= sizeof(words));
  std::memcpy(words.data(), &value, sizeof(T));
  return comm::fingerprint(words);
}

}  // namespace

template <Scalar T>
void run(const ExchangePlan& plan, comm::CommView comm, std::span<const MoveData<T>> moves,
         const RedistributeOptions& options) {
  const comm::Phase phase(comm.traffic(), "redistribute");
  Exchange<T>(plan, comm, moves, options).run();
}

template <Scalar T>
void redistribute(comm::CommView comm, std::span<const MoveData<T>> moves,
                  const RedistributeOptions& options) {
  std::vector<Index> shapes;
  std::vector<Index> scalars;
  for (const MoveData<T>& m : moves) {
    shapes.insert(shapes.end(),
                  {m.a.layout.fingerprint(), m.b.layout.fingerprint(), static_cast<Index>(m.op)});
    scalars.insert(scalars.end(), {bits(m.alpha), bits(m.beta)});
  }
  std::vector<Move> wanted;
  for (const MoveData<T>& m : moves)
    if (m.alpha != T(0)) wanted.push_back({m.a.layout, m.b.layout, m.op});
  std::optional<ExchangePlan> plan;
  comm::agree(comm, "redistribute",
              [&] {
                check(options);
                for (const MoveData<T>& m : moves) check(m, comm.rank());
                for (const MoveData<T>& m : moves) check_move(m.a.layout, m.b.layout, m.op, comm.size());
                plan.emplace(std::move(wanted), comm.rank(), comm.size());
              },
              {{"number of moves", static_cast<Index>(moves.size())},
               {"rows of A", moves.empty() ? 0 : moves.front().a.layout.rows()},
               {"columns of A", moves.empty() ? 0 : moves.front().a.layout.columns()},
               {"fingerprint of the layouts and ops", comm::fingerprint(shapes)},
               {"fingerprint of alpha and beta", comm::fingerprint(scalars)},
               {"bytes of a piece", options.piece_bytes}});
  std::vector<MoveData<T>> moving;
  for (const MoveData<T>& m : moves)
    if (m.alpha != T(0))
      moving.push_back(m);
    else
      scale(m.b, m.beta, comm.rank());
  run<T>(*plan, comm, moving, options);
}

template <Scalar T>
void redistribute(comm::CommView comm, T alpha, Op op, const MatrixView<const T>& a, T beta,
                  const MatrixView<T>& b, const RedistributeOptions& options) {
  const MoveData<T> move{alpha, op, a, beta, b};
  redistribute<T>(comm, std::span(&move, 1), options);
}

comm::Counters count(const ExchangePlan& plan, Index element_bytes, const RedistributeOptions& options) {
  return plan.count(piece_words(options, element_bytes), element_bytes);
}

#define CAIRN_INSTANTIATE(T)                                                                             \
  template void run(const ExchangePlan&, comm::CommView, std::span<const MoveData<T>>,                   \
                    const RedistributeOptions&);                                                         \
  template void redistribute(comm::CommView, std::span<const MoveData<T>>, const RedistributeOptions&);  \
  template void redistribute(comm::CommView, T, Op, const MatrixView<const T>&, T, const MatrixView<T>&, \
                             const RedistributeOptions&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::layout
