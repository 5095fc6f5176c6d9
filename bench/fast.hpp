// cairn bench fast: fast products against BLAS on one process, and against classical schedules on ranks.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_fast(cli::Command app, cli::Invocation& invocation);
void add_fast_local(cli::Command app);

}  // namespace cairn::bench
