// cairn bench collectives: words against the optimum, and time against the MPI library's own call.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_collectives(cli::Command bench, cli::Invocation& invocation);

}  // namespace cairn::bench
