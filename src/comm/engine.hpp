// What all communicators made from one user communicator share: the traffic counters, the work memory, the
// operations under way and the watchdog. Not for several threads at once; two user communicators may be used
// by two threads.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/buffer.hpp"
#include "comm/algorithms.hpp"
#include "comm/element.hpp"
#include "comm/schedule.hpp"
#include "comm/traffic.hpp"

namespace cairn::comm {

struct CommOptions {
  LinkCost cost = {};           // by which schedules are chosen; the same on all ranks
  bool check_arguments = true;  // agree on the arguments of every collective before it starts
  double watchdog_seconds = 0;  // end with TimeoutError when nothing progresses for so long; 0: wait for ever
};

// The buffers and the element type a schedule runs on.
struct Binding {
  const void* input = nullptr;
  void* output = nullptr;
  const ElementType* type = nullptr;
  Combine combine = nullptr;
  const char* name = "";  // of the operation, for messages
};

// A schedule under way on one communicator.
class Running {
 public:
  struct Seating {
    // Keeps the communicator alive for as long as messages are under way.
    std::shared_ptr<const void> owner;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Win window = MPI_WIN_NULL;
    int tag = 0;
  };

  Running() = default;  // done
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  // Makes this object, which is free, a new operation: its memory is used again.
  void begin(std::shared_ptr<const CountedSchedule> plan, const Binding& binding, Seating seating,
             Pool& pool);
  bool advance();  // true if anything happened; an operation that throws here is over
  bool done() const noexcept { return done_; }
  bool is_free() const noexcept { return plan_ == nullptr; }  // done, and not by an error
  std::string waiting_for() const;

 private:
  struct Queues {
    std::vector<bool> settled;  // transfers of this round that are done, with their locals
    std::unordered_map<int, std::deque<std::int32_t>> waiting;  // receives by peer, in order
  };

  Queues& queues() {
    if (queues_ == nullptr) queues_ = std::make_unique<Queues>();
    return *queues_;
  }
  bool step();
  void post_round();
  void complete(int request);
  void finish_round();
  bool finish_background();
  void run_locals_after(std::int32_t transfer);
  void run(const Local& local);
  void end();
  std::byte* address(Place place) const;
  MPI_Request post(const Transfer& t);
  const RankSchedule& schedule() const { return plan_->schedule; }

  std::shared_ptr<const CountedSchedule> plan_;
  Binding binding_;
  Seating at_;
  // Work memory: the pool's, but for a little of it, so that small agreements take nothing from there.
  Pool::Lease work_;
  alignas(std::max_align_t) std::array<std::byte, 512> small_;
  std::byte* work_at_ = nullptr;
  std::size_t round_ = 0;
  bool done_ = true;
  bool posted_ = false;
  int pending_ = 0;
  SmallVector<MPI_Request, 4> requests_;
  SmallVector<int, 4> completed_;
  SmallVector<MPI_Request, 1> background_;
  std::unique_ptr<Queues> queues_;  // only in rounds where a receive waits for another
};

class Engine {
 public:
  explicit Engine(const CommOptions& options) : options_(options) {}

  Traffic& traffic() noexcept { return traffic_; }
  const CommOptions& options() const noexcept { return options_; }
  void set_watchdog(double seconds) { options_.watchdog_seconds = seconds; }
  void set_crowded(bool crowded) { options_.cost.crowded = crowded; }
  // The watchdog has bitten: some rank is not there, and no collective call would come back.
  bool stalled() const noexcept { return stalled_; }
  Pool& pool() noexcept { return pool_; }

  std::shared_ptr<Running> start(std::shared_ptr<const CountedSchedule> plan, const Binding& binding,
                                 Running::Seating seating);
  bool progress();  // drives every operation under way; true if anything happened
  // Drives everything until `operation` is done. Throws TimeoutError when the watchdog is on and bites.
  void wait(const Running& operation);
  // The same until done() holds, which may start operations.
  void wait_until(const std::function<bool()>& done);

 private:
  template <class Done>
  void drive_until(const Done& done, const Running* reported);
  void report_stall(const Running* operation, double seconds);

  CommOptions options_;
  bool stalled_ = false;
  Traffic traffic_;
  Pool pool_;
  std::vector<std::shared_ptr<Running>> active_;
  std::shared_ptr<Running> last_;  // used again when nobody else holds it
};

// The handle of a non-blocking operation. Its buffers must live until it is done; a handle that dies waits
// for it.
class Ongoing {
 public:
  Ongoing() = default;  // done
  Ongoing(std::shared_ptr<Engine> engine, std::shared_ptr<Running> running)
      : engine_(std::move(engine)), running_(std::move(running)) {}
  Ongoing(Ongoing&&) = default;
  Ongoing& operator=(Ongoing&& other) noexcept;
  ~Ongoing() { settle(); }

  bool done() const { return running_ == nullptr || running_->done(); }
  bool test();  // drives all operations of this communicator family, then tells whether this one is done
  void wait();

 private:
  void settle() noexcept;

  std::shared_ptr<Engine> engine_;
  std::shared_ptr<Running> running_;
};

void wait_all(std::span<Ongoing> operations);

}  // namespace cairn::comm
