// One level of a local fast product as a list of steps on blocks: sums of blocks in one pass over memory, and
// products of blocks. The level below does the products the same way, the last level by BLAS.
//
//   C := alpha A B          (a recipe that does not keep C)
//   C := alpha A B + beta C (one that does)
#pragma once

#include <array>
#include <variant>
#include <vector>

#include "gemm/fast/bilinear.hpp"
#include "gemm/fast/sums.hpp"

namespace cairn::gemm::fast {

// A block: of A, B or C, numbered by rows; or a temporary.
struct BlockPlace {
  enum class Role : std::uint8_t { a, b, c, temporary };
  Role role = Role::temporary;
  int index = 0;
};

// Passes over blocks of one matrix's shape. `keeps`: inputs of role c are multiplied by beta.
struct SumPassStep {
  Matrix shape = Matrix::a;
  Sums sums = {};
  std::vector<BlockPlace> inputs = {};
  std::vector<BlockPlace> outputs = {};
  bool keeps = false;
};

// c := factor alpha a b + keep c; keep is multiplied by beta if `beta`.
struct ProductStep {
  BlockPlace a = {};
  BlockPlace b = {};
  BlockPlace c = {};
  double factor = 1;
  double keep = 0;
  bool beta = false;
};

struct Recipe {
  int m0 = 1, k0 = 1, n0 = 1;
  // What each temporary must be large enough for: a block of these matrices.
  std::vector<std::array<bool, 3>> temporaries;
  std::vector<std::variant<SumPassStep, ProductStep>> steps;

  int products() const;
  // Blocks read plus written by the passes, by the shape they have, and read beyond by products that keep.
  std::array<int, 3> touched() const;
};

// Any algorithm: all sums of A in one pass, all of B in one, the products, all sums of C in one. Temporaries
// for each sum of several blocks; products lie in the blocks of C as far as there are any and C is not kept.
Recipe one_pass(const Bilinear& algorithm, bool keeps);

// Any algorithm, one product after the other, each added to the blocks of C it belongs to: three temporaries
// (what a DFS step between ranks does).
Recipe one_at_a_time(const Bilinear& algorithm, bool keeps);

// Strassen's algorithm in Winograd's form with two temporaries (three where C is kept): the schedules of
// Boyer, Dumas, Pernet and Zhou, "Memory efficient scheduling of Strassen-Winograd's matrix multiplication
// algorithm", 2009, with neighbouring additions in one pass and products that add to C.
Recipe few_temporaries(bool keeps);

}  // namespace cairn::gemm::fast
