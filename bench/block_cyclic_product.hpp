// A, B and C dealt in square blocks round one process grid of all ranks, and their product by ScaLAPACK's
// pdgemm.
#pragma once

#include <array>

#include "bench/scalapack.hpp"
#include "gemm/problem.hpp"
#include "layout/dist_matrix.hpp"
#include "model/product.hpp"

namespace cairn::bench {

class BlockCyclicProduct {
 public:
  // Collective. A and B are random numbers that depend on row and column only.
  BlockCyclicProduct(comm::CommView c, const ScaLapack& library, const model::Product& p, int rows,
                     int columns, Index block);
  ~BlockCyclicProduct() { library_.release(context_); }
  BlockCyclicProduct(const BlockCyclicProduct&) = delete;
  BlockCyclicProduct& operator=(const BlockCyclicProduct&) = delete;

  void run();  // C := A B by pdgemm
  std::string grid() const { return fmt::format("{}x{}", rows_, columns_); }

  layout::MatrixView<const double> view(gemm::Matrix x) const { return matrices_[gemm::index(x)].view(); }
  std::array<layout::Layout, 3> layouts() const;

 private:
  layout::DistMatrix<double> matrix(Index m, Index n) const;
  Descriptor describe(gemm::Matrix x) const;
  double* data(gemm::Matrix x) const { return matrices_[gemm::index(x)].local().data(); }

  comm::CommView comm_;
  const ScaLapack& library_;
  model::Product p_;
  int rows_, columns_;
  Index block_;
  int context_;
  std::array<layout::DistMatrix<double>, 3> matrices_;
};

}  // namespace cairn::bench
