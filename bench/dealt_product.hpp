// A product of matrices that are dealt in blocks round one process grid, as ScaLAPACK takes it: whole
// matrices in square blocks, or parts of matrices in blocks of their own.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bounds/product.hpp"
#include "gemm/problem.hpp"
#include "layout/kinds.hpp"

namespace cairn::bench {

struct ProcessGrid {
  int rows = 1;
  int columns = 1;
  std::string text() const;
  friend bool operator==(const ProcessGrid&, const ProcessGrid&) = default;
};

// The operand is what begins at element (i, j), counted from 0, of a matrix of rows x columns.
struct DealtMatrix {
  Index rows = 0, columns = 0;
  layout::BlockCyclic blocks = {};
  Index i = 0, j = 0;
};

struct DealtProduct {
  gemm::Problem problem;
  ProcessGrid grid;
  std::array<DealtMatrix, 3> matrices;

  const DealtMatrix& of(gemm::Matrix x) const { return matrices[gemm::index(x)]; }
  layout::Layout whole(gemm::Matrix x) const;
  layout::Layout operand(gemm::Matrix x) const;
  std::string blocks() const;  // "64", or all three: "A 3x50 from (7,0), B^T 64x9, C 8x8"
};

DealtProduct in_square_blocks(const bounds::Product& p, const ProcessGrid& grid, Index block);
// Everything random, the same for the same arguments: sizes up to 1500, operations, a grid of all ranks, and
// for each matrix its blocks, where the first of them lies, and what part of it is multiplied.
DealtProduct random_product(std::uint64_t seed, Index number, int ranks);

nlohmann::json description(const DealtProduct& product);

}  // namespace cairn::bench
