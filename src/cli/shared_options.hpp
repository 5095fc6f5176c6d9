// The options that all operations have, declared once.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/machine_file.hpp"

namespace cairn::cli {

struct SharedOptions {
  std::optional<Index> ranks;
  std::string machine_file;           // as given; empty: the one that is known
  std::optional<Index> memory_bytes;  // most that a rank may hold
  bool json = false;
  std::string report, trace;  // files; empty: none
  std::optional<int> repeat;  // timed runs; none: 3, or a single run where the result is what is wanted
  int verify_rounds = 2;
  bool no_verify = false;
  int threads = 0;  // of a rank's BLAS; 0: its share of the cores
  bool progress = false;

  // Found after the options are read.
  KnownMachine machine;
  bool explain = false;  // candidates and named algorithms are shown

  int checks() const { return no_verify ? 0 : verify_rounds; }  // rounds; 0: the result is not looked at
};

// Those of `cairn plan OP` and `cairn OP`, those of `cairn plan OP` alone, and those of `cairn OP` alone.
void add_planning_options(Command app, SharedOptions& o, const std::string& ranks_help);
void add_simulation_options(Command app, SharedOptions& o);
void add_running_options(Command app, SharedOptions& o);

// Of `cairn bound OP`.
struct BoundOptions {
  std::optional<Index> ranks;
  std::optional<double> memory;  // words
  bool json = false;

  Index ranks_or_one() const { return ranks.value_or(1); }
  void need_ranks_or_memory() const;  // throws if both are missing
};
void add_bound_options(Command app, BoundOptions& o);

// One a core, at least 2.
int usual_ranks();

}  // namespace cairn::cli
