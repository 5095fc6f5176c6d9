// What cairn spgemm prints, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/spgemm_data.hpp"
#include "comm/traffic_table.hpp"

namespace cairn::cli {

// Of all ranks together.
struct SpgemmSummary {
  int ranks = 1;
  sparse::SpgemmPlan plan;
  std::vector<comm::TrafficRow> phases;  // of the product; the last is the total, agreements included
  comm::Spread entries_received;
  Index entries_c = 0, voxels = 0;
  std::vector<double> seconds;
  double seconds_multiply = 0;
  std::optional<sparse::SpgemmVerdict> verdict;
};

// Collective.
template <Scalar T>
SpgemmSummary summarise_spgemm(comm::CommView c, const SpgemmRequest& o, const SpgemmMeasured<T>& m);

nlohmann::json spgemm_json(const SpgemmRequest& o, const SpgemmSummary& s);
std::string spgemm_text(const SpgemmRequest& o, const SpgemmSummary& s);
nlohmann::json spgemm_plan_json(const sparse::SpgemmPlan& plan, int ranks);

}  // namespace cairn::cli
