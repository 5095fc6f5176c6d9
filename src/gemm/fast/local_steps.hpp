// The local actions of a compiled fast product: sums of blocks in one pass, and a product by fast levels.
#pragma once

#include <vector>

#include "gemm/fast/local.hpp"
#include "gemm/fast/sums.hpp"
#include "program/program.hpp"

namespace cairn::gemm::fast {

// Slabs of equal length, one after the other.
struct SlabRun {
  Index before = 0;  // elements of all slabs before it
  Index length = 0;  // of one
  Index count = 0;
};

// A block in slabs: slab i of it, of length l, is block `number` of `blocks` that lie together there.
struct SlabBlock {
  program::Place at;
  Index blocks = 1;
  Index number = 0;

  program::Place slab(const SlabRun& run) const { return at + (run.before * blocks + run.length * number); }
};

program::Kernel make_sums(ScalarType type, Sums sums, std::vector<SlabBlock> inputs,
                          std::vector<SlabBlock> outputs, std::vector<SlabRun> slabs);

// to[0 .. count-1] := 0
program::Kernel make_zero(ScalarType type, program::Place to, Index count);

// The product `x` by the levels of `product`, which has its sizes and ops, with workspace for any beta at `work`.
program::Kernel make_local_product(ScalarType type, LocalProduct product, const program::Multiply& x,
                                   program::Place work);

// Multiplications and additions of a local fast product, those of sums included.
double flops_of(const LocalProduct& product, ScalarType type);

}  // namespace cairn::gemm::fast
