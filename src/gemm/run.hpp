// Running a Program over MPI.
#pragma once

#include "comm/grid.hpp"
#include "gemm/trace.hpp"

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
// of the size of a matrix. Records into `trace`, if there is one.
template <Scalar T>
void run(const Program& program, const comm::ProcessGrid& grid, const comm::Window* window, T alpha, T beta,
         const Memory<T>& memory, Trace* trace = nullptr);

extern template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, float, float,
                         const Memory<float>&, Trace*);
extern template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, double, double,
                         const Memory<double>&, Trace*);
extern template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, std::complex<float>,
                         std::complex<float>, const Memory<std::complex<float>>&, Trace*);
extern template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, std::complex<double>,
                         std::complex<double>, const Memory<std::complex<double>>&, Trace*);

}  // namespace cairn::gemm
