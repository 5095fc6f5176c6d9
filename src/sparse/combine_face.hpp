// C(i, j) of all layers added up: each layer gets its piece from the others and merges.
#pragma once

#include "sparse/brick_layouts.hpp"
#include "sparse/entry_exchange.hpp"
#include "sparse/local_kernel.hpp"

namespace cairn::sparse {

// Collective over the ranks (i, j, *). `partial` is this layer's C(i, j); the result is this rank's block of
// C. Words: the entries of the others' pieces that are this rank's, packed.
template <class T>
Csr<T> combine_face(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                    Csr<T> partial, const LocalKernel<T>& kernel);

// The same level by level, the last first (paper 004, 4.4): at each, ranks that differ in one digit of l
// exchange parts of the rows they still have. factors: of pk, as the layouts' face has them in reverse.
template <class T>
Csr<T> combine_face_in_levels(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                              Csr<T> partial, const LocalKernel<T>& kernel, std::span<const int> factors);

// Collective over the ranks (i, j, *). The pattern of all of C(i, j) from a matrix that lies like C, values
// all 1: where a mask allows entries.
template <class T>
Csr<T> gather_mask(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                   const Csr<T>& mine);

}  // namespace cairn::sparse
