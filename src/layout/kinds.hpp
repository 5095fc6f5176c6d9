// The layouts people have, by name, and their text form.
#pragma once

#include <span>
#include <string_view>

#include "layout/layout.hpp"

namespace cairn::layout {

// Blocks of mb x nb dealt round a mesh of process_rows x process_columns, the first to (row_source,
// column_source), as ScaLAPACK and many codes keep their matrices.
struct BlockCyclic {
  int process_rows = 1;
  int process_columns = 1;
  Index mb = 64;
  Index nb = 64;
  int row_source = 0;
  int column_source = 0;
  MeshOrder mesh_order = MeshOrder::column_major;
};
Layout block_cyclic(Index rows, Index columns, const BlockCyclic& how);

// The sub-matrix of m rows from row i and n columns from column j on (counted from 0) that a ScaLAPACK
// descriptor {type, context, M, N, MB, NB, RSRC, CSRC, LLD} describes on such a mesh. The local leading
// dimension is the matrix view's business.
Layout from_descriptor(std::span<const int> descriptor, int process_rows, int process_columns, Index i,
                       Index j, Index m, Index n, MeshOrder mesh_order = MeshOrder::row_major);

// Element (i, j) to process (i mod d0, j mod d1): [(0),(1)] of paper 003.
Layout elemental(Index rows, Index columns, int d0, int d1);
// Any distribution of paper 003 on any mesh, in its notation: "[(0),(1)]", "[(0,1),()]", "[(1,0),()]", ...
// `block` > 1 deals blocks instead of single elements.
Layout by_notation(Index rows, Index columns, std::string_view notation, const Mesh& mesh, Index block = 1);
// The mesh dimensions of "[(0,1),()]": {{0, 1}, {}}.
struct Notation {
  std::vector<int> rows, columns;
  std::string text() const;
  friend bool operator==(const Notation&, const Notation&) = default;
};
Notation parse_notation(std::string_view text);

// Contiguous rectangles, as even as possible.
Layout blocked(Index rows, Index columns, int process_rows, int process_columns);
// Row blocks of a C-order array; column blocks of a Fortran-order one.
Layout row_blocks(Index rows, Index columns, int ranks);
Layout column_blocks(Index rows, Index columns, int ranks);
Layout on_one_rank(Index rows, Index columns, int rank, Order order = Order::column_major);
Layout replicated(Index rows, Index columns, int ranks);

// The text form of a layout, for command lines and files:
//   block-cyclic 2x3 mb=64 nb=32 [rsrc=0] [csrc=0] [grid=row-major]
//   elemental 2x3 | blocked 2x3 | rows 4 | columns 4 | rank 0 | replicated 4
//   [(0,1),()] 2x3 [block=1]
//   cuts rows=0,10,30 columns=0,5,9         (a rectangle each, dealt down the columns)
// each with [order=row-major|column-major] [ranks=3,1,...]. Errors point at the word.
Layout parse_layout(std::string_view text, Index rows, Index columns);

}  // namespace cairn::layout
