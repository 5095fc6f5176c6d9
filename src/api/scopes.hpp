// What holds for the length of a call: threads of the BLAS, and counting of words.
#pragma once

#include "base/blas.hpp"
#include "cairn/multiply.hpp"
#include "comm/agreement.hpp"

namespace cairn::detail {

// Threads of the BLAS for as long as it lives; 0: as they are.
class ThreadScope {
 public:
  explicit ThreadScope(int threads) {
    if (threads == 0) return;
    before_ = blas::library().threads;
    blas::set_threads(threads);
  }
  ~ThreadScope() {
    if (before_ > 0) blas::set_threads(before_);
  }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_ = 0;
};

// Adds what this rank moves while it lives, agreements left out.
class Meter {
 public:
  Meter(comm::Traffic& traffic, Moved& moved)
      : traffic_(traffic), before_(traffic.snapshot()), moved_(moved) {}
  ~Meter() {
    for (const auto& [phase, counters] : (traffic_.snapshot() - before_).phases) {
      if (phase.ends_with(comm::agreement_phase)) continue;
      moved_.words_sent += counters.sent.words;
      moved_.words_received += counters.received.words;
      moved_.messages_sent += counters.sent.messages;
      moved_.messages_received += counters.received.messages;
    }
  }
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

 private:
  comm::Traffic& traffic_;
  comm::TrafficSnapshot before_;
  Moved& moved_;
};

}  // namespace cairn::detail
