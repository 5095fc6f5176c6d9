#include "cli/trace_file.hpp"

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;
using program::TraceEvent;

// Times are whole nanoseconds, given in microseconds: what ends when the next begins still does when read.
double microseconds(double seconds) { return std::round(1e9 * seconds) / 1e3; }

const char* category(const TraceEvent& e) {
  if (e.lane != TraceEvent::core) return "communication";
  return e.activity == program::Activity::compute ? "computation" : "waiting";
}

json event_json(int rank, const TraceEvent& e) {
  json args{{"round", e.round}};
  if (e.lane != TraceEvent::core)
    args.update({{"words_sent", e.moved.sent.words},
                 {"words_received", e.moved.received.words},
                 {"messages_sent", e.moved.sent.messages},
                 {"messages_received", e.moved.received.messages}});
  return {{"ph", "X"},
          {"pid", rank},
          {"tid", e.lane},
          {"name", label(e)},
          {"cat", category(e)},
          {"ts", microseconds(e.start)},
          {"dur", (std::round(1e9 * e.end) - std::round(1e9 * e.start)) / 1e3},
          {"args", args}};
}

json metadata(int rank, int lane, const char* what, const char* key, const json& value) {
  return {{"ph", "M"}, {"pid", rank}, {"tid", lane}, {"name", what}, {"args", {{key, value}}}};
}

std::string lane_name(int lane) {
  return lane == TraceEvent::core ? "core" : lane == 1 ? "link" : fmt::format("link {}", lane);
}

template <class F>
void for_each_line(const RankTrace& r, F&& f) {
  f(metadata(r.rank, 0, "process_name", "name", r.name));
  f(metadata(r.rank, 0, "process_sort_index", "sort_index", r.rank));
  int lanes = 1;
  for (const TraceEvent& e : r.events) lanes = std::max(lanes, e.lane + 1);
  for (int lane = 0; lane < lanes; ++lane) {
    f(metadata(r.rank, lane, "thread_name", "name", lane_name(lane)));
    f(metadata(r.rank, lane, "thread_sort_index", "sort_index", lane));
  }
  for (const TraceEvent& e : r.events) f(event_json(r.rank, e));
}

}  // namespace

std::string trace_text(const std::vector<RankTrace>& ranks, const json& about) {
  std::string text =
      fmt::format("{{\"displayTimeUnit\": \"ms\",\n\"otherData\": {},\n\"traceEvents\": [", about.dump());
  const char* between = "\n";
  for (const RankTrace& r : ranks)
    for_each_line(r, [&](const json& line) {
      text += between + line.dump();
      between = ",\n";
    });
  return text + "\n]}\n";
}

std::vector<RankTrace> gather_traces(comm::CommView c, const std::vector<TraceEvent>& mine,
                                     const std::function<std::string(int)>& name_of) {
  const auto ranks = static_cast<std::size_t>(c.size());
  std::vector<Index> counts(ranks);
  const auto count = static_cast<Index>(mine.size());
  comm::allgather(c, std::span(&count, 1), std::span(counts));
  const Index total = c.rank() == 0 ? std::accumulate(counts.begin(), counts.end(), Index{0}) : 0;
  std::vector<TraceEvent> all(static_cast<std::size_t>(total));
  comm::gatherv(c, std::span(mine), std::span(all), counts, 0);
  std::vector<RankTrace> traces;
  auto first = all.begin();
  for (int rank = 0; c.rank() == 0 && rank < c.size(); ++rank) {
    const auto end = first + counts[static_cast<std::size_t>(rank)];
    traces.push_back({rank, name_of ? name_of(rank) : fmt::format("rank {}", rank), {first, end}});
    first = end;
  }
  return traces;
}

std::string trace_written_text(const std::string& path) {
  return fmt::format("trace of the last run written to {}: open it in ui.perfetto.dev or chrome://tracing\n",
                     path);
}

void check_output_file(std::string_view option, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  require<IoError>(!fs::is_directory(path, ignored), "{} is '{}', a folder, expected a file", option, path);
  const fs::path parent = fs::absolute(path).parent_path();
  const bool writable = fs::exists(path, ignored)
                            ? access(path.c_str(), W_OK) == 0
                            : fs::is_directory(parent, ignored) && access(parent.c_str(), W_OK) == 0;
  require<IoError>(writable, "{} is '{}', expected a file that can be written, in a folder that exists",
                   option, path);
}

void write_output_file(std::string_view option, const std::string& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  require<IoError>(out.good(), "{} is '{}', which cannot be written", option, path);
}

}  // namespace cairn::cli
