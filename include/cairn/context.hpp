// A communicator, with everything Cairn keeps for it between calls.
#pragma once

#include <mpi.h>

#include <memory>

#include "cairn/export.hpp"
#include "cairn/shared.hpp"
#include "cairn/types.hpp"

namespace cairn {

namespace detail {
class ContextState;
}

struct ContextOptions {
  // A rank that waits longer than this for the others throws TimeoutError, which says where. 0 keeps the
  // current setting, initially none. Holds for all contexts on the communicator.
  double watchdog_seconds = 0;
};

// Keeps what the next call can reuse, so that a batch of one shape makes it only once: the last 64 plans, the
// last 32 compiled programs, the communicators of the last 8 grids, the last 16 exchange plans of matrices
// that are not native, and work memory, a few times that of the largest call at most (trim gives it back). A
// handle: copies share what is kept, and a Matrix keeps its context alive. Not for several threads at once.
//
//   MPI_Init(&argc, &argv);
//   cairn::Context context(MPI_COMM_WORLD);
class CAIRN_EXPORT Context {
 public:
  // Collective. Cairn communicates over a duplicate, which is made once per communicator and lives as
  // long as the communicator. Throws ArgumentError for MPI_COMM_NULL, for an intercommunicator, and when
  // MPI is not running. Words:
  // one small agreement. The last handle is dropped by all ranks alike, best before MPI_Finalize.
  explicit Context(MPI_Comm comm, const ContextOptions& options = {});

  int rank() const;
  int size() const;

  // Frees the work memory that is kept for the next call, except what one-sided plans expose to other ranks.
  // Local.
  void trim() const;

  friend bool operator==(const Context&, const Context&) = default;  // the same handle

  detail::ContextState& state() const { return *state_; }  // for the library's own use

 private:
  detail::Shared<detail::ContextState> state_;
};

}  // namespace cairn
