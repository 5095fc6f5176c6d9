// Running a Program over MPI.
#pragma once

#include "comm/grid.hpp"
#include "gemm/program.hpp"

namespace cairn::gemm {

// The memory a Program runs on: the user's three matrices on this rank, and its work buffer.
template <Scalar T>
struct Memory {
  const T* a = nullptr;
  const T* b = nullptr;
  T* c = nullptr;
  T* work = nullptr;
};

// Collective over the grid. `fibre(d)` of the grid are the communicators; `window` covers the work buffers of
// all ranks where the schedule is one-sided. No agreement on anything: the caller has made sure. Traffic
// counts under the phases "gather A", "gather B" and "combine C", inside whichever is open. Allocates nothing
// of the size of a matrix.
template <Scalar T>
void run(const Program& program, const comm::ProcessGrid& grid, const comm::Window* window, T alpha, T beta,
         const Memory<T>& memory);

extern template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, float, float,
                         const Memory<float>&);
extern template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, double, double,
                         const Memory<double>&);
extern template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, std::complex<float>,
                         std::complex<float>, const Memory<std::complex<float>>&);
extern template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, std::complex<double>,
                         std::complex<double>, const Memory<std::complex<double>>&);

}  // namespace cairn::gemm
