// Comparing candidates, whatever the layouts.
#pragma once

#include "plan/plan.hpp"

namespace cairn::plan {

// Received by the busiest rank, or sent where that is more.
Index busiest_words(const Candidate& candidate);

// What is minimised.
double objective_of(const Candidate& candidate, const Settings& settings);

// By how much a candidate loses, and where most of it.
std::string why_lost(const Candidate& candidate, const Candidate& best, const Settings& settings);

}  // namespace cairn::plan
