// Generated matrices, made where they belong: no words move.
#pragma once

#include "sparse/dist_sparse.hpp"
#include "sparse/local/generators.hpp"

namespace cairn::sparse {

// Local. This rank's block of the generator's matrix; the same matrix in any layout on any number of ranks.
template <Scalar T>
DistSparse<T> generate_sparse(const Generator& generator, const SparseLayout& layout, int rank);

}  // namespace cairn::sparse
