// Is a product with a triangle right? Both sides are multiplied by a random vector.
#pragma once

#include <array>

#include "comm/communicator.hpp"
#include "layout/matrix_view.hpp"
#include "symmetric/problem.hpp"

namespace cairn::symmetric {

// Collective. The matrices before the run and the result after it; those that the problem does not have are empty. The
// largest difference of the two sides over what rounding allows there: above 1 the result is wrong. Words: a few vectors
// per rank.
template <Scalar T>
double error_over_allowed(comm::CommView comm, const Problem& problem, T alpha,
                          const std::array<layout::MatrixView<const T>, 3>& before, T beta,
                          const layout::MatrixView<const T>& after, std::uint64_t seed);

}  // namespace cairn::symmetric
