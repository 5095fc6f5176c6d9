#include "gemm/to_layout.hpp"

namespace cairn::gemm {
namespace {

using layout::Layout;

// Columns are cut by the parts of their dimension, and each part by the slices of the fibre: on the mesh the
// position in the fibre runs fastest.
std::vector<Index> column_cuts(const NativeLayout& native, const Schedule& s, Matrix x) {
  const Dim col = col_dim(s.problem, x), along = missing(x);
  std::vector<Index> cuts{0};
  for (int part = 0; part < s.grid.extent(col); ++part)
    for (int slice = 0; slice < s.grid.extent(along); ++slice) {
      const Piece piece = native.piece(Coordinates{}.with(col, part).with(along, slice), 0);
      cuts.push_back(piece.col + piece.cols);
    }
  return cuts;
}

Layout on_mesh(const NativeLayout& native, const Schedule& s, Matrix x) {
  const Dim row = row_dim(s.problem, x), col = col_dim(s.problem, x);
  const auto number = [](Dim d) { return static_cast<int>(index(d)); };
  return Layout::on_mesh(
      layout::Mesh({s.grid.pm, s.grid.pn, s.grid.pk}),
      {layout::IndexMap::balanced(native.rows(), s.grid.extent(row)), {number(row)}},
      {layout::IndexMap::of_cuts(column_cuts(native, s, x)), {number(missing(x)), number(col)}});
}

Layout of_pieces(const NativeLayout& native, const Schedule& s) {
  std::vector<layout::Rectangle> rectangles;
  for (int rank = 0; rank < s.grid.ranks(); ++rank)
    for (Index r = 0; r < native.rounds(); ++r) {
      const Piece p = native.piece(coordinates(s.grid, rank), r);
      if (p.count() > 0)
        rectangles.push_back({p.row, p.row + p.rows, p.col, p.col + p.cols, {rank}, p.offset, p.rows});
    }
  return Layout::of_rectangles(native.rows(), native.cols(), rectangles);
}

}  // namespace

Layout to_layout(const Schedule& s, Matrix x) {
  Schedule schedule = s;
  const NativeLayout native(s, x);
  if (native.rounds() > 1 && native.rows() > 0 && native.cols() > 0) return of_pieces(native, s);
  schedule.rounds = {};
  return on_mesh(NativeLayout(schedule, x), schedule, x);
}

}  // namespace cairn::gemm
