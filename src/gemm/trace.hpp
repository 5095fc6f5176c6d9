// What one rank did when: events of its core and of the communication that was under way meanwhile. Recorded
// by the executors, or made from a simulated Timeline; written by the command line.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "gemm/program.hpp"

namespace cairn::gemm {

enum class Activity : std::uint8_t {
  none,
  gather_a,
  gather_b,
  gather,  // A and B in one exchange
  combine_c,
  multiply,
  update,  // scaling, clearing or adding to C
  start,   // the core starts a communication
  wait,    // the core waits for one, and packs, copies and sums what it asks for
  agree    // on the arguments
};
std::string_view name(Activity activity);
Activity activity_of(Matrix x);  // gather_a, gather_b, combine_c
Activity activity_of(const Operation& operation);
constexpr bool communicates(Activity a) { return a != Activity::none && a <= Activity::combine_c; }

// Trivially copyable: it travels between ranks as it is.
struct TraceEvent {
  static constexpr int core = 0;

  Activity activity = Activity::none;
  Activity of = Activity::none;  // what is started or waited for
  int lane = core;               // 1, 2, ... : communication; events of a lane do not overlap
  Index round = 0;
  double start = 0;  // seconds since the recorder's start
  double end = 0;
  comm::Counters moved = {};
};
std::string label(const TraceEvent& event);  // "gather A", "wait for gather A"

// Records the events of one rank. An executor is given a pointer, null where nothing is recorded: then all it
// costs is a comparison an operation.
class Trace {
 public:
  // Forgets all; time is 0 now. Ranks that call it right after a barrier have about the same time.
  void start();
  double now() const { return std::chrono::duration<double>(Clock::now() - origin_).count(); }

  // A communication goes under way, on the first lane that is free, until it is found done.
  std::size_t begin(Activity activity, Index round, const comm::Counters& moved);
  void end(std::size_t communication);

  // Of the core, until now. Where there is no memory for it the event is lost, not the run.
  void add_core(Activity activity, Activity of, Index round, double start) noexcept;
  // In the order in which they began, but for the core's, which are there when they are over.
  const std::vector<TraceEvent>& events() const { return events_; }

 private:
  using Clock = std::chrono::steady_clock;

  int take_lane();

  Clock::time_point origin_ = Clock::now();
  std::vector<TraceEvent> events_;
  std::vector<bool> taken_;  // by lane, from 1 on
};

// An activity of the core, for as long as this lives. Does nothing without a trace.
class CoreScope {
 public:
  CoreScope(Trace* trace, Activity activity, Index round, Activity of = Activity::none)
      : trace_(trace), activity_(activity), of_(of), round_(round), start_(trace ? trace->now() : 0) {}
  ~CoreScope() {
    if (trace_ != nullptr) trace_->add_core(activity_, of_, round_, start_);
  }
  CoreScope(const CoreScope&) = delete;
  CoreScope& operator=(const CoreScope&) = delete;

 private:
  Trace* trace_;
  Activity activity_, of_;
  Index round_;
  double start_;
};

}  // namespace cairn::gemm
