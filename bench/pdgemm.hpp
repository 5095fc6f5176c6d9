// cairn bench pdgemm: multiplies of block-cyclic matrices beside ScaLAPACK's pdgemm on the same data.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_pdgemm(cli::Command bench, cli::Invocation& invocation);

}  // namespace cairn::bench
