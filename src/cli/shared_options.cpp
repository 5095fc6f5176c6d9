#include "cli/shared_options.hpp"

#include <unistd.h>

namespace cairn::cli {

void add_planning_options(Command app, SharedOptions& o, const std::string& ranks_help) {
  add_size(app, "--ranks,-P", o.ranks, ranks_help);
  add_bytes(app, "--memory", o.memory_bytes,
            "Most bytes per rank, its parts of the matrices included: 4e9, 512MiB, 1G");
  app.add_option(
         "--machine", o.machine_file,
         "Plan for the machine of this file, or for the built-in one (default: what `cairn info --save` "
         "kept, else what was measured here)")
      .type_name("FILE|built-in");
  app.add_flag("--json", o.json, "Print one JSON object");
  app.add_option("--report", o.report, "Write an HTML page with the plan, the results and pictures")
      .type_name("FILE.html");
}

void add_simulation_options(Command app, SharedOptions& o) {
  app.add_option("--trace", o.trace,
                 "Write the simulated timeline, for chrome://tracing and Perfetto: of all ranks if they are "
                 "few, else of rank 0 and the busiest")
      .type_name("FILE.json");
  app.add_flag("--progress", o.progress, "Show progress on stderr (default: on a terminal)");
}

void add_running_options(Command app, SharedOptions& o) {
  app.add_option("--trace", o.trace, "Write a timeline of the last run, for chrome://tracing and Perfetto")
      .type_name("FILE.json");
  app.add_option("--repeat", o.repeat,
                 "Number of runs; medians are reported (default 3; products of files 1)")
      .at_least(1);
  app.add_option("--verify-rounds", o.verify_rounds, "Random vectors to check the result with (default 2)")
      .type_name("R")
      .at_least(1);
  app.add_flag("--no-verify", o.no_verify, "Do not check the result");
  app.add_option("--threads", o.threads, "BLAS threads per rank (default: cores over ranks)").at_least(1);
  app.add_flag("--progress", o.progress, "Show progress on stderr (default: on a terminal)");
}

void add_bound_options(Command app, BoundOptions& o) {
  add_size(app, "--ranks,-P", o.ranks, "Number of ranks");
  add_memory(app, o.memory, "Words of memory per rank; without --ranks: of the fast memory");
  app.add_flag("--json", o.json, "Print one JSON object");
}

void BoundOptions::need_ranks_or_memory() const {
  require(
      ranks || memory,
      "--ranks and --memory are missing: give --ranks for the words between ranks, --memory for the loads "
      "and stores of one processor, or both");
}

int usual_ranks() { return std::max(2, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))); }

}  // namespace cairn::cli
