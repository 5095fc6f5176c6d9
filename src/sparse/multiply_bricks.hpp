// C = A B by one method, on matrices that lie as it wants them.
#pragma once

#include <optional>

#include "sparse/dist_sparse.hpp"
#include "sparse/entry_exchange.hpp"
#include "sparse/local_kernel.hpp"
#include "sparse/spgemm_method.hpp"

namespace cairn::sparse {

template <class T>
struct BrickOptions {
  const DistSparse<T>* mask = nullptr;  // lies like C: entries of C are computed only where it has one
  bool mask_complement = false;         // ... has none
  Recall<T>* recall =
      nullptr;  // what a product learnt; a later one with the same patterns sends values alone
  // Most bytes this rank may hold. A column phase that turns out not to fit is cut in two on all ranks, and what
  // was gathered of B for it is gathered again; where that does not help, or with `recall`, the same MemoryError
  // on every rank.
  std::optional<Index> memory_bytes = {};
  program::Trace* trace = nullptr;  // what this rank did when
};

// Where the entries went. Entries received from other ranks, by this one.
struct BrickCounts {
  Index inputs = 0;    // all-to-all in
  Index gathered = 0;  // of A and B
  Index combined = 0;  // of C
  Index entries_received() const { return inputs + gathered + combined; }
  Index voxels = 0;  // products made here
  int phases = 1;    // column phases that it took
  double seconds_multiply = 0;
  double seconds_total = 0;
};

template <class T>
struct BrickResult {
  DistSparse<T> c;
  BrickCounts counts;
};

// Collective over `comm`; ranks beyond the grid take part in nothing. A and B lie as layouts_of(method) says;
// anything else, or a mask that does not lie like C, is the same ArgumentError on every rank. Phases of
// Traffic: "spgemm/all-to-all in", "spgemm/patterns", "spgemm/gather A", "spgemm/gather B", "spgemm/combine
// C", "spgemm/mask". Running out of memory while multiplying is the same MemoryError on every rank, but for
// products in stages (ring, steps), where a rank that throws leaves the others to their watchdog.
template <class T>
BrickResult<T> multiply_bricks(comm::CommView comm, const SpgemmMethod& method, const DistSparse<T>& a,
                               const DistSparse<T>& b, const LocalKernel<T>& kernel,
                               const BrickOptions<T>& options = {});

}  // namespace cairn::sparse
