// Distributed matrices: a layout and memory.
#ifndef CAIRN_C_MATRIX_H
#define CAIRN_C_MATRIX_H

#include "cairn/c/base.h"

CAIRN_C_BEGIN

// Collective. Memory of its own, all zeros.
CAIRN_C_EXPORT cairn_status cairn_matrix_create(cairn_context_t context, cairn_scalar type,
                                                cairn_layout_t layout, cairn_matrix_t* matrix);
// Collective. The caller's memory, `elements` long on this rank, which must outlive the matrix. Leading dimension
// 0: the least possible.
CAIRN_C_EXPORT cairn_status cairn_matrix_wrap(cairn_context_t context, cairn_scalar type,
                                              cairn_layout_t layout, void* memory, int64_t elements,
                                              int64_t leading_dimension, cairn_matrix_t* matrix);
CAIRN_C_EXPORT cairn_status cairn_matrix_shape(cairn_matrix_t matrix, int64_t* rows, int64_t* columns);
CAIRN_C_EXPORT cairn_status cairn_matrix_type(cairn_matrix_t matrix, cairn_scalar* type);
CAIRN_C_EXPORT cairn_status cairn_matrix_layout(cairn_matrix_t matrix,
                                                cairn_layout_t* layout);  // a new handle
CAIRN_C_EXPORT cairn_status cairn_matrix_context(cairn_matrix_t matrix,
                                                 cairn_context_t* context);  // likewise
// Local. This rank's memory in the order of the layout.
CAIRN_C_EXPORT cairn_status cairn_matrix_local(cairn_matrix_t matrix, void** memory, int64_t* elements,
                                               int64_t* leading_dimension);
// Local. f(i, j, address of the element, user) for every element of this rank, places counted in the whole matrix.
typedef void (*cairn_element_function)(int64_t i, int64_t j, void* element, void* user);
CAIRN_C_EXPORT cairn_status cairn_matrix_for_each(cairn_matrix_t matrix, cairn_element_function f,
                                                  void* user);
// Local. f for strips of columns: `count` elements from (row, column) on, each `stride` elements after the last.
typedef void (*cairn_strip_function)(int64_t row, int64_t column, int64_t count, void* first, int64_t stride,
                                     void* user);
CAIRN_C_EXPORT cairn_status cairn_matrix_for_each_strip(cairn_matrix_t matrix, cairn_strip_function f,
                                                        void* user);
// Collective. The whole matrix on one rank, column after column: rows * columns elements there, elsewhere `whole`
// is not looked at.
CAIRN_C_EXPORT cairn_status cairn_matrix_gather(cairn_matrix_t matrix, int root, void* whole);
// Collective. One element, on every rank.
CAIRN_C_EXPORT cairn_status cairn_matrix_at(cairn_matrix_t matrix, int64_t i, int64_t j, void* value);
CAIRN_C_EXPORT cairn_status cairn_matrix_free(cairn_matrix_t* matrix);

// Collective. Y := alpha op(X) + beta Y, from any layout to any other.
CAIRN_C_EXPORT cairn_status cairn_redistribute(const void* alpha, cairn_op op, cairn_matrix_t x,
                                               const void* beta, cairn_matrix_t y);

CAIRN_C_END

#endif
