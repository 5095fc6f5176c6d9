// Which rank holds which elements of a matrix, and where in its memory. A value: no data, no communicator.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cairn/export.hpp"
#include "cairn/shared.hpp"
#include "cairn/types.hpp"

namespace cairn {

namespace detail {
struct LayoutState;
}

// Blocks of mb x nb dealt round a grid of process_rows x process_columns, as ScaLAPACK keeps its matrices.
struct BlockCyclic {
  int process_rows = 1;
  int process_columns = 1;
  Index mb = 64;
  Index nb = 64;
  int row_source = 0;      // the process row that has the first block
  int column_source = 0;   // the process column that has it
  bool row_major = false;  // processes are numbered along the rows of the grid
  // Rows and columns of the first block where it differs from the others; 0: it does not.
  Index first_rows = 0;
  Index first_columns = 0;
};

// Rows first_row .. end_row - 1 and columns first_column .. end_column - 1 of a matrix, on one rank: its
// first element `offset` elements into that rank's memory, the next column (row, if row-major)
// leading_dimension elements on.
struct Rectangle {
  Index first_row = 0, end_row = 0;
  Index first_column = 0, end_column = 0;
  int owner = 0;
  Index offset = 0;
  Index leading_dimension = 1;
};

// Nothing here communicates. Every function throws ArgumentError for sizes below 0 and grids without ranks. A
// rank that the layout does not name holds nothing.
class CAIRN_EXPORT Layout {
 public:
  Layout();  // of a matrix without elements

  static Layout block_cyclic(Index rows, Index columns, const BlockCyclic& how);
  // Element (i, j) on process (i mod d0, j mod d1), processes numbered down the columns of the grid.
  static Layout elemental(Index rows, Index columns, int d0, int d1);
  // Contiguous rectangles as even as possible.
  static Layout blocked(Index rows, Index columns, int process_rows, int process_columns);
  // Consecutive rows, row after row in memory: a C array that is cut into `ranks` parts.
  static Layout row_blocks(Index rows, Index columns, int ranks);
  // Consecutive columns, column after column in memory: a Fortran array.
  static Layout column_blocks(Index rows, Index columns, int ranks);
  static Layout on_one_rank(Index rows, Index columns, int rank);
  // The whole matrix on each of the ranks. What is multiplied is read from one of them; a result is written
  // to all.
  static Layout replicated(Index rows, Index columns, int ranks);
  // Any rectangles that cover the matrix without overlap, and share no memory on a rank. Memory: O(cells that their edges cut it into).
  static Layout of_rectangles(Index rows, Index columns, std::span<const Rectangle> rectangles,
                              bool row_major = false);
  // What a ScaLAPACK descriptor {1, context, M, N, MB, NB, RSRC, CSRC, LLD} says, on the grid of its context,
  // which BLACS numbers along the rows. LLD is not part of a layout: give it to the Matrix.
  static Layout scalapack(std::span<const int> descriptor, int process_rows, int process_columns,
                          bool row_major_grid = true);
  // From text: `block-cyclic 2x3 mb=64 nb=32`, `elemental 2x3`, `blocked 2x3`, `rows 4`, `columns 4`, `rank
  // 0`, `replicated 4`, `[(0,1),()] 2x3`, `cuts rows=0,10,30 columns=0,5,9`, each with `order=row-major` and
  // `ranks=3,1,...` if wanted. The error names the wrong word.
  static Layout parse(std::string_view text, Index rows, Index columns);

  // Rows i .. i + rows - 1 and columns j .. j + columns - 1, in the same memory: a Matrix of it is given the
  // memory and the leading dimension of the whole. Not of rectangles.
  Layout sub_matrix(Index i, Index j, Index rows, Index columns) const;
  // The same with what rank r has on rank ranks[r]. Not of rectangles, nor of a Plan.
  Layout on_ranks(std::span<const int> ranks) const;

  Index rows() const;
  Index columns() const;
  bool is_native() const;  // made by a Plan: multiplied without a copy
  // Elements of memory that a rank needs, up to the last one that it holds, with this leading dimension (0:
  // the least).
  Index local_elements(int rank, Index leading_dimension = 0) const;
  // The rank that holds element (i, j); the first one of a replicated layout.
  int owner(Index i, Index j) const;
  std::string text() const;

  // The same elements at the same places.
  friend CAIRN_EXPORT bool operator==(const Layout& x, const Layout& y);

  // For the library's own use.
  explicit Layout(std::shared_ptr<const detail::LayoutState> state) : state_(std::move(state)) {}
  const detail::LayoutState& state() const { return *state_; }

 private:
  detail::Shared<const detail::LayoutState> state_;
};

}  // namespace cairn
