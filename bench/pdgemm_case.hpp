// One row of cairn bench pdgemm: a product of block-cyclic matrices, ours and ScaLAPACK's.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bench/block_cyclic_product.hpp"
#include "gemm/product_runner.hpp"
#include "plan/plan.hpp"

namespace cairn::bench {

class PdgemmCase {
 public:
  // Collective. Plans, and deals A and B.
  PdgemmCase(comm::CommView c, const ScaLapack& library, const DealtProduct& product,
             const plan::Settings& settings);

  // All collective, the same on every rank.
  nlohmann::json description() const;
  // One multiply of ours: the words Traffic counts, and the bytes of each rank.
  nlohmann::json count_ours();
  // Ours, pdgemm and the local BLAS in turn.
  nlohmann::json times(double seconds);
  // How far apart the results of both are, over what rounding explains: at most 1. Elements outside of the
  // part of C that is multiplied count, and must not have been touched. After both have run.
  double difference_over_allowed();

  void run_pdgemm() { peer_.run(); }

 private:
  void run_ours();

  comm::CommView comm_;
  BlockCyclicProduct peer_;
  layout::DistMatrix<double> result_;  // ours, dealt like the peer's
  gemm::ProductRunner context_;
  gemm::Schedule schedule_;
};

// Words of 8 bytes, of the bytes that each rank received: {mean, busiest}.
// Of all ranks, from each rank's own.
std::vector<Index> of_all(comm::CommView c, Index mine);
nlohmann::json words_of(const std::vector<Index>& bytes_received);

}  // namespace cairn::bench
