#include "gemm/native.hpp"

namespace cairn::gemm {

using comm::Partition;

NativeLayout::NativeLayout(const Schedule& s, Matrix matrix)
    : problem_(s.problem),
      grid_(s.grid),
      tree_(s.tree),
      rounds_(matrix == Matrix::c && s.combines > 1 ? Rounds{Dim::n, s.combines} : s.rounds),
      matrix_(matrix),
      row_(row_dim(s.problem, matrix)),
      col_(col_dim(s.problem, matrix)),
      along_(missing(matrix)) {}

// The indices of dimension d that a position of the grid has in one round.
NativeLayout::Range NativeLayout::range(Dim d, int position, Index round) const {
  const Partition all = parts(d);
  const Range part{all.offset(position), all.count(position)};
  if (!cut_by(d)) return part;
  const Partition cut = Partition::balanced(static_cast<int>(rounds_.count), part.length);
  const int r = static_cast<int>(round);
  return {part.begin + cut.offset(r), cut.count(r)};
}

Piece NativeLayout::face(const Coordinates& at, Index round) const {
  const Range rows = range(row_, at[row_], round), cols = range(col_, at[col_], round);
  return {rows.begin, cols.begin, rows.length, cols.length, 0};
}

Partition NativeLayout::slices(const Coordinates& at, Index round) const {
  const Piece whole = face(at, round);
  return Partition::balanced(grid_.extent(along_), whole.cols, whole.rows);
}

// Columns of this rank in the rounds before this one, where rounds cut the columns. Rounds differ by at most
// one column, the longer ones first.
Index NativeLayout::columns_before(const Coordinates& at, Index round) const {
  const Index length = parts(col_).count(at[col_]);
  const Index shorter = length / rounds_.count, longer = std::min(round, length % rounds_.count);
  const auto mine = [&](Index columns) {
    return Partition::balanced(grid_.extent(along_), columns).count(at[along_]);
  };
  return longer * mine(shorter + 1) + (round - longer) * mine(shorter);
}

Piece NativeLayout::piece(const Coordinates& at, Index round) const {
  const Piece whole = face(at, round);
  const Partition slices = Partition::balanced(grid_.extent(along_), whole.cols);
  const int me = at[along_];
  Piece mine{whole.row, whole.col + slices.offset(me), whole.rows, slices.count(me), 0};
  if (cut_by(row_)) mine.offset = (whole.row - parts(row_).offset(at[row_])) * mine.cols;
  if (cut_by(col_)) mine.offset = whole.rows * columns_before(at, round);
  return mine;
}

Index NativeLayout::local_count(const Coordinates& at) const {
  const Piece last = piece(at, rounds() - 1);
  return last.offset + last.count();
}

Index NativeLayout::local_count(int rank) const {
  if (on_tree()) {
    const std::vector<Piece> all = pieces(rank);
    return all.empty() ? 0 : all.back().offset + all.back().count();
  }
  return rank < grid_.ranks() ? local_count(coordinates(grid_, rank)) : 0;
}

std::vector<Piece> NativeLayout::pieces(int rank) const {
  std::vector<Piece> all;
  if (on_tree()) {
    for (const OwnCell& own : own_cells_of(tree_schedule(), matrix_, rank)) all.push_back(own.mine);
  } else if (rank < grid_.ranks()) {
    for (Index r = 0; r < rounds(); ++r) all.push_back(piece(coordinates(grid_, rank), r));
  }
  return all;
}

NativeLayout::Owner NativeLayout::owner_in_tree(Index row, Index col) const {
  const auto holds = [&](const Piece& p) {
    return row >= p.row && row < p.row + p.rows && col >= p.col && col < p.col + p.cols;
  };
  for (const int rank : sharers_of(tree_schedule(), matrix_, row, col))
    for (const Piece& p : pieces(rank))
      if (holds(p)) return {rank, p.offset + (row - p.row) + (col - p.col) * p.rows};
  fail("element ({}, {}) has no owner", row, col);
}

NativeLayout::Owner NativeLayout::owner(Index row, Index col) const {
  if (on_tree()) return owner_in_tree(row, col);
  Coordinates at;
  at.at[index(row_)] = parts(row_).block_of(row);
  at.at[index(col_)] = parts(col_).block_of(col);
  Index round = 0;
  for (const auto& [d, x] : {std::pair(row_, row), std::pair(col_, col)}) {
    if (!cut_by(d)) continue;
    const Partition all = parts(d);
    const Partition cut = Partition::balanced(static_cast<int>(rounds_.count), all.count(at[d]));
    round = cut.block_of(x - all.offset(at[d]));
  }
  const Piece whole = face(at, round);
  at.at[index(along_)] = Partition::balanced(grid_.extent(along_), whole.cols).block_of(col - whole.col);
  const Piece mine = piece(at, round);
  return {rank_at(grid_, at), mine.offset + (row - mine.row) + (col - mine.col) * mine.rows};
}

}  // namespace cairn::gemm
