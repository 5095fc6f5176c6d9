// What one rank did when: events of its core and of the communication that was under way meanwhile. Recorded
// by the executor, or made from a simulated Timeline; written by the command line.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "comm/traffic.hpp"

namespace cairn::program {

enum class Activity : std::uint8_t {
  communicate,
  compute,
  start,  // the core starts a communication
  wait,   // the core waits for one, and packs, copies and sums what it asks for
  agree   // on the arguments
};

// Trivially copyable: it travels between ranks as it is.
struct TraceEvent {
  static constexpr int core = 0;

  Activity activity = Activity::compute;
  std::array<char, 23> phase{};  // what is done, started or waited for; cut where it is longer
  int lane = core;               // 1, 2, ... : communication; events of a lane do not overlap
  Index round = 0;
  double start = 0;  // seconds since the recorder's start
  double end = 0;
  comm::Counters moved = {};

  std::string_view phase_name() const { return phase.data(); }
  void set_phase(std::string_view name);
};
std::string label(const TraceEvent& event);  // "gather A", "wait for gather A"

// Records the events of one rank. An executor is given a pointer, null where nothing is recorded: then all it
// costs is a comparison an action.
class Trace {
 public:
  // Forgets all; time is 0 now. Ranks that call it right after a barrier have about the same time.
  void start();
  double now() const { return std::chrono::duration<double>(Clock::now() - origin_).count(); }

  // A communication goes under way, on the first lane that is free, until it is found done.
  std::size_t begin(std::string_view phase, Index round, const comm::Counters& moved);
  void end(std::size_t communication);
  // ... and only now it is known what it moved.
  void end(std::size_t communication, const comm::Counters& moved);

  // Of the core, until now. Where there is no memory for it the event is lost, not the run.
  void add_core(Activity activity, std::string_view phase, Index round, double start) noexcept;
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
  CoreScope(Trace* trace, Activity activity, std::string_view phase, Index round)
      : trace_(trace), activity_(activity), phase_(phase), round_(round), start_(trace ? trace->now() : 0) {}
  ~CoreScope() {
    if (trace_ != nullptr) trace_->add_core(activity_, phase_, round_, start_);
  }
  CoreScope(const CoreScope&) = delete;
  CoreScope& operator=(const CoreScope&) = delete;

 private:
  Trace* trace_;
  Activity activity_;
  std::string_view phase_;
  Index round_;
  double start_;
};

}  // namespace cairn::program
