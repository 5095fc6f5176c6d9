// Products with triangles, symmetric and Hermitian matrices.
#ifndef CAIRN_C_SYMMETRIC_H
#define CAIRN_C_SYMMETRIC_H

#include "cairn/c/multiply.h"

CAIRN_C_BEGIN

// Of a matrix that is symmetric, Hermitian or triangular only the named triangle is read, written and moved.
typedef struct cairn_symmetric_options {
  size_t struct_size;
  const char* algorithm;  // auto, in-place, pattern
  cairn_objective objective;
  int parts;  // of the columns of the panels
  int threads;
  int64_t memory_bytes;
  cairn_machine machine;
} cairn_symmetric_options;

typedef struct cairn_symmetric_report {
  size_t struct_size;
  char pattern[64];
  int parts, in_place;
  int counted;  // words as counted on the messages of every rank; 0: expected
  double mean_words, busiest_words, bound_words, work;
  int64_t memory_bytes;
  double seconds;     // predicted
  cairn_moved moved;  // by this rank
} cairn_symmetric_report;

// Collective, all of them; `options` and `report` may be NULL. One triangle of C := alpha op(A) op(A)^T + beta C.
CAIRN_C_EXPORT cairn_status cairn_rank_k_update(cairn_triangle triangle, cairn_op op, const void* alpha,
                                                cairn_matrix_t a, const void* beta, cairn_matrix_t c,
                                                const cairn_symmetric_options* options,
                                                cairn_symmetric_report* report);
// C := alpha op(A) op(A)^H + beta C.
CAIRN_C_EXPORT cairn_status cairn_hermitian_rank_k_update(cairn_triangle triangle, cairn_op op, double alpha,
                                                          cairn_matrix_t a, double beta, cairn_matrix_t c,
                                                          const cairn_symmetric_options* options,
                                                          cairn_symmetric_report* report);
// C := alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C.
CAIRN_C_EXPORT cairn_status cairn_rank_2k_update(cairn_triangle triangle, cairn_op op, const void* alpha,
                                                 cairn_matrix_t a, cairn_matrix_t b, const void* beta,
                                                 cairn_matrix_t c, const cairn_symmetric_options* options,
                                                 cairn_symmetric_report* report);
// C := alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C.
CAIRN_C_EXPORT cairn_status cairn_hermitian_rank_2k_update(cairn_triangle triangle, cairn_op op,
                                                           const void* alpha, cairn_matrix_t a,
                                                           cairn_matrix_t b, double beta, cairn_matrix_t c,
                                                           const cairn_symmetric_options* options,
                                                           cairn_symmetric_report* report);
// C := alpha A B + beta C (left) or alpha B A + beta C (right), A symmetric, or Hermitian.
CAIRN_C_EXPORT cairn_status cairn_multiply_symmetric(cairn_side side, cairn_triangle triangle,
                                                     const void* alpha, cairn_matrix_t a, cairn_matrix_t b,
                                                     const void* beta, cairn_matrix_t c,
                                                     const cairn_symmetric_options* options,
                                                     cairn_symmetric_report* report);
CAIRN_C_EXPORT cairn_status cairn_multiply_hermitian(cairn_side side, cairn_triangle triangle,
                                                     const void* alpha, cairn_matrix_t a, cairn_matrix_t b,
                                                     const void* beta, cairn_matrix_t c,
                                                     const cairn_symmetric_options* options,
                                                     cairn_symmetric_report* report);
// B := alpha op(A) B (left) or alpha B op(A) (right), A triangular.
CAIRN_C_EXPORT cairn_status cairn_multiply_triangular(cairn_side side, cairn_triangle triangle, cairn_op op,
                                                      cairn_diagonal diagonal, const void* alpha,
                                                      cairn_matrix_t a, cairn_matrix_t b,
                                                      const cairn_symmetric_options* options,
                                                      cairn_symmetric_report* report);

CAIRN_C_END

#endif
