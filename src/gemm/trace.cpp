#include "gemm/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::gemm {

std::string_view name(Activity activity) {
  switch (activity) {
    case Activity::gather_a:
      return phase_of(Matrix::a);
    case Activity::gather_b:
      return phase_of(Matrix::b);
    case Activity::gather:
      return "gather";
    case Activity::combine_c:
      return phase_of(Matrix::c);
    case Activity::multiply:
      return "multiply";
    case Activity::update:
      return "update C";
    case Activity::start:
      return "start";
    case Activity::wait:
      return "wait for";
    case Activity::agree:
      return "agree on the arguments";
    case Activity::none:
      break;
  }
  return "";
}

Activity activity_of(Matrix x) {
  constexpr std::array of_matrix{Activity::gather_a, Activity::gather_b, Activity::combine_c};
  return of_matrix[index(x)];
}

Activity activity_of(const Operation& operation) {
  if (const auto* gather = std::get_if<Gather>(&operation.action)) return activity_of(gather->matrix);
  if (std::holds_alternative<Combine>(operation.action)) return Activity::combine_c;
  return std::holds_alternative<Multiply>(operation.action) ? Activity::multiply : Activity::update;
}

std::string label(const TraceEvent& event) {
  const std::string_view of = name(event.of);
  return fmt::format("{}{}{}", name(event.activity), of.empty() ? "" : " ", of);
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

std::size_t Trace::begin(Activity activity, Index round, const comm::Counters& moved) {
  const double start = now();
  events_.push_back({activity, Activity::none, take_lane(), round, start, start, moved});
  return events_.size() - 1;
}

void Trace::end(std::size_t communication) {
  TraceEvent& event = events_[communication];
  event.end = now();
  taken_[static_cast<std::size_t>(event.lane - 1)] = false;
}

void Trace::add_core(Activity activity, Activity of, Index round, double start) noexcept try {
  events_.push_back({activity, of, TraceEvent::core, round, start, now(), {}});
} catch (const std::bad_alloc&) {
}

}  // namespace cairn::gemm
