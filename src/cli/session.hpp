// MPI as the command line uses it: starting ranks, initialising, and ending on errors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace cairn::cli {

// True when a launcher (mpirun, mpiexec, srun) started this process.
bool under_launcher();

// The words that start `ranks` copies of this program with `arguments`, more ranks than cores if need be.
std::vector<std::string> launch_command(int ranks, const std::vector<std::string>& arguments);

// Starts `ranks` ranks of this program, waits for them and ends with their exit code (exit_code.hpp). Says which signal
// ended a rank; the launcher's own pages of advice are switched off. Throws Error if they cannot be started.
[[noreturn]] void relaunch(int ranks, const std::vector<std::string>& arguments);

// The arguments of a launch whose ranks are to show their progress where this process has a terminal: they do
// not see it themselves.
std::vector<std::string> with_progress(std::vector<std::string> arguments);

// Runs `body` on all ranks of this launch between MPI_Init and MPI_Finalize and returns the exit code. An
// error that every rank has is printed once; one that only some ranks have is printed with the rank and ends
// the run.
int run_on_ranks(double watchdog_seconds, const std::function<void(comm::CommView)>& body);

// Tells the BLAS to use `threads`, or where that is 0 cores / (ranks on this node), at least one and not more
// than it was going to, and returns that.
int share_cores(comm::CommView comm, int threads = 0);

}  // namespace cairn::cli
