#include "factor/cholesky_storage.hpp"

#include <algorithm>

#include "factor/tiles.hpp"

namespace cairn::factor {
namespace {

// Chunks of at most so many tile columns waste at most a quarter of the triangle, and eight make a product
// that is wide enough.
int columns_per_chunk(const CholeskyShape& s) {
  if (s.is_whole()) return std::max(1, s.tiles());  // one square
  const int across = s.tiles() / s.classes();
  return std::clamp(across / 4, 1, static_cast<int>(std::max<Index>(1, 512 / s.step())));
}

layout::IndexMap tile_map(const CholeskyShape& s) {
  std::vector<Index> cuts;
  for (int i = 0; i < s.tiles(); ++i) cuts.push_back(s.start(i));
  cuts.push_back(s.order());
  return s.tiles() == 0 ? layout::IndexMap::whole(0) : layout::IndexMap::of_cuts(cuts);
}

}  // namespace

CholeskyStorage::CholeskyStorage(const CholeskyShape& shape, int position, Index leading_dimension)
    : shape_(shape), per_chunk_(columns_per_chunk(shape)) {
  const int r = shape.classes(), nt = shape.tiles();
  beside_.resize(at_index(r));
  first_chunk_.assign(at_index(r * r), -1);
  for (int b = 0; b < r; ++b)
    for (int a = 0; a < r; ++a) {
      if (shape.cells().at(a, b) != position) continue;
      beside_[at_index(b)].push_back(a);
      first_chunk_[at_index(a * r + b)] = static_cast<int>(chunks_.size());
      for (int j = b; j < nt; j += per_chunk_ * r) {
        Chunk c{.a = a,
                .b = b,
                .first_column = j,
                .columns = std::min(per_chunk_, (nt - 1 - j) / r + 1),
                .first_row = shape.first_tile(a, j),
                .offset = elements_};
        const Index width = (c.columns - 1) * shape.step() + shape.width(j + (c.columns - 1) * r);
        if (leading_dimension > 0) {
          c.leading_dimension = leading_dimension;
          c.offset = (c.first_row / r + c.first_column / r * leading_dimension) * shape.step();
        } else {
          c.leading_dimension = leading_dimension_of(shape.class_rows(a, j));
        }
        elements_ += c.leading_dimension * width;
        chunks_.push_back(c);
      }
    }
}

const Chunk& CholeskyStorage::chunk_of(int a, int j) const {
  const int r = shape_.classes();
  return chunks_[at_index(first_chunk_[at_index(a * r + j % r)] + j / r / per_chunk_)];
}

CholeskyStorage::Spot CholeskyStorage::spot(int i, int j) const {
  const int r = shape_.classes();
  const Chunk& c = chunk_of(i % r, j);
  const Index row = (i - c.first_row) / r * shape_.step(), column = (j - c.first_column) / r * shape_.step();
  return {c.offset + row + column * c.leading_dimension, c.leading_dimension};
}

layout::Layout cholesky_layout(const CholeskyShape& s) {
  if (s.tiles() == 0) return {};
  std::vector<CholeskyStorage> stored;
  for (int q = 0; q < s.positions(); ++q) stored.emplace_back(s, q);
  std::vector<layout::PartCell> cells;
  for (int j = 0; j < s.tiles(); ++j)
    for (int i = 0; i < s.tiles(); ++i) {
      if (i < j) {
        cells.push_back({});
        continue;
      }
      const CholeskyStorage::Spot spot = stored[at_index(s.owner(i, j))].spot(i, j);
      cells.push_back({s.rank(s.layer(j), s.owner(i, j)), spot.offset, spot.leading_dimension});
    }
  return layout::Layout::of_parts(tile_map(s), tile_map(s), cells);
}

}  // namespace cairn::factor
