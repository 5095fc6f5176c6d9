// A product of random matrices in the native layout of a schedule, and the memory it holds.
#pragma once

#include "gemm/product_runner.hpp"

namespace cairn::bench {

class NativeProduct {
 public:
  // Work memory beyond `work_bytes` is an error; below 0: no limit.
  NativeProduct(comm::CommView c, const gemm::Schedule& s, Index work_bytes = -1);

  void run();
  double worst_error() const;  // of what rounding allows, by Freivalds' check; collective
  // This rank's parts of A, B and C and the most work memory it had at once.
  Index most_bytes() const;

 private:
  std::span<double> of(gemm::Matrix x) const { return data_[index(x)].span(); }

  comm::CommView comm_;
  gemm::Schedule schedule_;
  gemm::ProductRunner context_;
  std::array<Buffer<double>, 3> data_;
};

}  // namespace cairn::bench
