// Is the planner's choice near the best? Every algorithm on every grid that could be it, run and counted.
#pragma once

#include <nlohmann/json.hpp>

#include "comm/communicator.hpp"
#include "sparse/local/generators.hpp"

namespace cairn::bench {

struct ChoiceOptions {
  // Algorithms that are predicted to receive at most this times the bytes of the choice are run.
  double within = 1.5;
  // Above 0: their times, too, interleaved in this many rounds, and those of what would be chosen for least time.
  int rounds = 0;
};

// Collective over all ranks of the launch. One row: what was chosen, what it moved, the least that any algorithm moved, and
// all algorithms one by one ("algorithms").
nlohmann::json compare_choice(comm::CommView c, const std::string& name, const sparse::Generator& a,
                              const sparse::Generator& b, const ChoiceOptions& options);

// The table of rows, one line each; with `every`, each followed by its algorithms.
void print_choices(const nlohmann::json& rows, bool every);

}  // namespace cairn::bench
