// The commands that the table of operations makes.
#pragma once

#include "cli/commands.hpp"

namespace cairn::cli {

void add_plan_operations(Command plan);
void add_bound_operations(Command bound);
void add_operations(Command app, Invocation& invocation);

}  // namespace cairn::cli
