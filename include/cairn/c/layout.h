// Layouts: which rank has which part of a matrix, and where in its memory. All local.
#ifndef CAIRN_C_LAYOUT_H
#define CAIRN_C_LAYOUT_H

#include "cairn/c/base.h"

CAIRN_C_BEGIN

// Blocks of mb x nb dealt round a grid of processes, as ScaLAPACK keeps its matrices.
typedef struct cairn_block_cyclic {
  int process_rows, process_columns;
  int64_t mb, nb;
  int row_source, column_source;  // the process that has the first block
  int row_major;                  // processes are numbered along the rows of the grid
} cairn_block_cyclic;

// Rows first_row .. end_row - 1 and columns first_column .. end_column - 1, on one rank, its first element
// `offset` elements into that rank's memory.
typedef struct cairn_rectangle {
  int64_t first_row, end_row;
  int64_t first_column, end_column;
  int64_t offset, leading_dimension;
  int owner;
} cairn_rectangle;

CAIRN_C_EXPORT cairn_status cairn_layout_block_cyclic(int64_t rows, int64_t columns,
                                                      const cairn_block_cyclic* how, cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_elemental(int64_t rows, int64_t columns, int d0, int d1,
                                                   cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_blocked(int64_t rows, int64_t columns, int process_rows,
                                                 int process_columns, cairn_layout_t* layout);
// A C array that is cut into blocks of rows; a Fortran array that is cut into blocks of columns.
CAIRN_C_EXPORT cairn_status cairn_layout_row_blocks(int64_t rows, int64_t columns, int ranks,
                                                    cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_column_blocks(int64_t rows, int64_t columns, int ranks,
                                                       cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_on_one_rank(int64_t rows, int64_t columns, int rank,
                                                     cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_replicated(int64_t rows, int64_t columns, int ranks,
                                                    cairn_layout_t* layout);
// Any rectangles that cover the matrix without overlap.
CAIRN_C_EXPORT cairn_status cairn_layout_of_rectangles(int64_t rows, int64_t columns, int64_t count,
                                                       const cairn_rectangle* rectangles, int row_major,
                                                       cairn_layout_t* layout);
// What a ScaLAPACK descriptor {1, context, M, N, MB, NB, RSRC, CSRC, LLD} says, on the grid of its context.
CAIRN_C_EXPORT cairn_status cairn_layout_scalapack(const int* descriptor, int process_rows,
                                                   int process_columns, int row_major_grid,
                                                   cairn_layout_t* layout);
// "block-cyclic 2x3 mb=64 nb=32", "rows 4", ...: all that `cairn layout --help` lists.
CAIRN_C_EXPORT cairn_status cairn_layout_parse(const char* text, int64_t rows, int64_t columns,
                                               cairn_layout_t* layout);
// Part of a matrix in the memory of the whole.
CAIRN_C_EXPORT cairn_status cairn_layout_sub_matrix(cairn_layout_t whole, int64_t i, int64_t j, int64_t rows,
                                                    int64_t columns, cairn_layout_t* part);

CAIRN_C_EXPORT cairn_status cairn_layout_shape(cairn_layout_t layout, int64_t* rows, int64_t* columns);
CAIRN_C_EXPORT cairn_status cairn_layout_is_native(cairn_layout_t layout, int* native);
// Elements of memory that a rank needs; leading dimension 0: the least.
CAIRN_C_EXPORT cairn_status cairn_layout_local_elements(cairn_layout_t layout, int rank,
                                                        int64_t leading_dimension, int64_t* elements);
CAIRN_C_EXPORT cairn_status cairn_layout_owner(cairn_layout_t layout, int64_t i, int64_t j, int* rank);
CAIRN_C_EXPORT cairn_status cairn_layout_text(cairn_layout_t layout, char* buffer, size_t size,
                                              size_t* length);
CAIRN_C_EXPORT cairn_status cairn_layout_equal(cairn_layout_t x, cairn_layout_t y, int* equal);
CAIRN_C_EXPORT cairn_status cairn_layout_free(cairn_layout_t* layout);

CAIRN_C_END

#endif
