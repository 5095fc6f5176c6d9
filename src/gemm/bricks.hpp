// Bricks are any boxes that fill the m x n x k box: those of a grid, or of a tree. Here is which box a rank has, and
// which cells of a matrix it shares with whom.
//
// The projections of all bricks overlay a matrix with cells. The ranks that share a cell are those whose faces
// contain it; each owns a slice of it. Then a rank receives its face less what it owns, and no algorithm on these
// bricks can do with less. See docs/internals/trees.md.
#pragma once

#include <vector>

#include "comm/partition.hpp"
#include "gemm/schedule.hpp"

namespace cairn::gemm {

struct Interval {
  Index begin = 0;
  Index count = 0;

  Index end() const { return begin + count; }
  friend bool operator==(const Interval&, const Interval&) = default;
};
Interval common(const Interval& x, const Interval& y);

struct Box {
  std::array<Interval, 3> sides{};  // by dimension

  const Interval& operator[](Dim d) const { return sides[index(d)]; }
  Interval& operator[](Dim d) { return sides[index(d)]; }
  bool empty() const { return sides[0].count == 0 || sides[1].count == 0 || sides[2].count == 0; }
  double voxels() const;
};

// How many bricks there are, and the box of one. O(depth of the tree); all of them O(bricks).
Index bricks_of(const Schedule& schedule);
Box box_of(const Schedule& schedule, int brick);
std::vector<Box> boxes_of(const Schedule& schedule);
// What a brick does in one round.
Box box_of_round(const Schedule& schedule, Box box, Index round);
double largest_brick(const Schedule& schedule);  // voxels

// Part of a stored matrix, and the bricks whose faces contain it, in order.
struct SharedCell {
  Interval rows, cols;
  std::vector<int> sharers;

  Index count() const { return rows.count * cols.count; }
};
// The face of a box.
SharedCell face_of(const Schedule& schedule, Matrix x, const Box& box);

// All cells of a matrix; or those that one brick shares, by column and row. Bricks without voxels share none
// (unless nothing is multiplied at all: C must lie somewhere). O(cells) and O(cells of the brick), times the depth.
std::vector<SharedCell> cells_of(const Schedule& schedule, Matrix x);
std::vector<SharedCell> cells_of(const Schedule& schedule, Matrix x, int brick);
// The bricks whose faces contain an element.
std::vector<int> sharers_of(const Schedule& schedule, Matrix x, Index row, Index col);

// Cells are dealt among their sharers in slices of columns; of rows, where rounds cut the columns: then each sharer
// owns its part of every round.
bool sliced_by_rows(const Schedule& schedule, Matrix x);
comm::Partition slices_of(const Schedule& schedule, Matrix x, const SharedCell& cell);

// A rectangle of the stored matrix, column-major with leading dimension `rows` from `offset` on.
struct Piece {
  Index row = 0;
  Index col = 0;
  Index rows = 0;
  Index cols = 0;
  Index offset = 0;

  Index count() const { return rows * cols; }
};

// A cell that a brick shares, and its own slice of it: slices lie one after the other in its memory.
struct OwnCell {
  SharedCell cell;
  Piece mine;
};
std::vector<OwnCell> own_cells_of(const Schedule& schedule, Matrix x, int brick);

}  // namespace cairn::gemm
