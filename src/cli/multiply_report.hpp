// What a multiply on ranks has shown, as text and as JSON.
#pragma once

#include "cli/multiply_run.hpp"
#include "cli/plan_report.hpp"

namespace cairn::cli {

struct MultiplyResult {
  const MultiplyRequest& request;
  const TimedPlan& timed;
  const MultiplyOutcome& outcome;
  const MultiplyFiles& files;
  int threads;
  int verify_rounds;
  std::string trace;  // file; empty: none
};

std::string result_text(const MultiplyResult& result);
nlohmann::json result_json(const MultiplyResult& result);

}  // namespace cairn::cli
