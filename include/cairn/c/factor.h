// LU, Cholesky and solving.
#ifndef CAIRN_C_FACTOR_H
#define CAIRN_C_FACTOR_H

#include "cairn/c/plan.h"

CAIRN_C_BEGIN

typedef struct cairn_factor_options {
  size_t struct_size;
  const char* algorithm;  // "auto" or "2d"
  cairn_objective objective;
  cairn_pivoting pivoting;
  int layers;
  int64_t step;  // columns that are factored at a time
  int64_t memory_bytes;
  int allow_infinities;  // elements are not looked at before; 0: one that is not finite is an error
  cairn_machine machine;
  int no_norms;  // of A are not kept: neither growth nor condition can be asked for
  int back;      // the factors are wanted in the layout of A: moving them there counts
} cairn_factor_options;

typedef struct cairn_factor_report {
  size_t struct_size;
  char pattern[64];  // of tiles on the positions of a layer
  int layers;
  int64_t step;
  double mean_words, busiest_words, bound_words, cyclic_words;
  int64_t memory_bytes;  // of the rank that holds most: the workspace query
  double seconds;        // predicted
} cairn_factor_report;

// Local, without MPI, for any number of ranks.
CAIRN_C_EXPORT cairn_status cairn_plan_lu(int64_t rows, int64_t columns, cairn_scalar type, int ranks,
                                          const cairn_factor_options* options, cairn_factor_report* report);
CAIRN_C_EXPORT cairn_status cairn_plan_cholesky(int64_t n, cairn_scalar type, int ranks,
                                                const cairn_factor_options* options,
                                                cairn_factor_report* report);

// Collective. P A = L U; A is not changed.
CAIRN_C_EXPORT cairn_status cairn_lu_factor(cairn_matrix_t a, const cairn_factor_options* options,
                                            cairn_lu_t* lu);
CAIRN_C_EXPORT cairn_status cairn_lu_shape(cairn_lu_t lu, int64_t* rows, int64_t* columns);
// 0, or the first i + 1 for which U(i, i) is zero.
CAIRN_C_EXPORT cairn_status cairn_lu_info(cairn_lu_t lu, int64_t* info);
// Row r of P A is row permutation[r] of A: as many numbers as rows.
CAIRN_C_EXPORT cairn_status cairn_lu_permutation(cairn_lu_t lu, int64_t* permutation);
// LAPACK's ipiv counted from 0: min(rows, columns) numbers.
CAIRN_C_EXPORT cairn_status cairn_lu_swaps(cairn_lu_t lu, int64_t* swaps);
CAIRN_C_EXPORT cairn_status cairn_lu_growth(cairn_lu_t lu, double* growth);
// Collective. op(A) X = B; B becomes X.
CAIRN_C_EXPORT cairn_status cairn_lu_solve(cairn_lu_t lu, cairn_op op, cairn_matrix_t b);
// Collective. L, U, or both in one matrix as LAPACK keeps them, into any layout.
CAIRN_C_EXPORT cairn_status cairn_lu_copy_lower(cairn_lu_t lu, cairn_matrix_t l);
CAIRN_C_EXPORT cairn_status cairn_lu_copy_upper(cairn_lu_t lu, cairn_matrix_t u);
CAIRN_C_EXPORT cairn_status cairn_lu_copy_factors(cairn_lu_t lu, cairn_matrix_t f);
// Collective. det A = sign exp(log); sign is of the type of A.
CAIRN_C_EXPORT cairn_status cairn_lu_log_determinant(cairn_lu_t lu, void* sign, double* log);
CAIRN_C_EXPORT cairn_status cairn_lu_reciprocal_condition(cairn_lu_t lu, double* condition);  // collective
CAIRN_C_EXPORT cairn_status cairn_lu_report(cairn_lu_t lu, cairn_factor_report* report);
CAIRN_C_EXPORT cairn_status cairn_lu_free(cairn_lu_t* lu);

