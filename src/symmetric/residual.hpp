// Is a product with a triangle right? Both sides times random vectors.
#pragma once

#include <array>

#include "check/freivalds.hpp"
#include "layout/matrix_view.hpp"
#include "symmetric/problem.hpp"

namespace cairn::symmetric {

// Collective. The matrices before the run and the result after it; those that the problem does not have are empty. Words:
// a few vectors per rank.
template <Scalar T>
check::Verdict check_product(comm::CommView comm, const Problem& problem, T alpha,
                             const std::array<layout::MatrixView<const T>, 3>& before, T beta,
                             const layout::MatrixView<const T>& after,
                             const check::VerifyOptions& options = {});

}  // namespace cairn::symmetric
