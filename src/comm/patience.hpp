// How long to wait between looks at what is under way. Ranks may outnumber the cores, and words move only
// when somebody looks: so first look again at once, then make way after each look, and when nothing has
// happened for long, nap. A nap is short beside the wait that it prolongs, and beside the time in which the
// buffers of a connection run empty.
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

  // Something happened.
  void renew() {
    since_.reset();
    looks_ = looks_at_once;
  }
  // Nothing happened: none to look again at once, zero to make way to others, else the nap to take.
  std::optional<Clock::duration> pause() {
    if (looks_ > 0) {
      --looks_;
      return std::nullopt;
    }
    const Clock::time_point now = Clock::now();
    if (!since_) since_ = now;
    waited_ = now - *since_;
    if (waited_ < wait_before_naps) return Clock::duration::zero();
    looks_ = looks_after_nap;
    return std::clamp<Clock::duration>(waited_ / 20, shortest_nap, longest_nap);
  }
  // Seconds since something happened, as of the last pause.
  double waited() const { return since_ ? std::chrono::duration<double>(waited_).count() : 0; }

 private:
  int looks_ = looks_at_once;
  std::optional<Clock::time_point> since_;
  Clock::duration waited_{};
};

}  // namespace cairn::comm
