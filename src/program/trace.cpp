#include "program/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::program {

void TraceEvent::set_phase(std::string_view name) {
  const std::size_t length = std::min(name.size(), phase.size() - 1);
  std::ranges::copy(name.substr(0, length), phase.begin());
  phase[length] = '\0';
}

std::string label(const TraceEvent& event) {
  switch (event.activity) {
    case Activity::start:
      return fmt::format("start {}", event.phase_name());
    case Activity::wait:
      return fmt::format("wait for {}", event.phase_name());
    case Activity::agree:
      return "agree on the arguments";
    default:
      return std::string(event.phase_name());
  }
}

void Trace::start() {
  events_.clear();
  taken_.clear();
  origin_ = Clock::now();
}

int Trace::take_lane() {
  const auto free = std::ranges::find(taken_, false);
  const auto lane = free - taken_.begin() + 1;
  if (free == taken_.end())
    taken_.push_back(true);
  else
    *free = true;
  return static_cast<int>(lane);
}

std::size_t Trace::begin(std::string_view phase, Index round, const comm::Counters& moved) {
  const double start = now();
  events_.push_back({.activity = Activity::communicate,
                     .lane = take_lane(),
                     .round = round,
                     .start = start,
                     .end = start,
                     .moved = moved});
  events_.back().set_phase(phase);
  return events_.size() - 1;
}

void Trace::end(std::size_t communication) {
  TraceEvent& event = events_[communication];
  event.end = now();
  taken_[static_cast<std::size_t>(event.lane - 1)] = false;
}

void Trace::end(std::size_t communication, const comm::Counters& moved) {
  events_[communication].moved = moved;
  end(communication);
}

void Trace::add_core(Activity activity, std::string_view phase, Index round, double start) noexcept try {
  events_.push_back({.activity = activity, .round = round, .start = start, .end = now()});
  events_.back().set_phase(phase);
} catch (const std::bad_alloc&) {
}

}  // namespace cairn::program
