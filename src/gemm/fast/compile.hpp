// A fast schedule as a Program for one rank: counted, simulated and run like every other.
#pragma once

#include "gemm/fast/dealt.hpp"
#include "program/program.hpp"

namespace cairn::gemm::fast {

// The arrays and parameters of the Programs.
inline constexpr int array_a = 1, array_b = 2, array_c = 3;
inline constexpr int parameter_alpha = 0, parameter_beta = 1;

// C := alpha op(A) op(B) + beta C on matrices that are dealt as Dealt says: op(A), op(B), C. Words sent per
// rank, for square matrices of n^2 words on P = q^k ranks, a step with b blocks per matrix:
//   BFS: 3 (q - 1)/b n^2/P + those of n^2/b words on P/q ranks      (Strassen: 4.5 n^2/P + ...)
//   DFS: q times those of n^2/b words on P ranks
// which is half of the recurrences of sections 3.3 and 3.4: the paper counts sent plus received. Phases: "BFS
// A", "BFS B", "BFS C" and those of the bricks; "sums", "multiply".
program::Program compile(const FastSchedule& schedule, int rank, int ranks);

// The same on matrices that lie anyhow: one exchange brings op(A) and op(B) to where they are dealt, one adds
// the product to C. Phases "redistribute in" and "redistribute out". Elements and leading dimensions are of
// this rank.
struct PlacedMatrix {
  layout::Layout layout;
  Index elements = 0;
  Index leading_dimension = 0;
};
program::Program compile_placed(const FastSchedule& schedule, const PlacedMatrix& a, const PlacedMatrix& b,
                                const PlacedMatrix& c, int rank, int ranks,
                                const layout::RedistributeOptions& options = {});

}  // namespace cairn::gemm::fast
