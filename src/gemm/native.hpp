// The native layout of a schedule: which rectangle of a stored matrix a rank holds in each round, and where.
// Parts of C that are combined one after the other are rounds of C along n.
// Pure, and O(1) for any rank of any grid. On a tree a rank has a slice of each cell it shares (bricks.hpp).
// See docs/internals/multiply.md.
#pragma once

#include "comm/partition.hpp"
#include "gemm/bricks.hpp"

namespace cairn::gemm {

class NativeLayout {
 public:
  NativeLayout(const Schedule& schedule, Matrix matrix);

  Index rows() const { return size_of(row_); }  // of the stored matrix
  Index cols() const { return size_of(col_); }
  Index rounds() const { return cut_by(row_) || cut_by(col_) ? rounds_.count : 1; }

  // All that a rank holds, in the order of its memory. Idle ranks hold nothing. O(rounds), or cells of a tree.
  std::vector<Piece> pieces(int rank) const;

  // Of a grid: what the fibre of `at` shares in one round (offset 0).
  Piece face(const Coordinates& at, Index round) const;
  // How the fibre cuts that face: one block of elements per rank, whole columns.
  comm::Partition slices(const Coordinates& at, Index round) const;
  // The slice of the rank itself, and where it lies in its memory.
  Piece piece(const Coordinates& at, Index round) const;
  Index local_count(const Coordinates& at) const;
  // The same by rank; idle ranks hold nothing.
  Index local_count(int rank) const;

  struct Owner {
    int rank = 0;
    Index offset = 0;
  };
  Owner owner(Index row, Index col) const;

  const Grid& grid() const { return grid_; }
  bool on_tree() const { return tree_ != nullptr; }

 private:
  struct Range {
    Index begin = 0;
    Index length = 0;
  };

  bool cut_by(Dim d) const { return rounds_.along == d && rounds_.count > 1; }
  Index size_of(Dim d) const { return problem_.size(d); }
  comm::Partition parts(Dim d) const { return comm::Partition::balanced(grid_.extent(d), size_of(d)); }
  Range range(Dim d, int position, Index round) const;
  Index columns_before(const Coordinates& at, Index round) const;
  Schedule tree_schedule() const { return {.problem = problem_, .tree = tree_, .rounds = rounds_}; }
  Owner owner_in_tree(Index row, Index col) const;

  Problem problem_;
  Grid grid_;
  std::shared_ptr<const Tree> tree_;
  Rounds rounds_;
  Matrix matrix_;
  Dim row_, col_, along_;
};

}  // namespace cairn::gemm
