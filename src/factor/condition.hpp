// The 1-norm of an inverse that is known only by solves.
#pragma once

#include <functional>

#include "comm/communicator.hpp"
#include "layout/dist_matrix.hpp"

namespace cairn::factor {

// Collective. An estimate from below of |A^-1| (1-norm; Hager 1984, Higham 1988), rarely below a third of it: solve(op,
// x) replaces the n x 1 matrix x by op(A)^-1 x. About five solves.
template <Scalar T>
double inverse_norm(comm::CommView comm, Index n,
                    const std::function<void(Op, const layout::MatrixView<T>&)>& solve);

}  // namespace cairn::factor
