// What all benchmarks share: launches, interleaved timing, medians.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace cairn::bench {

// One launch of this program on so many ranks with --worker --json added: no idle rank disturbs. Its standard
// output must be a JSON array, which is returned.
nlohmann::json run_launch(int ranks, std::vector<std::string> arguments);

// Collective: the slowest rank's time, the same on every rank.
double slowest(comm::CommView c, const std::function<void()>& f);

double median(std::vector<double> v);

// Collective. Ways of doing the same thing, interleaved: each round runs all of them, every second round in
// the opposite order. Medians of at least `least` and as many rounds as fit into the budget.
std::vector<double> interleaved(comm::CommView c, const std::vector<std::function<void()>>& ways,
                                double budget_seconds, int least, int most);

}  // namespace cairn::bench
