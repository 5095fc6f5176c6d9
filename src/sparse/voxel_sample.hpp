// How many entries the products of sampled rows of C have, over all layers and in each.
#pragma once

#include "sparse/spgemm_sample.hpp"

namespace cairn::sparse {

// Collective. `rows` are the sampled rows of A. Fills in layer_entries of the grids, sampled_voxels,
// entries_c and its error. Words: the sampled rows, the rows of B they meet, places alone.
template <class T>
void sample_voxels(comm::CommView comm, const DistSparse<T>& rows, const DistSparse<T>& b, SpgemmSample& s);

// Collective. B without the rows that no column of `rows` (anywhere) meets, values kept.
template <class T>
DistSparse<T> needed_rows_of(comm::CommView comm, const DistSparse<T>& rows, const DistSparse<T>& b);

}  // namespace cairn::sparse
