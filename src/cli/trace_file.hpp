// Traces of ranks as a file in the Trace Event Format, for chrome://tracing and Perfetto: a process a rank, a
// thread a lane.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"
#include "program/trace.hpp"

namespace cairn::cli {

struct RankTrace {
  int rank = 0;
  std::string name;
  std::vector<program::TraceEvent> events;
};

// One event a line. `about` becomes "otherData".
std::string trace_text(const std::vector<RankTrace>& ranks, const nlohmann::json& about);

std::string trace_written_text(const std::string& path);  // one line for the user

// Collective. Of all ranks on rank 0, O(P) memory there; nothing on the others.
std::vector<RankTrace> gather_traces(comm::CommView comm, const std::vector<program::TraceEvent>& mine,
                                     const std::function<std::string(int rank)>& name_of);

// Throws IoError, with the option's name, unless a file of this name can be written.
void check_output_file(std::string_view option, const std::string& path);
void write_output_file(std::string_view option, const std::string& path, const std::string& text);

}  // namespace cairn::cli
