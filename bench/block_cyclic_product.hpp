// A, B and C dealt in blocks round one process grid of all ranks, and their product by ScaLAPACK's pdgemm.
#pragma once

#include "bench/dealt_product.hpp"
#include "bench/scalapack.hpp"
#include "layout/dist_matrix.hpp"

namespace cairn::bench {

inline constexpr double untouched = 1e300;  // far from any sum of such products

class BlockCyclicProduct {
 public:
  // Collective. A and B are random numbers below 1 that depend on row and column only; C is `untouched`.
  BlockCyclicProduct(comm::CommView c, const ScaLapack& library, const DealtProduct& product);
  ~BlockCyclicProduct() { library_.release(context_); }
  BlockCyclicProduct(const BlockCyclicProduct&) = delete;
  BlockCyclicProduct& operator=(const BlockCyclicProduct&) = delete;

  void run();  // C := op(A) op(B) by pdgemm
  const DealtProduct& product() const { return product_; }

  const layout::DistMatrix<double>& whole(gemm::Matrix x) const { return matrices_[gemm::index(x)]; }
  // What is multiplied of the matrix, or of another one that is dealt like it.
  layout::MatrixView<double> operand(gemm::Matrix x) const { return operand(x, whole(x)); }
  layout::MatrixView<double> operand(gemm::Matrix x, const layout::DistMatrix<double>& whole) const;

 private:
  Operand described(gemm::Matrix x) const;

  const ScaLapack& library_;
  DealtProduct product_;
  int context_;
  std::array<layout::DistMatrix<double>, 3> matrices_;
};

}  // namespace cairn::bench
