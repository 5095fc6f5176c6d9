// cairn bench redistribute: between two block-cyclic layouts, and transposing, beside ScaLAPACK.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_redistribute(cli::Command bench, cli::Invocation& invocation);

}  // namespace cairn::bench
