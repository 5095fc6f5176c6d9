// The options of `cairn multiply` that allow Strassen-like steps and levels.
#pragma once

#include "cli/command.hpp"
#include "cli/planned.hpp"
#include "plan/plan.hpp"

namespace cairn::cli {

struct MultiplyOptions;

// As given on the command line.
struct FastChoice {
  std::string order = "off";  // off | auto | BBD
  std::string entry = "winograd";
  std::optional<double> max_error_growth;
};
void add_fast_choice(Command app, FastChoice& o);

// Whether the options allow fast schedules: an order, or the name of a family.
bool wants_fast(const MultiplyOptions& o);
// With the rates that `cairn tune` measured.
plan::FastSettings fast_settings(const MultiplyOptions& o);
// What fast steps would bring to a product they were not allowed for, in one line. Pure.
std::string fast_hint(const Planned& planned, const MultiplyOptions& o);

}  // namespace cairn::cli
