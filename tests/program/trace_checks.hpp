// What every trace must be, whoever made it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "program/program.hpp"
#include "program/trace.hpp"

namespace cairn::program::test {

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

inline comm::Counters moved_by(const std::vector<TraceEvent>& events, std::string_view phase) {
  comm::Counters sum;
  for (const TraceEvent& e : events)
    if (e.activity == Activity::communicate && e.phase_name() == phase) sum += e.moved;
  return sum;
}

// Every action of the Program, as often as it is there, by phase and round; communication beside the core.
// Linear combinations take no time in a simulation and are left out of it.
inline void expect_actions(const Program& program, const std::vector<TraceEvent>& events, bool simulated) {
  std::map<std::pair<std::string, Index>, int> expected, found;
  for (const Action& a : program.actions)
    if (!simulated || !std::holds_alternative<LinearCombination>(a.what))
      ++expected[{program.phases[static_cast<std::size_t>(a.phase)], a.round}];
  for (const TraceEvent& e : events) {
    EXPECT_EQ(e.activity == Activity::communicate, e.lane != TraceEvent::core) << label(e);
    if (e.activity == Activity::communicate || e.activity == Activity::compute)
      ++found[{std::string(e.phase_name()), e.round}];
  }
  EXPECT_EQ(expected, found);
}

}  // namespace cairn::program::test
