#include "gemm/fast/dealt.hpp"

#include <algorithm>

#include "comm/partition.hpp"

namespace cairn::gemm::fast {
namespace {

using comm::Partition;

Dim dim_of_rows(Matrix x) { return x == Matrix::b ? Dim::k : Dim::m; }
Dim dim_of_columns(Matrix x) { return x == Matrix::a ? Dim::k : Dim::n; }

}  // namespace

Dealt::Dealt(FastSchedule schedule) : schedule_(std::move(schedule)) {
  for (const FastStep& s : schedule_.steps) {
    for (const Dim d : all_dims)
      parts_[index(d)] = checked_mul(parts_[index(d)], s.algorithm->parts(d), "parts of a dimension");
    if (s.kind == StepKind::bfs)
      all_slabs_ = narrow<int>(checked_mul(all_slabs_, s.algorithm->rank(), "slabs"), "slabs");
  }
  for (const Dim d : all_dims) leaf_[index(d)] = ceil_div(schedule_.problem.size(d), parts_[index(d)]);
}

Dealt::Position Dealt::position(int rank) const {
  Position p;
  auto below = narrow<int>(schedule_.ranks(), "ranks of a fast schedule");
  for (const FastStep& s : schedule_.steps)
    if (s.kind == StepKind::bfs) {
      below /= s.algorithm->rank();
      p.turns.push_back(rank / below);
      rank %= below;
    }
  p.base = rank;
  return p;
}

int Dealt::rank_of(const Position& p) const {
  int rank = 0;
  std::size_t turn = 0;
  for (const FastStep& s : schedule_.steps)
    if (s.kind == StepKind::bfs) rank = rank * s.algorithm->rank() + p.turns[turn++];
  return rank * static_cast<int>(schedule_.base.ranks()) + p.base;
}

bool Dealt::is_padded() const {
  for (const Dim d : all_dims)
    if (leaf(d) * parts_[index(d)] != schedule_.problem.size(d)) return true;
  return false;
}

Index Dealt::leaves(Matrix x, std::size_t step) const {
  Index count = 1;
  for (std::size_t s = step; s < schedule_.steps.size(); ++s)
    count *= schedule_.steps[s].algorithm->blocks(x);
  return count;
}

// The native layout: a slice of the columns of the face for each rank along the dimension it misses.
LeafPiece Dealt::piece(Matrix x, int base) const {
  const Grid& grid = schedule_.base;
  const Coordinates at = coordinates(grid, base);
  const Dim rows = dim_of_rows(x), columns = dim_of_columns(x), across = missing(x);
  const Partition row_parts = Partition::balanced(grid.extent(rows), leaf(rows));
  const Partition column_parts = Partition::balanced(grid.extent(columns), leaf(columns));
  const Partition slices = Partition::balanced(grid.extent(across), column_parts.count(at[columns]));
  return {row_parts.offset(at[rows]), column_parts.offset(at[columns]) + slices.offset(at[across]),
          row_parts.count(at[rows]), slices.count(at[across])};
}

// The turn at the first BFS step is the fastest digit of a slab's number: its ranks join neighbours.
Dealt::Slabs Dealt::slabs(const Position& p, int joined) const {
  int count = 1, weight = 1, first = 0, turn = 0;
  for (const FastStep& s : schedule_.steps) {
    if (s.kind != StepKind::bfs) continue;
    if (turn < joined)
      count *= s.algorithm->rank();
    else
      first += p.turns[static_cast<std::size_t>(turn)] * weight;
    weight *= s.algorithm->rank();
    ++turn;
  }
  return {first, count};
}

Index Dealt::slab_columns(Matrix x, int base, int slab) const {
  return Partition::balanced(all_slabs_, piece(x, base).columns).count(slab);
}

Index Dealt::share(Matrix x, int rank) const {
  if (rank >= schedule_.ranks()) return 0;
  const Position p = position(rank);
  return leaves(x, 0) * slab_elements(x, p.base, slabs(p, 0).first);
}

Index Dealt::leaf_number(Matrix x, Index row, Index column) const {
  Index rows = parts_[index(dim_of_rows(x))], columns = parts_[index(dim_of_columns(x))], number = 0;
  for (const FastStep& s : schedule_.steps) {
    rows /= s.algorithm->rows(x);
    columns /= s.algorithm->columns(x);
    number = number * s.algorithm->blocks(x) + row / rows * s.algorithm->columns(x) + column / columns;
    row %= rows;
    column %= columns;
  }
  return number;
}

layout::Layout Dealt::layout(Matrix x) const {
  const Index all_rows = schedule_.problem.size(dim_of_rows(x)),
              all_columns = schedule_.problem.size(dim_of_columns(x));
  std::vector<layout::Rectangle> rectangles;
  for (int rank = 0; rank < schedule_.ranks(); ++rank) {
    const Position at = position(rank);
    const LeafPiece piece = this->piece(x, at.base);
    const int slab = slabs(at, 0).first;
    const Partition cuts = Partition::balanced(all_slabs_, piece.columns);
    for (Index i = 0; i < parts_[index(dim_of_rows(x))]; ++i)
      for (Index j = 0; j < parts_[index(dim_of_columns(x))]; ++j) {
        const Index row = i * leaf_rows(x) + piece.row;
        const Index column = j * leaf_columns(x) + piece.column + cuts.offset(slab);
        layout::Rectangle r{.first_row = row,
                            .end_row = std::min(all_rows, row + piece.rows),
                            .first_column = column,
                            .end_column = std::min(all_columns, column + cuts.count(slab)),
                            .owners = {rank},
                            .offset = leaf_number(x, i, j) * piece.rows * cuts.count(slab),
                            .leading_dimension = piece.rows};
        if (r.first_row < r.end_row && r.first_column < r.end_column) rectangles.push_back(std::move(r));
      }
  }
  return layout::Layout::of_rectangles(all_rows, all_columns, rectangles);
}

}  // namespace cairn::gemm::fast
