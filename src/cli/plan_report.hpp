// A plan as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/multiply_options.hpp"

namespace cairn::cli {

// The problem, the schedule, its words, memory and predicted time. Without candidates.
std::string plan_text(const MultiplyRequest& request, const TimedPlan& timed);
nlohmann::json plan_json(const MultiplyRequest& request, const TimedPlan& timed);

// Predicted seconds by phase: "gather A", "gather B", "multiply", "combine C".
std::vector<std::pair<std::string, double>> predicted_phases(const plan::Plan& plan);

// "1.034", or "-" where there is nothing to compare with.
std::string ratio_text(double words, double bound);
nlohmann::json ratio_json(double words, double bound);

}  // namespace cairn::cli
