// Products that never hold a whole face: pieces come one after another, and each is multiplied as it comes.
// Both return this rank's C(i, j), its layers not yet added up.
#pragma once

#include "sparse/gather_faces.hpp"
#include "sparse/local_kernel.hpp"

namespace cairn::sparse {

// Block row naive (paper 004, 4.1.1), on [P, 1, 1]: the blocks of B go round a ring, P - 1 shifts.
template <class T>
Csr<T> multiply_ring(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                     const Csr<T>& a, const Csr<T>& b, Content content, const LocalKernel<T>& kernel,
                     const Mask* mask);

// SpSUMMA (4.2.1): for every range of k that is one rank's in both A and B, those ranks send it along their
// row or column of the grid.
template <class T>
Csr<T> multiply_steps(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                      const Csr<T>& a, const Csr<T>& b, Content content, const LocalKernel<T>& kernel,
                      const Mask* mask);

}  // namespace cairn::sparse
