// The trace file: JSON that says who did what when, and nothing overlaps in it.
#include "cli/trace_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace cairn::cli {
namespace {

using nlohmann::json;
using program::Activity;
using program::TraceEvent;

TraceEvent named(TraceEvent event, std::string_view phase) {
  event.set_phase(phase);
  return event;
}

// Begin and end in nanoseconds of the events of a lane, sorted.
using Spans = std::map<std::pair<int, int>, std::vector<std::pair<long long, long long>>>;
Spans spans_of(const json& trace) {
  Spans spans;
  for (const json& e : trace.at("traceEvents")) {
    if (e.at("ph") != "X") continue;
    const auto start = std::llround(1e3 * e.at("ts").get<double>());
    spans[{e.at("pid"), e.at("tid")}].emplace_back(start,
                                                   start + std::llround(1e3 * e.at("dur").get<double>()));
  }
  for (auto& [lane, list] : spans) std::ranges::sort(list);
  return spans;
}

TEST(TraceFile, OneProcessARankAndOneThreadALane) {
  const RankTrace first{0,
                        "rank \"0\"",
                        {named({.activity = Activity::communicate,
                                .lane = 2,
                                .round = 3,
                                .start = 1e-3,
                                .end = 2.5e-3,
                                .moved = {{1, 20, 160}, {2, 30, 240}}},
                               "gather A")}};
  const json trace = json::parse(trace_text({first, {5, "rank 5, idle", {}}}, {{"m", 7}}));
  EXPECT_EQ(trace.at("otherData"), json({{"m", 7}}));
  std::map<int, std::string> processes;
  std::map<std::pair<int, int>, std::string> threads;
  std::vector<json> events;
  for (const json& e : trace.at("traceEvents")) {
    if (e.at("name") == "process_name") processes[e.at("pid")] = e.at("args").at("name");
    if (e.at("name") == "thread_name") threads[{e.at("pid"), e.at("tid")}] = e.at("args").at("name");
    if (e.at("ph") == "X") events.push_back(e);
  }
  EXPECT_EQ(processes, (std::map<int, std::string>{{0, "rank \"0\""}, {5, "rank 5, idle"}}));
  EXPECT_EQ(threads, (std::map<std::pair<int, int>, std::string>{
                         {{0, 0}, "core"}, {{0, 1}, "link"}, {{0, 2}, "link 2"}, {{5, 0}, "core"}}));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0], json::parse(R"({"ph": "X", "pid": 0, "tid": 2, "name": "gather A",
      "cat": "communication", "ts": 1000.0, "dur": 1500.0, "args": {"round": 3, "words_sent": 20,
      "words_received": 30, "messages_sent": 1, "messages_received": 2}})"));
}

TEST(TraceFile, NoRanksAreJsonToo) {
  EXPECT_TRUE(json::parse(trace_text({}, json::object())).at("traceEvents").empty());
}

// Times that no decimal has: what touches in seconds neither overlaps nor comes apart in the file.
TEST(TraceFile, WhatTouchesStillDoes) {
  RankTrace rank{0, "rank 0", {}};
  double at = 0;
  for (int i = 0; i < 1000; ++i) {
    const double end = at + (i % 7 + 0.1) * 1e-7 / 3;
    rank.events.push_back(
        named({.activity = Activity::compute, .round = i, .start = at, .end = end}, "multiply"));
    at = end;
  }
  const auto spans = spans_of(json::parse(trace_text({rank}, {}))).at({0, 0});
  ASSERT_EQ(spans.size(), 1000u);
  for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_EQ(spans[i - 1].second, spans[i].first);
}

TEST(TraceFile, WhatTheCoreDoesHasACategory) {
  RankTrace rank{3, "rank 3", {}};
  for (const Activity a : {Activity::compute, Activity::start, Activity::wait, Activity::agree})
    rank.events.push_back(named({.activity = a, .start = 1, .end = 2}, "panel"));
  std::vector<std::pair<std::string, std::string>> found;
  const json trace = json::parse(trace_text({rank}, {}));
  for (const json& e : trace.at("traceEvents"))
    if (e.at("ph") == "X") found.emplace_back(e.at("name"), e.at("cat"));
  EXPECT_EQ(found, (std::vector<std::pair<std::string, std::string>>{{"panel", "computation"},
                                                                     {"start panel", "waiting"},
                                                                     {"wait for panel", "waiting"},
                                                                     {"agree on the arguments", "waiting"}}));
}

TEST(TraceFile, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(check_output_file("--trace", "/no/such/folder/t.json"), IoError);
  EXPECT_THROW(check_output_file("--trace", "/"), IoError);
  EXPECT_THROW(check_output_file("--trace", "/dev/null/t.json"), IoError);
  EXPECT_NO_THROW(check_output_file("--trace", "/dev/null"));
  EXPECT_THROW(write_output_file("--trace", "/dev/full", "text"), IoError);
}

}  // namespace
}  // namespace cairn::cli
