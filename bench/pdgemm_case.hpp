// One row of cairn bench pdgemm: a product of block-cyclic matrices, ours and ScaLAPACK's.
#pragma once

#include <nlohmann/json.hpp>

#include "bench/block_cyclic_product.hpp"
#include "plan/placed.hpp"

namespace cairn::bench {

struct ProcessGrid {
  int rows = 1;
  int columns = 1;
  friend bool operator==(const ProcessGrid&, const ProcessGrid&) = default;
};

class PdgemmCase {
 public:
  // Collective. Plans, and deals A and B.
  PdgemmCase(comm::CommView c, const ScaLapack& library, const model::Product& p, const ProcessGrid& grid,
             Index block, const plan::Settings& settings);

  // All collective, the same on every rank.
  nlohmann::json description() const;
  // One multiply of ours: the words Traffic counts, and the bytes of each rank.
  nlohmann::json count_ours();
  // Ours, pdgemm and the local BLAS in turn, and how far apart the results are.
  nlohmann::json times(double seconds);

 private:
  void run_ours();
  double difference_over_allowed();

  comm::CommView comm_;
  model::Product p_;
  Index block_;
  BlockCyclicProduct peer_;
  layout::DistMatrix<double> result_;  // ours; laid out as the peer's
  gemm::Placed placed_;
};

// Words of 8 bytes, of the bytes that each rank received: {mean, busiest}.
nlohmann::json words_of(const std::vector<Index>& bytes_received);

}  // namespace cairn::bench
