// The machine is measured, not assumed: what messages, words, copies and operations cost with all ranks at once.
#pragma once

#include "bounds/machine.hpp"
#include "comm/communicator.hpp"

namespace cairn::plan {

// Collective; takes about so many seconds: 1 for figures to keep, a hundredth for a first look. The same on every rank. On
// one rank alpha and beta are those that are built in; memory_words always is.
Machine measure_machine(comm::CommView comm, double seconds);

// Collective: one short collective takes about as long as on this machine. The times are those of the slowest rank, so
// that all ranks have one answer.
bool still_holds(comm::CommView comm, const Machine& machine);

// Collective: that of rank 0.
Machine shared_machine(comm::CommView comm, Machine machine);

}  // namespace cairn::plan
