// cairn bench spgemm.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_spgemm(cli::Command app, cli::Invocation& invocation);

}  // namespace cairn::bench
