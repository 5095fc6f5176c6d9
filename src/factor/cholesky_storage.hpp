// Where the tiles of one position lie in its memory. A cell (a, b) of the pattern is a triangle of tiles; it is
// kept in chunks of a few tile columns, each a dense block from its first row that is needed on, so that an
// update is one large product a chunk and little more than the triangle is stored. One rank alone has one chunk, the
// square.
#pragma once

#include <vector>

#include "factor/cholesky_shape.hpp"
#include "layout/layout.hpp"

namespace cairn::factor {

struct Chunk {
  int a = 0, b = 0;      // classes of its rows and columns
  int first_column = 0;  // tile; the next ones are r apart
  int columns = 0;       // tiles
  int first_row = 0;     // tile; all further ones of the class follow
  Index offset = 0;
  Index leading_dimension = 1;
};

class CholeskyStorage {
 public:
  // With a leading dimension: the tiles as they lie in somebody else's matrix, dealt to a square grid, whole columns of
  // this leading dimension.
  CholeskyStorage(const CholeskyShape& shape, int position, Index leading_dimension = 0);

  struct Spot {
    Index offset = 0;
    Index leading_dimension = 1;
  };
  Spot spot(int i, int j) const;  // of a tile that the position has
  const std::vector<Chunk>& chunks() const noexcept { return chunks_; }
  const Chunk& chunk_of(int a, int j) const;  // the one that has tiles of class a in tile column j
  Index elements() const noexcept { return elements_; }
  // Row classes a of the cells (a, b) that the position has.
  const std::vector<int>& rows_beside(int b) const { return beside_[static_cast<std::size_t>(b)]; }

 private:
  const CholeskyShape& shape_;
  int per_chunk_;  // tile columns
  std::vector<Chunk> chunks_;
  std::vector<std::vector<int>> beside_;
  std::vector<int> first_chunk_;  // by a * r + b; -1: not here
  Index elements_ = 0;
};

// The lower triangle as it is stored, column k on the layer that applies step k. What is above the tiles of the
// diagonal is nobody's.
layout::Layout cholesky_layout(const CholeskyShape& shape);

}  // namespace cairn::factor
