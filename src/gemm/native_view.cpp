#include "gemm/native_view.hpp"

namespace cairn::gemm {
namespace {

using layout::Axis;
using layout::IndexMap;
using layout::Rectangle;

struct Axes {
  Dim row, col, along;
};

// Columns belong to (part of the column's dimension, slice): the slices of all rounds, from left to right.
Axis column_axis(const NativeLayout& native, const Axes& axes) {
  const Grid& grid = native.grid();
  const int parts = grid.extent(axes.col), slices = grid.extent(axes.along);
  std::vector<Index> cuts{0};
  std::vector<int> owners;
  for (int part = 0; part < parts; ++part)
    for (Index round = 0; round < native.rounds(); ++round)
      for (int slice = 0; slice < slices; ++slice) {
        const Coordinates at = Coordinates{}.with(axes.col, part).with(axes.along, slice);
        cuts.push_back(cuts.back() + native.piece(at, round).cols);
        owners.push_back(part + parts * slice);
      }
  return {IndexMap::of_intervals(cuts, owners, parts * slices),
          {static_cast<int>(index(axes.col)), static_cast<int>(index(axes.along))}};
}

std::vector<Rectangle> rectangles(const NativeLayout& native, Index ranks) {
  std::vector<Rectangle> all;
  for (int rank = 0; rank < ranks; ++rank)
    for (const Piece& p : native.pieces(rank))
      if (p.count() > 0)
        all.push_back({.first_row = p.row,
                       .end_row = p.row + p.rows,
                       .first_column = p.col,
                       .end_column = p.col + p.cols,
                       .owners = {rank},
                       .offset = p.offset,
                       .leading_dimension = p.rows});
  return all;
}

}  // namespace

layout::Layout general_layout(const Schedule& s, Matrix matrix) {
  const NativeLayout native(s, matrix);
  const Axes axes{row_dim(s.problem, matrix), col_dim(s.problem, matrix), missing(matrix)};
  const bool rows_cut = s.rounds.count > 1 && s.rounds.along == axes.row;
  if ((rows_cut || s.tree) && native.rows() > 0 && native.cols() > 0)
    return layout::Layout::of_rectangles(native.rows(), native.cols(), rectangles(native, bricks_of(s)));
  const Axis rows{IndexMap::balanced(native.rows(), s.grid.extent(axes.row)),
                  {static_cast<int>(index(axes.row))}};
  return layout::Layout::on_mesh(layout::Mesh({s.grid.pm, s.grid.pn, s.grid.pk}), rows,
                                 column_axis(native, axes));
}

}  // namespace cairn::gemm
