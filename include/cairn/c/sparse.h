// Sparse matrices and their products.
#ifndef CAIRN_C_SPARSE_H
#define CAIRN_C_SPARSE_H

#include "cairn/c/base.h"

CAIRN_C_BEGIN

// Collective. `count` entries on this rank, any entries on any rank; duplicates are summed.
// Layouts: "rows" (NULL), "columns", "2d PRxPC", "on R".
CAIRN_C_EXPORT cairn_status cairn_sparse_create(cairn_context_t context, cairn_scalar type, int64_t rows,
                                                int64_t columns, int64_t count, const int64_t* entry_rows,
                                                const int64_t* entry_columns, const void* values,
                                                const char* layout, cairn_sparse_t* sparse);
CAIRN_C_EXPORT cairn_status cairn_sparse_shape(cairn_sparse_t sparse, int64_t* rows, int64_t* columns);
CAIRN_C_EXPORT cairn_status cairn_sparse_type(cairn_sparse_t sparse, cairn_scalar* type);
CAIRN_C_EXPORT cairn_status cairn_sparse_layout(cairn_sparse_t sparse, char* buffer, size_t size,
                                                size_t* length);
// Of this rank; collective: of all ranks.
CAIRN_C_EXPORT cairn_status cairn_sparse_local_entries(cairn_sparse_t sparse, int64_t* count);
CAIRN_C_EXPORT cairn_status cairn_sparse_entries(cairn_sparse_t sparse, int64_t* count);
// Local. This rank's entries, row after row, into arrays of cairn_sparse_local_entries elements.
CAIRN_C_EXPORT cairn_status cairn_sparse_local(cairn_sparse_t sparse, int64_t* entry_rows,
                                               int64_t* entry_columns, void* values);
// Collective. All entries on one rank, into arrays of cairn_sparse_entries elements; elsewhere they are not looked
// at.
CAIRN_C_EXPORT cairn_status cairn_sparse_gather(cairn_sparse_t sparse, int root, int64_t* entry_rows,
                                                int64_t* entry_columns, void* values);
// Collective. The same matrix in another layout.
CAIRN_C_EXPORT cairn_status cairn_sparse_in_layout(cairn_sparse_t sparse, const char* layout,
                                                   cairn_sparse_t* result);
// Local.
CAIRN_C_EXPORT cairn_status cairn_sparse_transposed(cairn_sparse_t sparse, cairn_sparse_t* result);
// How the product that made this matrix was done and why; empty for others.
CAIRN_C_EXPORT cairn_status cairn_sparse_explain(cairn_sparse_t sparse, char* buffer, size_t size,
                                                 size_t* length);
CAIRN_C_EXPORT cairn_status cairn_sparse_free(cairn_sparse_t* sparse);

// Local. The conjugate transpose; entries whose absolute value is above a threshold.
CAIRN_C_EXPORT cairn_status cairn_sparse_adjoint(cairn_sparse_t sparse, cairn_sparse_t* result);
CAIRN_C_EXPORT cairn_status cairn_sparse_prune(cairn_sparse_t sparse, double threshold,
                                               cairn_sparse_t* result);
// Collective. Entry (r, c) of the result is entry (rows[r], columns[c]), counted from 0: any order, also twice; the same
// lists on every rank.
CAIRN_C_EXPORT cairn_status cairn_sparse_extract(cairn_sparse_t sparse, const int64_t* rows,
                                                 int64_t row_count, const int64_t* columns,
                                                 int64_t column_count, cairn_sparse_t* result);
// Collective. Entry (i, j) goes to (new_row[i], new_column[j]): permutations, the same on every rank; NULL changes
// nothing. Shuffled: by random ones that follow from the seed and the sizes alone; back: those undone.
CAIRN_C_EXPORT cairn_status cairn_sparse_permuted(cairn_sparse_t sparse, const int64_t* new_row,
                                                  const int64_t* new_column, cairn_sparse_t* result);
