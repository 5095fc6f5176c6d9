// cairn bench volume: the scenarios of paper 000's evaluation, planned: words per rank beside its Table 3.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_volume(cli::Command bench);

}  // namespace cairn::bench
