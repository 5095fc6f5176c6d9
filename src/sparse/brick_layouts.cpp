#include "sparse/brick_layouts.hpp"

#include <numeric>

namespace cairn::sparse {
namespace {

// outer x inner places, the inner ones fastest: place (o, p) adds o * step + inner_offset[p].
std::vector<int> offsets_of(int outer, int step, const std::vector<int>& inner_offset) {
  std::vector<int> all;
  for (int o = 0; o < outer; ++o)
    for (const int x : inner_offset) all.push_back(o * step + x);
  return all;
}

std::vector<int> multiples(int count, int step) {
  std::vector<int> all;
  for (int p = 0; p < count; ++p) all.push_back(p * step);
  return all;
}

int dealt_ranges(const SparseGrid& g) { return std::lcm(g.pm, g.pn); }

// The k dimension for a face that `shares` ranks of a layer have together: place l * shares + s.
Cut inner_cut(Index k, const SparseGrid& g, LayerOrder order, int shares, int share_step) {
  const std::vector<int> offsets = offsets_of(g.pk, g.pm * g.pn, multiples(shares, share_step));
  if (order == LayerOrder::contiguous) return Cut::at_ends(nested_ends(k, g.pk, shares), offsets);
  const int ranges = dealt_ranges(g);
  std::vector<int> places;
  for (int x = 0; x < ranges; ++x)
    for (int l = 0; l < g.pk; ++l) places.push_back(l * shares + x / (ranges / shares));
  return {nested_ends(k, ranges, g.pk), places, offsets};
}

// Ranges of k that `shares` ranks have in a dealt cut, over all layers, each cut into `parts`.
Cut home_inner(Index k, const SparseGrid& g, int shares, int share_step, const std::vector<int>& offsets) {
  const std::vector<Index> fine = nested_ends(k, dealt_ranges(g), 1);
  std::vector<Index> ends;
  const int each = dealt_ranges(g) / shares;
  for (int s = 1; s <= shares; ++s) ends.push_back(fine[static_cast<std::size_t>(s * each - 1)]);
  return Cut::at_ends(refine_ends(ends, static_cast<int>(offsets.size())),
                      offsets_of(shares, share_step, offsets));
}

std::vector<Index> face_row_ends(Index m, const SparseGrid& g, const FaceCut& face) {
  if (face.row_levels.empty()) return nested_ends(m, g.pm, face.row_parts);
  std::vector<Index> ends = nested_ends(m, g.pm, 1);
  for (const int factor : face.row_levels) ends = refine_ends(ends, factor);
  return ends;
}

// Offsets of the layers of the pieces in a column (row) of pieces; a layer is row part + row_parts * column
// part unless the face says otherwise, which it may for one column of pieces only.
std::vector<int> row_part_offsets(const SparseGrid& g, const FaceCut& face) {
  std::vector<int> all;
  for (int p = 0; p < face.row_parts; ++p) all.push_back(g.pm * g.pn * face.layer(p));
  return all;
}
std::vector<int> column_part_offsets(const SparseGrid& g, const FaceCut& face) {
  return multiples(face.column_parts, g.pm * g.pn * face.row_parts);
}

Cut face_rows(Index m, const SparseGrid& g, const FaceCut& face) {
  return Cut::at_ends(face_row_ends(m, g, face), offsets_of(g.pm, 1, row_part_offsets(g, face)));
}
Cut face_columns(Index n, const SparseGrid& g, const FaceCut& face) {
  return Cut::at_ends(nested_ends(n, g.pn, face.column_parts),
                      offsets_of(g.pn, g.pm, column_part_offsets(g, face)));
}

void check_grid(const SparseGrid& g, const FaceCut& face) {
  require(g.pm >= 1 && g.pn >= 1 && g.pk >= 1, "grid is [{}, {}, {}], expected 1 or more each", g.pm, g.pn,
          g.pk);
  require(face.row_parts * face.column_parts == g.pk, "C is shared by {} x {} layers, expected {}",
          face.row_parts, face.column_parts, g.pk);
}

}  // namespace

BrickSeat seat_in(const SparseGrid& g, int rank) {
  return {rank % g.pm, rank / g.pm % g.pn, rank / (g.pm * g.pn)};
}

FaceCut row_face(int layers) { return {layers, 1, {}, {}}; }

FaceCut square_face(int layers) {
  int rows = 1;
  for (int r = 1; r * r <= layers; ++r)
    if (layers % r == 0) rows = r;
  return {layers / rows, rows, {}, {}};
}

BrickLayouts brick_layouts(const ProductShape& shape, const SparseGrid& g, const FaceCut& face,
                           LayerOrder order) {
  check_grid(g, face);
  const auto text = [&](char matrix) { return fmt::format("{} of [{}, {}, {}]", matrix, g.pm, g.pn, g.pk); };
  BrickLayouts all;
  all.grid = g;
  all.face = face;
  all.inner = inner_cut(shape.k, g, order, 1, 0);
  all.a = {Cut::ranges(shape.m, multiples(g.pm, 1)), inner_cut(shape.k, g, order, g.pn, g.pm), text('A')};
  all.b = {inner_cut(shape.k, g, order, g.pm, 1), Cut::ranges(shape.n, multiples(g.pn, g.pm)), text('B')};
  all.c = {face_rows(shape.m, g, face), face_columns(shape.n, g, face), text('C')};
  return all;
}

HomeLayouts home_layouts(const ProductShape& shape, const SparseGrid& g, const FaceCut& face) {
  check_grid(g, face);
  const std::string text =
      fmt::format("2d {}x{} for {} layers", g.pm * face.row_parts, g.pn * face.column_parts, g.pk);
  return {
      {face_rows(shape.m, g, face), home_inner(shape.k, g, g.pn, g.pm, column_part_offsets(g, face)), text},
      {home_inner(shape.k, g, g.pm, 1, row_part_offsets(g, face)), face_columns(shape.n, g, face), text}};
}

}  // namespace cairn::sparse
