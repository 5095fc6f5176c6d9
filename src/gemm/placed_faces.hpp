// What counting and running a Placed multiply both ask of its faces.
#pragma once

#include "gemm/placed.hpp"

namespace cairn::gemm {

// Whether a matrix is dealt with a round at a time.
inline bool has_rounds(const Placed& p, Matrix x) {
  return p.rounds.count > 1 && p.rounds.along != missing(x);
}

inline Op op_of(const Placed& p, Matrix x) {
  return x == Matrix::a ? p.problem.op_a : x == Matrix::b ? p.problem.op_b : Op::none;
}
inline bool conjugates(const Placed& p, Matrix x) {
  return op_of(p, x) == Op::adjoint && is_complex(p.problem.type);
}

// Memory by rows is the transposed matrix by columns, and a C by rows is written as C transposed: whether
// BLAS must be told the other of "as it is" and "transposed".
inline bool is_flipped(layout::Order memory, layout::Order c) { return memory != c; }

// The matrices whose faces are filled in a round: A, B, both or none.
std::vector<Matrix> gathered_in_round(const Placed& placed, Index round);

// The layer along k that a rank's brick belongs to; none for a rank without a brick.
std::optional<int> layer_of(const Placed& placed, int rank);

// Voxels of a rank's brick in a round; 0 for a rank without a brick.
double brick_voxels(const Placed& placed, Index round, int rank);

// Faces of a matrix that a rank holds at once: of this round and, where words move ahead, of the next.
inline int face_slots(const Placed& p, Matrix x) { return p.lookahead > 0 && has_rounds(p, x) ? 2 : 1; }

// Of the longest face of a rank over the rounds; 0 where the matrix stays. A remainder may give a later round
// more of a part than the first has.
Index face_elements(const Placed& placed, Matrix x, int rank);
Index face_bytes(const Placed& placed, Matrix x, int rank);  // of all slots

}  // namespace cairn::gemm
