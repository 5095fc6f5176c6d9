// Figure 1 of paper 004, counted: which classical algorithm receives the fewest entries for which d and P.
#pragma once

#include <nlohmann/json.hpp>

#include "comm/communicator.hpp"

namespace cairn::bench {

// Collective. One row a degree: entries that each algorithm receives per rank and row of the matrices, in the run, the
// least by the run, and the least by the paper's costs.
nlohmann::json count_figure(comm::CommView c, Index n, const std::vector<int>& degrees);
void print_figure(const nlohmann::json& rows);

}  // namespace cairn::bench
