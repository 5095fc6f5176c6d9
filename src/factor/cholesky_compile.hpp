// Cholesky as a Program: what each rank does, from the tiles of A in its memory to the tiles of L.
#pragma once

#include <memory>

#include "factor/cholesky_shape.hpp"
#include "program/program.hpp"

namespace cairn::factor {

// What the kernels find out: the order of the first leading minor that is not positive, on the rank that sees it.
struct CholeskyOutcome {
  Index info = 0;
};

// Array 0: work; array 1: the tiles of this rank (CholeskyStorage), A before and L after. Layers other than the
// one that applies step k have zeros in column k. With a leading dimension array 1 is somebody else's matrix, of which
// nothing above the diagonal is touched (see CholeskyStorage).
template <Scalar T>
program::Program compile_cholesky(const CholeskyShape& shape, int rank,
                                  std::shared_ptr<CholeskyOutcome> outcome, Index leading_dimension = 0);

// Elements of the tiles and of the work memory on one position.
Index cholesky_elements(const CholeskyShape& shape, int position);

}  // namespace cairn::factor
