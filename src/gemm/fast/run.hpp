// A fast schedule over MPI, on matrices that lie anyhow.
#pragma once

#include "comm/communicator.hpp"
#include "gemm/fast/compile.hpp"
#include "layout/matrix_view.hpp"

namespace cairn::gemm::fast {

// C := alpha op(A) op(B) + beta C; the layouts are of the stored matrices. Collective over `comm`; bad arguments
// are the same error on every rank, before any work. Words: those of compile_placed. Memory: its work array,
// about three times the dealt matrices and what the steps hold.
template <Scalar T>
void multiply(comm::CommView comm, const FastSchedule& schedule, T alpha,
              const layout::MatrixView<const T>& a, const layout::MatrixView<const T>& b, T beta,
              const layout::MatrixView<T>& c);

}  // namespace cairn::gemm::fast
