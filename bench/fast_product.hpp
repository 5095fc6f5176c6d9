// A product of random matrices by a fast schedule, in the layouts it wants.
#pragma once

#include <array>

#include "base/buffer.hpp"
#include "gemm/fast/compile.hpp"
#include "program/run.hpp"

namespace cairn::bench {

template <Scalar T>
class FastProduct {
 public:
  FastProduct(comm::CommView c, const gemm::fast::FastSchedule& s);

  void run();
  const program::Program& program() const { return program_; }
  // Most of |error| / (error bound), sampled: elements of C that this rank holds, computed anew. Collective.
  double worst_error(int samples);

 private:
  comm::CommView comm_;
  gemm::fast::Dealt dealt_;
  program::Program program_;
  std::array<Buffer<T>, 4> arrays_;
};

}  // namespace cairn::bench
