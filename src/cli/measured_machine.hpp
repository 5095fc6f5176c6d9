// The machine is measured, not assumed: what messages, words, copies and operations cost with all ranks at once,
// found the first time it is asked for and kept in the user's cache directory.
#pragma once

#include "cli/machine_file.hpp"
#include "comm/communicator.hpp"

namespace cairn::cli {

// Collective; about a second. The same on every rank. On one rank alpha and beta are those that are built in.
Machine measure_machine(comm::CommView comm);

// Collective: that of `file` ("built-in", or a name; empty: see known_machine), as rank 0 knows it. Where nothing is
// known it is measured on these ranks and kept for the next run on as many of them. What was kept is compared with one
// short collective, and measured anew where that takes several times as long or as short: another network.
KnownMachine machine_on(comm::CommView comm, const std::string& file);

// Without ranks, for a plan on `ranks` of them: what was kept for this many, else for one rank per core, else measured by
// starting one rank per core.
KnownMachine machine_for_plan(const std::string& file, int ranks);

}  // namespace cairn::cli
