// What is known of an operation before it runs, whatever the operation: the renderers (text, JSON, HTML) and
// the harness read this and nothing else.
#pragma once

#include <any>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/machine_file.hpp"
#include "cli/trace_file.hpp"
#include "comm/traffic_table.hpp"

namespace cairn::cli {

struct PhaseTime {
  std::string phase;
  double seconds = 0;  // of the slowest rank
};

// Over the ranks that take part.
struct CountedTraffic {
  comm::Spread sent, received;
};

// One way to do it: the chosen one, and those that lost.
struct Candidate {
  std::vector<std::pair<std::string, std::string>>
      cells;                                         // columns of this operation alone: {"grid", "[2, 1, 1]"}
  nlohmann::json fields = nlohmann::json::object();  // the same in the JSON
  double seconds = 0;
  Index words_total = 0;
  Index words_received = 0, words_sent = 0;  // of the busiest rank
  Index messages = 0;                        // received by the busiest rank
  double work = 1;                           // of the busiest rank, over an even share
  Index memory_bytes = 0;                    // of the rank that holds most; 0: not known
  std::string why = {};                      // it was chosen, or lost
};

struct Planned {
  std::string title;                                       // the problem in one line
  std::string algorithm;                                   // what was asked for: "auto", "2.5d" ...
  int ranks = 1;                                           // of the communicator
  int active_ranks = 1;                                    // that take part: means are over them
  nlohmann::json fields = nlohmann::json::object();        // of this operation alone
  std::vector<std::pair<std::string, std::string>> lines;  // the same as text
  CountedTraffic words, messages;
  std::optional<CountedTraffic> bytes;  // where words are packed and do not tell them
  bool exact = true;                    // the run moves just that; else the busiest rank is estimated
  std::optional<double> bound;          // words some rank must send or receive; none: not known
  Index memory_bytes = 0;  // of the rank that holds most: its parts of the matrices and all work memory
  Index measuring_bytes =
      0;               // that `cairn` itself holds besides, per rank: copies, what results are compared with
  double flops = 0;    // of all ranks together
  double seconds = 0;  // predicted
  std::vector<PhaseTime> phases;
  double planning_seconds = 0;
  KnownMachine machine;
  std::vector<Candidate> candidates;                          // best first, the chosen one among them
  std::vector<std::pair<std::string, Candidate>> algorithms;  // by name, on the same problem
  std::function<std::vector<RankTrace>()> simulate;           // the timeline on `machine`; none: not known
  std::function<std::string()> picture;                       // SVG; none: there is none
  std::function<std::string(int rank)> rank_name;
  std::string within;  // phases of Traffic inside this one are shown by their own names
  std::any own;        // the operation's own plan, for its `run`
};

}  // namespace cairn::cli
