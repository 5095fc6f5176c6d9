// How long to wait between looks at what is under way. Ranks may outnumber the cores, and words move only
// when somebody looks: so first look again at once, then make way after each look, and when nothing has
// happened for long, nap. A nap is short beside the wait that it prolongs, and beside the time in which the
// buffers of a connection run empty. Naps are a small part of the time: who waits for a rank that naps waits longer, and naps,
// too; two ranks that mostly slept would do so step after step.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace cairn::comm {

class Patience {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int looks_at_once = 16;
  static constexpr int looks_after_nap = 8;  // MPI moves a piece of a long message in each
  static constexpr auto wait_before_naps = std::chrono::milliseconds(1);
  static constexpr auto shortest_nap = std::chrono::microseconds(50);
  static constexpr auto longest_nap = std::chrono::milliseconds(1);
  static constexpr int awake_for_naps = 10;  // as long as that, between one nap and the next
  static constexpr auto longest_gap = std::chrono::seconds(1);  // between looks of a process that runs

  // Something happened.
  void renew() {
    looked_.reset();
    waited_ = {};
    looks_ = looks_at_once;
  }
  // Nothing happened: none to look again at once, zero to make way to others, else the nap to take.
  std::optional<Clock::duration> pause() {
    if (looks_ > 0) {
      --looks_;
      return std::nullopt;
    }
    const Clock::time_point now = Clock::now();
    waited_ += looked_ ? std::min<Clock::duration>(now - *looked_, longest_gap) : Clock::duration::zero();
    looked_ = now;
    if (waited_ < wait_before_naps || now < next_nap_) return Clock::duration::zero();
    looks_ = looks_after_nap;
    const auto nap = std::clamp<Clock::duration>(waited_ / 20, shortest_nap, longest_nap);
    next_nap_ = now + nap * (1 + awake_for_naps);
    return nap;
  }
  // Seconds since something happened, as of the last pause; without those in which the process was stopped, by a
  // debugger or by a batch system that suspends jobs.
  double waited() const { return std::chrono::duration<double>(waited_).count(); }

 private:
  int looks_ = looks_at_once;
  std::optional<Clock::time_point> looked_;  // at the clock
  Clock::duration waited_{};
  Clock::time_point next_nap_{};
};

}  // namespace cairn::comm
