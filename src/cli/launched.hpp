// Waiting for the launcher of the ranks, which may itself wait forever.
#pragma once

#include <sys/types.h>

namespace cairn::cli {

// The exit code of `launcher`, a child of this process: 128 + the signal where one ended it. Open MPI's mpirun can miss
// the end of a rank that dies while it starts: the rank stays a zombie and mpirun waits for it. A zombie that is not
// collected within `patience_seconds` ends the run, with a word and exit_failure.
int wait_for_launcher(pid_t launcher, int patience_seconds = 10);

}  // namespace cairn::cli
