// Products.
#ifndef CAIRN_C_MULTIPLY_H
#define CAIRN_C_MULTIPLY_H

#include "cairn/c/plan.h"

CAIRN_C_BEGIN

typedef struct cairn_multiply_options {
  size_t struct_size;
  const cairn_plan_options* planning;  // how to plan, where no plan is given
  cairn_plan_t plan;                   // runs this plan
  int verify;                          // rounds of Freivalds' check; a wrong result is CAIRN_ERROR_RESULT
  int threads;                         // of this rank during the call; 0: the BLAS as it is
} cairn_multiply_options;

typedef struct cairn_moved {
  int64_t words_sent, words_received, messages_sent, messages_received;
} cairn_moved;

typedef struct cairn_verification {
  size_t struct_size;
  int passed;
  int64_t row;  // of C, the worst for its tolerance; -1: nothing to compare
  double residual, tolerance;
  int64_t unchecked_rows;
} cairn_verification;

// Of this rank.
typedef struct cairn_multiply_report {
  size_t struct_size;
  cairn_moved gathers_and_combines;
  cairn_moved redistribution;  // from and to native layouts
  int verified;                // it was checked, and is right
  double residual, tolerance;  // of the row that is worst for its tolerance
} cairn_multiply_report;

// Collective. Plans a product and makes A, B and C where the plan wants them, all zeros.
CAIRN_C_EXPORT cairn_status cairn_make_product(cairn_context_t context, cairn_scalar type,
                                               const cairn_product* product,
                                               const cairn_plan_options* options, cairn_matrix_t* a,
                                               cairn_matrix_t* b, cairn_matrix_t* c);
// Collective. C := alpha op(A) op(B) + beta C, any layouts. `report` and `plan` (the one that was run, a new
// handle) may be NULL.
CAIRN_C_EXPORT cairn_status cairn_multiply(const void* alpha, cairn_op op_a, cairn_matrix_t a, cairn_op op_b,
                                           cairn_matrix_t b, const void* beta, cairn_matrix_t c,
                                           const cairn_multiply_options* options,
                                           cairn_multiply_report* report, cairn_plan_t* plan);
// Local. The workspace query: bytes that the rank which holds most will hold during that call, its parts of A, B
// and C among them.
CAIRN_C_EXPORT cairn_status cairn_multiply_memory(cairn_op op_a, cairn_matrix_t a, cairn_op op_b,
                                                  cairn_matrix_t b, cairn_matrix_t c,
                                                  const cairn_multiply_options* options, int64_t* bytes);
// Collective. Is C = alpha op(A) op(B), up to rounding? The same answer on every rank.
CAIRN_C_EXPORT cairn_status cairn_verify(const void* alpha, cairn_op op_a, cairn_matrix_t a, cairn_op op_b,
                                         cairn_matrix_t b, cairn_matrix_t c, int rounds,
                                         cairn_verification* verification);

// Collective. y := alpha op(A) x + beta y; a vector is an n x 1 or a 1 x n matrix.
CAIRN_C_EXPORT cairn_status cairn_matvec(const void* alpha, cairn_op op, cairn_matrix_t a, cairn_matrix_t x,
                                         const void* beta, cairn_matrix_t y);
// Collective. A := A + alpha y op(x), op transpose or adjoint.
CAIRN_C_EXPORT cairn_status cairn_rank1(const void* alpha, cairn_matrix_t y, cairn_op op, cairn_matrix_t x,
                                        cairn_matrix_t a);

CAIRN_C_END

#endif
