// A cell of a triangle in pieces that a BLAS can multiply: rectangles that lie wholly inside, and small ones
// that the diagonal cuts.
#pragma once

#include <span>

#include "base/size.hpp"
#include "cairn/types.hpp"

namespace cairn::symmetric {

// Rows first_row .. and columns first_column .. of a cell, counted in the cell.
struct TrianglePiece {
  Index first_row = 0, rows = 0;
  Index first_column = 0, columns = 0;
  bool whole = true;  // strictly inside the triangle; else the diagonal goes through, or touches
};

// Pieces that are cut are at most so long and wide.
inline constexpr Index cut_size = 64;

// f(TrianglePiece) for every piece with an element inside, in one order. rows and columns: the indices of the cell in the
// matrix, increasing. Halves the longer side, so that products stay near square.
template <class F>
void for_each_piece(Triangle triangle, std::span<const Index> rows, std::span<const Index> columns,
                    const F& f, const TrianglePiece& at) {
  if (at.rows == 0 || at.columns == 0) return;
  const auto index = [](std::span<const Index> list, Index i) { return list[static_cast<std::size_t>(i)]; };
  const Index top = index(rows, at.first_row), bottom = index(rows, at.first_row + at.rows - 1);
  const Index left = index(columns, at.first_column),
              right = index(columns, at.first_column + at.columns - 1);
  const bool lower = triangle == Triangle::lower;
  if (lower ? bottom < left : top > right) return;
  TrianglePiece piece = at;
  piece.whole = lower ? top > right : bottom < left;
  if (piece.whole || (at.rows <= cut_size && at.columns <= cut_size)) return f(piece);
  TrianglePiece first = at, second = at;
  if (at.rows >= at.columns) {
    first.rows = at.rows / 2;
    second.first_row += first.rows;
    second.rows -= first.rows;
  } else {
    first.columns = at.columns / 2;
    second.first_column += first.columns;
    second.columns -= first.columns;
  }
  for_each_piece(triangle, rows, columns, f, first);
  for_each_piece(triangle, rows, columns, f, second);
}

template <class F>
void for_each_piece(Triangle triangle, std::span<const Index> rows, std::span<const Index> columns,
                    const F& f) {
  for_each_piece(triangle, rows, columns, f, TrianglePiece{0, std::ssize(rows), 0, std::ssize(columns)});
}

}  // namespace cairn::symmetric
