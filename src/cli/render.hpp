// A plan, and what its run has shown, as text, as JSON and as a page: one set of names for all operations.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/harness.hpp"

namespace cairn::cli {

struct Shown {
  std::string operation;
  const Planned& planned;
  const Measured* measured = nullptr;   // null: planned only
  std::string trace = {}, report = {};  // files that were written; empty: none
};

// The plan as text: what a run prints before it starts.
std::string render_plan(const Planned& planned);
// What a run has shown, which stands below its plan; without a run the plan and its candidates.
std::string render_text(const Shown& shown);
nlohmann::json render_json(const Shown& shown);
std::string render_html(const Shown& shown);

// "1.034", or "-" where there is nothing to compare with.
std::string ratio_text(double words, const std::optional<double>& bound);
nlohmann::json ratio_json(double words, const std::optional<double>& bound);

// The fields of an operation's plan, its ranks and whether times are "measured" or "simulated": what a trace
// file is about.
nlohmann::json about_trace(const Shown& shown, const std::string& times);

}  // namespace cairn::cli
