#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cli/measure.hpp"

namespace cairn::cli {

Progress::Progress(bool wanted) : start_(seconds_now()), steps_start_(start_) {
  if (wanted) thread_ = std::thread([this] { show_until_stopped(); });
}

Progress::~Progress() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_one();
  if (thread_.joinable()) thread_.join();
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::step(std::string what, int step, int steps) {
  const std::scoped_lock lock(mutex_);
  if (step == 0) steps_start_ = seconds_now();
  what_ = std::move(what);
  step_ = step;
  steps_ = steps;
}

std::string Progress::line() const {
  const double now = seconds_now();
  if (steps_ == 0) return fmt::format("{}, {:.0f} s passed", what_, now - start_);
  std::string text = fmt::format("{} {} of {}, {:.0f} s passed", what_, step_ + 1, steps_, now - start_);
  if (step_ > 0)
    text +=
        fmt::format(", about {:.0f} s left", std::max(0.0, (now - steps_start_) / step_ * (steps_ - step_)));
  return text;
}

void Progress::show_until_stopped() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, std::chrono::seconds(1), [this] { return stop_; })) {
    if (what_.empty()) continue;
    fmt::print(stderr, "\r\033[K{}", line());
    std::fflush(stderr);
    shown_ = true;
  }
}

}  // namespace cairn::cli