// Collective. A = L L^H or U^H U; only the named triangle of A is read.
CAIRN_C_EXPORT cairn_status cairn_cholesky_factor(cairn_matrix_t a, cairn_triangle triangle,
                                                  const cairn_factor_options* options,
                                                  cairn_cholesky_t* cholesky);
CAIRN_C_EXPORT cairn_status cairn_cholesky_order(cairn_cholesky_t cholesky, int64_t* n);
// 0, or the order of the first leading minor that is not positive.
CAIRN_C_EXPORT cairn_status cairn_cholesky_info(cairn_cholesky_t cholesky, int64_t* info);
CAIRN_C_EXPORT cairn_status cairn_cholesky_solve(cairn_cholesky_t cholesky, cairn_matrix_t b);
CAIRN_C_EXPORT cairn_status cairn_cholesky_copy_factor(cairn_cholesky_t cholesky, cairn_matrix_t f);
// The same, and the other half of f stays as it is.
CAIRN_C_EXPORT cairn_status cairn_cholesky_copy_triangle(cairn_cholesky_t cholesky, cairn_matrix_t f);
CAIRN_C_EXPORT cairn_status cairn_cholesky_log_determinant(cairn_cholesky_t cholesky, double* log);
CAIRN_C_EXPORT cairn_status cairn_cholesky_reciprocal_condition(cairn_cholesky_t cholesky, double* condition);
CAIRN_C_EXPORT cairn_status cairn_cholesky_report(cairn_cholesky_t cholesky, cairn_factor_report* report);
CAIRN_C_EXPORT cairn_status cairn_cholesky_free(cairn_cholesky_t* cholesky);

// Collective. A X = B by LU; B becomes X.
CAIRN_C_EXPORT cairn_status cairn_solve(cairn_matrix_t a, cairn_matrix_t b,
                                        const cairn_factor_options* options);
// Collective. op(T) X = alpha B, or X op(T) = alpha B, for a triangle T; B becomes X.
CAIRN_C_EXPORT cairn_status cairn_solve_triangular(cairn_side side, cairn_triangle triangle, cairn_op op,
                                                   cairn_diagonal diagonal, const void* alpha,
                                                   cairn_matrix_t t, cairn_matrix_t b);
// Collective. op(A) X = B with factors in one matrix, as cairn_lu_copy_factors and ScaLAPACK leave them; row r of P A is
// row permutation[r] of A. B becomes X.
CAIRN_C_EXPORT cairn_status cairn_solve_lu_factors(cairn_matrix_t factors, const int64_t* permutation,
                                                   cairn_op op, cairn_matrix_t b);
// Collective. A X = B with the named triangle of `factor`: A = L L^H or U^H U.
CAIRN_C_EXPORT cairn_status cairn_solve_cholesky_factor(cairn_triangle triangle, cairn_matrix_t factor,
                                                        cairn_matrix_t b);
// Collective. A^-1.
CAIRN_C_EXPORT cairn_status cairn_inverse(cairn_matrix_t a, cairn_matrix_t result,
                                          const cairn_factor_options* options);

typedef struct cairn_refine_options {
  size_t struct_size;
  const cairn_factor_options* factoring;
  int full_precision;  // 0: factors in float, refines in double
  int most_steps;      // 0: 30
} cairn_refine_options;

typedef struct cairn_refine_report {
  size_t struct_size;
  int steps;
  int low_precision;  // the answer came from factors in low precision
  int fell_back;      // they did not do: A was factored again in its own type
  double backward_error;
} cairn_refine_report;

// Collective. A X = B with iterative refinement, of double or complex double. `report` may be NULL.
CAIRN_C_EXPORT cairn_status cairn_solve_refined(cairn_matrix_t a, cairn_matrix_t b,
                                                const cairn_refine_options* options,
                                                cairn_refine_report* report);

CAIRN_C_END

#endif
