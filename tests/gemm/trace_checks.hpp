// What every trace must be, whoever made it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "gemm/trace.hpp"

namespace cairn::gemm::test {

inline std::map<int, std::vector<TraceEvent>> by_lane(const std::vector<TraceEvent>& events) {
  std::map<int, std::vector<TraceEvent>> lanes;
  for (const TraceEvent& e : events) lanes[e.lane].push_back(e);
  for (auto& [lane, list] : lanes)
    std::ranges::stable_sort(list, {}, [](const TraceEvent& e) { return std::pair(e.start, e.end); });
  return lanes;
}

inline void expect_lanes_in_order(const std::vector<TraceEvent>& events) {
  for (const auto& [lane, list] : by_lane(events))
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_LE(list[i].start, list[i].end);
      if (i > 0) {
        EXPECT_LE(list[i - 1].end, list[i].start)
            << label(list[i - 1]) << " and " << label(list[i]) << " overlap in lane " << lane;
      }
    }
}

inline comm::Counters moved_by(const std::vector<TraceEvent>& events, Activity activity) {
  comm::Counters sum;
  for (const TraceEvent& e : events)
    if (e.activity == activity) sum += e.moved;
  return sum;
}

// Every operation of the Program, as often as it is there, by activity and round; communication beside the
// core.
inline void expect_operations(const Program& program, const std::vector<TraceEvent>& events) {
  std::map<std::pair<Activity, Index>, int> expected, found;
  for (const Operation& o : program.operations) ++expected[{activity_of(o), o.round}];
  for (const TraceEvent& e : events) {
    EXPECT_EQ(communicates(e.activity), e.lane != TraceEvent::core) << label(e);
    if (e.of == Activity::none && e.activity != Activity::agree) ++found[{e.activity, e.round}];
  }
  EXPECT_EQ(expected, found);
}

}  // namespace cairn::gemm::test
