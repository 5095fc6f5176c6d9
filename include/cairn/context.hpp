// A communicator with all that Cairn keeps for it between calls.
#pragma once

#include <mpi.h>

#include <memory>

#include "cairn/types.hpp"

namespace cairn {

namespace detail {
class ContextState;
}

struct ContextOptions {
  // A rank that waits longer than this for the others throws TimeoutError, which says where; 0: it waits for
  // ever.
  double watchdog_seconds = 0;
};

// Keeps plans, the communicators of grids, and work memory, so that a batch of one shape makes them once. A
// handle: copies share what is kept. Not for several threads at once.
//
//   MPI_Init(&argc, &argv);
//   cairn::Context context(MPI_COMM_WORLD);
class Context {
 public:
  // Collective. Cairn talks over a duplicate, which is made once for a communicator. The options are those of
  // the first Context on it. Throws ArgumentError for MPI_COMM_NULL and where MPI does not run. The last
  // handle is dropped by all ranks alike, best before MPI_Finalize.
  explicit Context(MPI_Comm comm, const ContextOptions& options = {});

  int rank() const;
  int size() const;

  // Frees the work memory that is kept for the next call. Local.
  void trim() const;

  friend bool operator==(const Context&, const Context&) = default;  // the same handle

  detail::ContextState& state() const { return *state_; }  // for the library's own use

 private:
  std::shared_ptr<detail::ContextState> state_;
};

}  // namespace cairn
