// Running a Program over MPI.
#pragma once

#include "comm/communicator.hpp"
#include "comm/window.hpp"
#include "program/program.hpp"
#include "program/trace.hpp"

namespace cairn::program {

// What a Program runs on. Arrays the Program only reads may be const in truth.
template <Scalar T>
struct Memory {
  std::span<T* const> arrays;     // by number; [0]: the work memory
  std::span<const T> parameters;  // the values that a Factor names: alpha, beta ...
};

struct RunOptions {
  const comm::Window* window = nullptr;  // over the work memory of all ranks, for one-sided collectives
  Trace* trace = nullptr;                // records into it, if there is one
  int threads = 1;                       // that pack and unpack, and add up
};

// Collective over the ranks whose Programs talk to each other. No agreement on anything: the caller has made
// sure. Traffic counts under the Program's phases, inside whichever is open. Allocates nothing of the size of a
// matrix. Communication that has been started goes on while a Multiply or a long Kernel computes.
template <Scalar T>
void run(const Program& program, comm::CommView comm, const Memory<T>& memory,
         const RunOptions& options = {});

}  // namespace cairn::program
