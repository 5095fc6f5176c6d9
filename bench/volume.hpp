// cairn bench volume: the scenarios of paper 000's evaluation, planned: words per rank beside its Table 3.
#pragma once

#include "cli/commands.hpp"

namespace cairn::bench {

// Words and predicted times of CAPS and its rivals in the scenario of paper 001's Fig. 3.
void run_strassen_figure(bool as_json);

void add_volume(cli::Command bench);

}  // namespace cairn::bench
