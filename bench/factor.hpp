// cairn bench factor: LU, Cholesky and solves beside ScaLAPACK and the local LAPACK.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_factor(cli::Command bench, cli::Invocation& invocation);

}  // namespace cairn::bench
