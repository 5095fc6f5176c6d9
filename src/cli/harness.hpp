// Runs any operation and measures it: repeats, times, counts words by phase, traces, verifies.
#pragma once

#include "cli/progress.hpp"
#include "cli/work.hpp"

namespace cairn::cli {

struct Measured {
  int threads = 1;                    // of a rank's BLAS
  std::vector<double> seconds;        // of the slowest rank, one a repeat
  std::vector<double> local_seconds;  // the local work alone, all ranks at once; empty: there is none
  std::vector<PhaseTime>
      phases;  // what the core of the slowest rank spent on each, in the last run; on rank 0
  std::vector<comm::TrafficRow> traffic;  // of the last run, by phase, "total" last; agreements left out
  std::vector<comm::Counters> moved;      // by rank, on rank 0 alone
  std::vector<RankTrace> traces;          // of the last run, on rank 0 alone
  std::optional<WorkVerdict> verdict;
  int verify_rounds = 0;
  std::vector<PhaseTime> more_seconds;
  nlohmann::json more_fields = nlohmann::json::object();
  std::string more_text, more_pictures;

  bool right() const { return !verdict || verdict->right(); }  // or not looked at
  double median() const;
  double least() const;
  double local_median() const;
};

struct HarnessOptions {
  int repeat = 3;  // 0: one run in all, for work whose result is wanted, not its speed
  bool verify = true;
};

// Collective. One run that is not counted (it makes communicators and touches the memory), `repeat` timed
// ones, and a last one that is traced and counted; or, with repeat 0, the last one alone, timed.
Measured measure(comm::CommView comm, Work& work, const Planned& planned, const HarnessOptions& options,
                 Progress& progress);

// Collective. MemoryError on every rank where the ranks of some node would together hold more than it has.
void check_node_memory(comm::CommView comm, const Planned& planned);
// The same for ranks that are all on this node.
void check_node_memory(const Planned& planned);

}  // namespace cairn::cli
