// Column blocks of B and C one after another, so that a rank holds less at a time: how far it has come, and what the next
// block will take.
#pragma once

#include <algorithm>

#include "comm/collectives.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/local/spgemm.hpp"
#include "sparse/spgemm_method.hpp"

namespace cairn::sparse {

// Columns [first, last) of b, the others empty.
template <class T>
Csr<T> column_phase(const Csr<T>& b, Index phase, Index phases) {
  if (phases == 1) return b;
  const auto begin = b.columns * phase / phases, end = b.columns * (phase + 1) / phases;
  return select(b, [&](Index, Index column, const T&) { return column >= begin && column < end; });
}

// What this rank will hold at the worst moment of a phase: the faces, this layer's part of C (twice, and what
// arrives for it, where layers are combined), and the finished blocks of C, which are merged in the end. Rows of
// C are counted by their voxels, or exactly where those would be too many.
template <class T>
Index phase_bytes(const Csr<T>& a_face, const Csr<T>& b_face, Index finished, int layers, bool exact) {
  constexpr auto each = static_cast<Index>(sizeof(T) + sizeof(Local));
  const Array<Index> counts = exact ? spgemm_counts(a_face.pattern(), b_face.pattern())
                                    : spgemm_voxels(a_face.pattern(), b_face.pattern());
  Index entries = 0;
  for (const Index c : counts) entries += std::min(c, b_face.columns);
  const Index partial = each * entries + static_cast<Index>(sizeof(Index)) * (a_face.rows + 1);
  return a_face.bytes() + b_face.bytes() + (layers > 1 ? 3 : 1) * partial + 2 * (finished + partial);
}

// Collective over the communicator: the most that any rank will hold. Ranks beyond the grid hold nothing.
inline Index most_bytes(comm::CommView comm, Index mine) {
  return comm::allreduce(comm.unchecked(), mine, comm::ReduceOp::max);
}

// How far a product in column phases has come: `done` of `slots` equal parts of the columns.
struct PhaseClock {
  Index done = 0, slots = 1;
  bool over() const { return done == slots; }
  // The next part does not fit: it is cut in two, as all after it.
  void halve(Index most_slots, Index bytes, Index limit, bool may) {
    require<MemoryError>(may && slots < most_slots,
                         "a rank may hold {} bytes, and a sparse product in {} column phases needs {}", limit,
                         slots, bytes);
    done *= 2;
    slots *= 2;
  }
};

// The columns of the widest block of B, which no phase can be narrower than.
inline Index widest_block(const MethodLayouts& layouts) {
  return std::max<Index>(1, layouts.bricks.b.column_cut().longest());
}

}  // namespace cairn::sparse
