// Traces of ranks as a file in the Trace Event Format, for chrome://tracing and Perfetto: a process a rank, a
// thread a lane.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "comm/communicator.hpp"
#include "gemm/placed.hpp"
#include "gemm/trace.hpp"

namespace cairn::cli {

struct RankTrace {
  int rank = 0;
  std::string name;
  std::vector<gemm::TraceEvent> events;
};

// One event a line. `about` becomes "otherData".
std::string trace_text(const std::vector<RankTrace>& ranks, const nlohmann::json& about);

// The problem, the grid, rounds, lookahead and transport; `origin`: "measured" or "simulated".
nlohmann::json about_trace(const gemm::Schedule& schedule, std::string_view origin);
nlohmann::json about_trace(const gemm::Placed& placed, std::string_view origin);

// "rank 3, brick (1, 0, 1)", or "rank 3, idle".
std::string rank_name(const gemm::Schedule& schedule, int rank);
std::string rank_name(const gemm::Placed& placed, int rank);

std::string trace_written_text(const std::string& path);  // one line for the user

// Throws IoError unless a file of this name can be written.
void check_trace_file(const std::string& path);
void write_trace_file(const std::string& path, const std::string& text);

// Collective. The same for all ranks, where rank 0 has the file: its error is everybody's.
void check_trace_file(comm::CommView comm, const std::string& path);
// Collective. Rank 0 gathers the events of all ranks, O(P) memory there, and writes them.
void write_trace_file(comm::CommView comm, const std::string& path, const std::vector<gemm::TraceEvent>& mine,
                      const std::function<std::string(int rank)>& name_of, const nlohmann::json& about);

}  // namespace cairn::cli
