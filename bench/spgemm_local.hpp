// cairn bench spgemm-local: the sparse product of one rank beside GraphBLAS.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

void add_spgemm_local(cli::Command bench);

}  // namespace cairn::bench
