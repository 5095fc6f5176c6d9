// cairn bench relabel: how long it takes to find the best ranks, and what they save.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_relabel(cli::Command bench);

}  // namespace cairn::bench