CAIRN_C_EXPORT cairn_status cairn_sparse_shuffled(cairn_sparse_t sparse, int64_t seed, int back,
                                                  cairn_sparse_t* result);
// Collective. Entries of either matrix, those of both added up; entries of both, multiplied: by the semiring's + and *.
CAIRN_C_EXPORT cairn_status cairn_sparse_add(cairn_sparse_t a, cairn_sparse_t b, cairn_semiring semiring,
                                             cairn_sparse_t* result);
CAIRN_C_EXPORT cairn_status cairn_sparse_multiply_elements(cairn_sparse_t a, cairn_sparse_t b,
                                                           cairn_semiring semiring, cairn_sparse_t* result);
// Collective. Sums of rows, or of columns, by the semiring's addition, cut as cairn_dense_rows says.
CAIRN_C_EXPORT cairn_status cairn_sparse_sums(cairn_sparse_t sparse, int of_columns, cairn_semiring semiring,
                                              void* sums);

// What a product has learnt of its patterns: later products of the same patterns send values alone.
CAIRN_C_EXPORT cairn_status cairn_pattern_create(cairn_scalar type, cairn_pattern_t* pattern);
CAIRN_C_EXPORT cairn_status cairn_pattern_known(cairn_pattern_t pattern, int* known);
CAIRN_C_EXPORT cairn_status cairn_pattern_free(cairn_pattern_t* pattern);

typedef struct cairn_spgemm_options {
  size_t struct_size;
  const char* algorithm;  // NULL: auto
  cairn_semiring semiring;
  int layers;
  int least_time;  // auto: least time; 0: fewest bytes
  int verify;
  int threads;           // 0: 1
  int64_t memory_bytes;  // most a rank may hold, expected
} cairn_spgemm_options;

typedef struct cairn_spgemm_report {
  size_t struct_size;
  char method[128];
  int64_t bytes_sent, bytes_received, messages_sent, messages_received;  // of this rank
  int64_t bytes_around;                                                  // to plan, to convert, to check
  int64_t entries_received;
  double expected_bytes, bound_entries;
  int64_t voxels;
} cairn_spgemm_report;

// Collective. C = A B over a semiring. `pattern` and `report` may be NULL.
CAIRN_C_EXPORT cairn_status cairn_spgemm(cairn_sparse_t a, cairn_sparse_t b,
                                         const cairn_spgemm_options* options, cairn_pattern_t pattern,
                                         cairn_sparse_t* c, cairn_spgemm_report* report);
// Collective. Only entries of C where the mask has one (complement: has none) are computed.
CAIRN_C_EXPORT cairn_status cairn_spgemm_masked(cairn_sparse_t a, cairn_sparse_t b, cairn_sparse_t mask,
                                                int complement, const cairn_spgemm_options* options,
                                                cairn_sparse_t* c, cairn_spgemm_report* report);
// Collective. P^H A P; A to the power of `exponent`, 0 or more. `report` may be NULL.
CAIRN_C_EXPORT cairn_status cairn_galerkin(cairn_sparse_t a, cairn_sparse_t p,
                                           const cairn_spgemm_options* options, cairn_sparse_t* c,
                                           cairn_spgemm_report* report);
CAIRN_C_EXPORT cairn_status cairn_power(cairn_sparse_t a, int64_t exponent,
                                        const cairn_spgemm_options* options, cairn_sparse_t* c,
                                        cairn_spgemm_report* report);
// Local. The rows of a dense matrix beside sparse ones that this rank has.
CAIRN_C_EXPORT cairn_status cairn_dense_rows(cairn_context_t context, int64_t length, int64_t* first,
                                             int64_t* count);
// Collective. Y = A X with X dense, `width` columns wide, rows cut as cairn_dense_rows says, row after row in memory.
CAIRN_C_EXPORT cairn_status cairn_spmm(cairn_sparse_t a, const void* x, int64_t width,
                                       cairn_semiring semiring, void* y);

CAIRN_C_END

#endif
