// cairn bench memory: products under memory limits.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_memory(cli::Command bench, cli::Invocation& invocation);

}  // namespace cairn::bench
