// How matrices are dealt to ranks for fast steps (paper 001, section 3.2): all blocks of all steps alike, so
// that sums of blocks are local.
//
// The steps cut op(A), op(B) and C into leaf blocks of one size (the last ones are padded by zeros). A leaf
// block is what the base multiplies; the base's native layout gives each of its c ranks a piece of it, some
// rows and columns. A piece is cut along its columns into one slab for each way the BFS steps can go: before
// the steps a rank holds one slab of each leaf block, and every BFS step joins the slabs of its q ranks. A
// rank keeps its slabs side by side, and in a slab all leaf blocks, those of one block of the first step
// together: what a step adds up, sends or receives is contiguous, and when no step is left the slabs of the
// only leaf block are the columns of the piece in order. Nothing is ever packed.
#pragma once

#include <array>
#include <vector>

#include "gemm/fast/steps.hpp"
#include "layout/layout.hpp"

namespace cairn::gemm::fast {

// Rows and columns of a leaf block.
struct LeafPiece {
  Index row = 0, column = 0;
  Index rows = 0, columns = 0;
};

class Dealt {
 public:
  explicit Dealt(FastSchedule schedule);

  const FastSchedule& schedule() const { return schedule_; }

  // A rank: its turn at each BFS step, and its place in the base.
  struct Position {
    std::vector<int> turns;
    int base = 0;
  };
  Position position(int rank) const;
  int rank_of(const Position& p) const;

  Index leaf(Dim d) const { return leaf_[index(d)]; }  // size of a leaf block
  Index leaf_rows(Matrix x) const { return leaf(x == Matrix::b ? Dim::k : Dim::m); }
  Index leaf_columns(Matrix x) const { return leaf(x == Matrix::a ? Dim::k : Dim::n); }
  bool is_padded() const;
  // Leaf blocks of what step `step` cuts.
  Index leaves(Matrix x, std::size_t step) const;
  LeafPiece piece(Matrix x, int base) const;

  // Slabs of a rank after `joined` BFS steps: first .. first + count - 1.
  struct Slabs {
    int first = 0;
    int count = 1;
  };
  Slabs slabs(const Position& p, int joined) const;
  int all_slabs() const { return all_slabs_; }
  Index slab_columns(Matrix x, int base, int slab) const;
  Index slab_elements(Matrix x, int base, int slab) const {
    return piece(x, base).rows * slab_columns(x, base, slab);
  }

  // Elements a rank holds at the start: 0 for ranks that do not work.
  Index share(Matrix x, int rank) const;
  // Of op(A), op(B) or C, without the padding. O(leaf blocks x ranks).
  layout::Layout layout(Matrix x) const;

 private:
  // Where a leaf block, by its row and column among all, stands in a rank's memory.
  Index leaf_number(Matrix x, Index row, Index column) const;

  FastSchedule schedule_;
  std::array<Index, 3> parts_{1, 1, 1};
  std::array<Index, 3> leaf_{};
  int all_slabs_ = 1;
};

}  // namespace cairn::gemm::fast
