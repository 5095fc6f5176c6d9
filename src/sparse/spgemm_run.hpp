// A sparse product from matrices in any layouts: planned, brought where the method wants them, multiplied,
// checked.
#pragma once

#include "sparse/multiply_bricks.hpp"
#include "sparse/spgemm_check.hpp"
#include "sparse/spgemm_plan.hpp"

namespace cairn::sparse {

template <class T>
struct SpgemmRunOptions {
  SpgemmPlanOptions planning = {};     // its layouts of A and B are filled in here
  std::optional<SpgemmMethod> method;  // run this one; nothing is planned
  Semiring semiring = Semiring::plus_times;
  std::optional<OwnSemiring<T>> own = {};  // instead; its products cannot be verified
  const DistSparse<T>* mask = nullptr;     // any layout
  bool mask_complement = false;
  int verify = 0;  // rounds of check_product; a wrong result is a ResultError on every rank
  Workers* workers = nullptr;
  program::Trace* trace = nullptr;  // of the product
  bool shuffle = false;             // rows, k and columns are permuted at random first, and C back in the end
  Recall<T>* recall = nullptr;      // with a method of one's own only
};

template <class T>
struct SpgemmOutcome {
  DistSparse<T> c;  // in the method's layout
  SpgemmMethod method;
  std::optional<SpgemmPlan> plan;
  BrickCounts counts;  // of this rank
  std::optional<check::Verdict> verdict;
};

// Collective. Phases of Traffic: "plan", "convert", "spgemm/...", "check".
template <class T>
SpgemmOutcome<T> multiply_sparse(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                                 const SpgemmRunOptions<T>& options = {});

}  // namespace cairn::sparse
