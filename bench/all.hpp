// cairn bench all: every benchmark, as one page with plots.
#pragma once

#include "cli/command.hpp"

namespace cairn::bench {

void add_all(cli::Command bench);

}  // namespace cairn::bench
