// The local half: one cell of a triangle with the panels beside it.
#pragma once

#include <vector>

#include "symmetric/problem.hpp"

namespace cairn::symmetric {

// A cell: its indices in the matrix, and where its part of the panels starts.
struct CellIndices {
  std::vector<Index> rows, columns;     // in the matrix, increasing
  Index row_face = 0, column_face = 0;  // row of the panel where the rows (columns) of the cell begin
};

// Rows of a panel, column-major.
template <class T>
struct PanelMemory {
  T* data = nullptr;
  Index ld = 1;
};

// The triangle of the cell := keep cell + alpha X Y' (+ alpha' Y X' of a rank-2k update), X and Y the panels;
// nothing else of the cell is touched. keep is 0 or 1.
template <Scalar T>
void update_cell(const Problem& problem, const CellIndices& cell, Index k, T alpha,
                 const PanelMemory<const T>& x, const PanelMemory<const T>& y, T keep, T* at, Index ld);

// to += T from for the triangle T of which the cell is a part: from and to in the panels that the problem reads and
// writes. `from` and `to` have one row face and one column face each.
struct FacePair {
  Index row_face = 0, column_face = 0;
};
template <Scalar T>
void multiply_cell(const Problem& problem, const CellIndices& cell, const Way& way, const FacePair& written,
                   Index k, const T* at, Index ld, const PanelMemory<const T>& from,
                   const PanelMemory<T>& to);

// Operations of a cell.
double cell_flops(const Problem& problem, const CellIndices& cell, const Way& way, Index k);

}  // namespace cairn::symmetric
