// Writes a Program of messages and kernels: what the compilers of this folder have in common. All messages are
// sent from and received into the work memory, array 0.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/collectives.hpp"
#include "program/program.hpp"

namespace cairn::factor {

// The memory of a run as a kernel sees it.
template <Scalar T>
struct Arrays {
  std::span<void* const> memory;
  T* operator[](int array) const { return static_cast<T*>(memory[static_cast<std::size_t>(array)]); }
  T* work() const { return (*this)[0]; }
};

template <Scalar T, class F>
class KernelOf final : public program::LocalStep {
 public:
  explicit KernelOf(F f) : f_(std::move(f)) {}
  void run(const program::LocalRun& given) const override { f_(Arrays<T>{given.memory}); }

 private:
  F f_;
};

// A message of a communication: `count` elements of the work memory from `offset` on. A relay is sent when
// everything that is received has arrived; `relayed` is what it is where it arrives from one that got it first.
struct Wire {
  enum class Kind : std::uint8_t { send, receive, relay, relayed };
  Kind kind = Kind::send;
  int peer = 0;
  Index offset = 0;
  Index count = 0;
};

// Actions of a Program by number; none: `nothing`.
class Waits {
 public:
  static constexpr int nothing = -1;
  Waits(std::initializer_list<int> actions) {
    for (const int a : actions)
      if (a != nothing) list_.push_back(a);
  }
  const SmallVector<std::int32_t, 3>& list() const { return list_; }

 private:
  SmallVector<std::int32_t, 3> list_;
};

template <Scalar T>
class Writer {
 public:
  // Phases are named operation/phase.
  Writer(program::Program& program, std::string_view operation, int rank, int ranks)
      : program_(program), operation_(operation) {
    program_.type = ScalarTraits<T>::type;
    program_.rank = rank;
    program_.ranks = ranks;
    if (program_.array_counts.empty()) program_.array_counts = {0};
  }

  template <class F>
  void kernel(std::string_view phase, Index round, const Waits& waits, double flops, F f,
              bool beside = false) {
    program::Kernel k{std::make_shared<const KernelOf<T, F>>(std::move(f)), flops, beside};
    add(std::move(k), phase, round, waits);
  }

  // The number of the action; nothing where there are no messages.
  int messages(std::string_view phase, Index round, const Waits& waits, const std::vector<Wire>& wires,
               int channel, bool gives_way = false) {
    comm::RankSchedule schedule = scheduled(wires);
    if (schedule.transfers.empty()) return Waits::nothing;
    program::Messages m{
        std::make_shared<const comm::CountedSchedule>(std::move(schedule), sizeof(T)), {}, {}};
    add(program::Communicate{.what = std::move(m), .channel = channel, .gives_way = gives_way}, phase, round,
        waits);
    return static_cast<int>(program_.actions.size()) - 1;
  }

  void multiply(std::string_view phase, Index round, const program::Multiply& product) {
    if (product.m > 0 && product.n > 0 && product.k > 0) add(product, phase, round, {});
  }

  // A part of the work memory that nothing else uses.
  Index reserve(Index elements) {
    return std::exchange(program_.array_counts[0], program_.array_counts[0] + elements);
  }

 private:
  comm::RankSchedule scheduled(const std::vector<Wire>& wires) const {
    comm::ScheduleBuilder b(comm::seat_of(program_.rank, program_.ranks, sizeof(T)).message_elements);
    for (const Wire& w : wires)
      if (w.kind == Wire::Kind::receive) b.receive(w.peer, comm::out(w.offset), w.count);
    for (const Wire& w : wires)
      if (w.kind == Wire::Kind::send) b.send(w.peer, comm::out(w.offset), w.count);
    b.next_round();
    for (const Wire& w : wires)
      if (w.kind == Wire::Kind::relayed) b.receive(w.peer, comm::out(w.offset), w.count);
    for (const Wire& w : wires)
      if (w.kind == Wire::Kind::relay) b.send(w.peer, comm::out(w.offset), w.count);
    b.next_round();
    return b.finish();
  }
  template <class What>
  void add(What&& what, std::string_view phase, Index round, const Waits& waits) {
    const int number = program::phase_number(program_, operation_ + '/' + std::string(phase));
    program_.actions.push_back({std::forward<What>(what), number, round, waits.list()});
  }

  program::Program& program_;
  std::string operation_;
};

}  // namespace cairn::factor
