// cairn bench multiply: native multiplies beside the local BLAS and ScaLAPACK's pdgemm.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_multiply(cli::Command bench, cli::Invocation& invocation);

}  // namespace cairn::bench
