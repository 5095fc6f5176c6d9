// Products that never hold a whole face: pieces come one after another, and each is multiplied as it comes.
// Both return this rank's C(i, j), its layers not yet added up.
#pragma once

#include <limits>

#include "sparse/gather_faces.hpp"
#include "sparse/local_kernel.hpp"

namespace cairn::sparse {

// What the stages of a product may hold. A rank on which the next one would not fit multiplies no more and says by how much;
// pieces go on their way all the same, so that nobody waits for them.
struct StageWatch {
  Index limit = std::numeric_limits<Index>::max();  // bytes
  Index held = 0;                                   // blocks of C that are there already
  Index over = 0;                                   // bytes above the limit that the next stage would take
};

// Block row naive (paper 004, 4.1.1), on [P, 1, 1]: the blocks of B go round a ring, P - 1 shifts.
template <class T>
Csr<T> multiply_ring(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                     const Csr<T>& a, const Csr<T>& b, Content content, const LocalKernel<T>& kernel,
                     const Mask* mask, StageWatch& watch);

// SpSUMMA (4.2.1): for every range of k that is one rank's in both A and B, those ranks send it along their
// row or column of the grid.
template <class T>
Csr<T> multiply_steps(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                      const Csr<T>& a, const Csr<T>& b, Content content, const LocalKernel<T>& kernel,
                      const Mask* mask, StageWatch& watch);

}  // namespace cairn::sparse
