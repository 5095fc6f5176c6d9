// LU, Cholesky, solves: residuals against what rounding explains.
#include "check.h"

// max |A X - B0| over n max|A| max|X| u: a small number for a backward stable solve.
static void compare_solution(const struct world* w, struct filling fa, cairn_op op, cairn_matrix_t x,
                             int64_t n, int64_t columns, struct filling fb) {
  double complex* got = gathered(w->context, x);
  if (got == NULL) return;
  int wrong = 0;
  for (int64_t j = 0; j < columns; ++j) {
    double largest = 0;
    for (int64_t i = 0; i < n; ++i) largest = fmax(largest, cabs(got[i + j * n]));
    for (int64_t i = 0; i < n; ++i) {
      double complex sum = -filled(&fb, i, j);
      for (int64_t l = 0; l < n; ++l) {
        const double complex a = op == CAIRN_NO_TRANSPOSE ? filled(&fa, i, l) : filled(&fa, l, i);
        sum += (op == CAIRN_ADJOINT ? conj(a) : a) * got[l + j * n];
      }
      wrong += !(cabs(sum) <= 20 * roundoff(fa.type) * (double)n * (fa.diagonal + 2) * (largest + 1));
    }
  }
  CHECK(wrong == 0);
  free(got);
}

// L U = P A, read back from the copies.
static void compare_factors(const struct world* w, cairn_lu_t lu, struct filling fa, int64_t n) {
  const struct filling empty = {fa.type, 0, 0, 0};
  cairn_matrix_t l = random_matrix(w->context, n, n, empty), u = random_matrix(w->context, n, n, empty),
                 both = random_matrix(w->context, n, n, empty);
  OK(cairn_lu_copy_lower(lu, l));
  OK(cairn_lu_copy_upper(lu, u));
  OK(cairn_lu_copy_factors(lu, both));
  int64_t permutation[64], swaps[64], order[64];
  OK(cairn_lu_permutation(lu, permutation));
  OK(cairn_lu_swaps(lu, swaps));
  for (int64_t i = 0; i < n; ++i) order[i] = i;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t kept = order[i];
    order[i] = order[swaps[i]];
    order[swaps[i]] = kept;
  }
  CHECK(memcmp(order, permutation, (size_t)n * sizeof *order) == 0);
  double complex *gl = gathered(w->context, l), *gu = gathered(w->context, u),
                 *gb = gathered(w->context, both);
  if (w->rank == 0) {
    int wrong = 0;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double complex sum = 0;
        for (int64_t k = 0; k < n; ++k) sum += gl[i + k * n] * gu[k + j * n];
        wrong += !(cabs(sum - filled(&fa, permutation[i], j)) <=
                   20 * roundoff(fa.type) * (double)n * (fa.diagonal + 2));
        wrong += gb[i + j * n] != (i > j ? gl : gu)[i + j * n];
      }
    CHECK(wrong == 0);
  }
  free(gl), free(gu), free(gb);
  OK(cairn_matrix_free(&l));
  OK(cairn_matrix_free(&u));
  OK(cairn_matrix_free(&both));
}

// Solving with the factors where they were copied to.
static void test_copied_factors(const struct world* w, cairn_lu_t lu, struct filling fa, int64_t n) {
  const struct filling fb = {fa.type, 2, 0, 0};
  cairn_matrix_t f = random_matrix(w->context, n, n, fb);
  int64_t* permutation = malloc((size_t)n * sizeof *permutation);
  OK(cairn_lu_copy_factors(lu, f));
  OK(cairn_lu_permutation(lu, permutation));
  for (cairn_op op = 0; op < 3; ++op) {
    cairn_matrix_t b = random_matrix(w->context, n, 3, fb);
    OK(cairn_solve_lu_factors(f, permutation, op, b));
    compare_solution(w, fa, op, b, n, 3, fb);
    if (n > 1) {
      permutation[0] += n;
      FAILS(cairn_solve_lu_factors(f, permutation, op, b), CAIRN_ERROR_ARGUMENT, "permutation");
      permutation[0] -= n;
    }
    OK(cairn_matrix_free(&b));
  }
  free(permutation);
  OK(cairn_matrix_free(&f));
}

static void test_lu(const struct world* w, cairn_scalar type, int64_t n) {
  const struct filling fa = {type, 1, 4, 0}, fb = {type, 2, 0, 0};
  cairn_matrix_t a = random_matrix(w->context, n, n, fa);
  cairn_lu_t lu = NULL;
  OK(cairn_lu_factor(a, NULL, &lu));
  int64_t info = -1, rows = 0, columns = 0;
  double growth = 0, condition = -1, log = 0, sign[2];
  OK(cairn_lu_info(lu, &info));
  OK(cairn_lu_shape(lu, &rows, &columns));
  OK(cairn_lu_growth(lu, &growth));
  OK(cairn_lu_reciprocal_condition(lu, &condition));
  OK(cairn_lu_log_determinant(lu, sign, &log));
  CHECK(info == 0 && rows == n && columns == n && growth > 0 && condition > 0 && condition <= 1.0001);
  CHECK(fabs(cabs(get_scalar(type, sign)) - 1) < 1e-5 && isfinite(log));
  cairn_factor_report report = CAIRN_INIT(cairn_factor_report);
  OK(cairn_lu_report(lu, &report));
  CHECK(report.pattern[0] != 0 && report.memory_bytes > 0 && report.layers >= 1);
  for (cairn_op op = 0; op < 3; ++op) {
    cairn_matrix_t b = random_matrix(w->context, n, 3, fb);
    OK(cairn_lu_solve(lu, op, b));
    compare_solution(w, fa, op, b, n, 3, fb);
    OK(cairn_matrix_free(&b));
  }
  compare_factors(w, lu, fa, n);
  test_copied_factors(w, lu, fa, n);
  cairn_matrix_t b = random_matrix(w->context, n, 2, fb);
  OK(cairn_solve(a, b, NULL));
  compare_solution(w, fa, 0, b, n, 2, fb);
  OK(cairn_matrix_free(&b));

  // A^-1 B, and L^-1 B by the triangle that LU left.
  cairn_matrix_t inverse = random_matrix(w->context, n, n, fb), x = random_matrix(w->context, n, 2, fb);
  b = random_matrix(w->context, n, 2, fb);
  OK(cairn_inverse(a, inverse, NULL));
  OK(cairn_multiply(NULL, 0, inverse, 0, b, NULL, x, NULL, NULL, NULL));
  compare_solution(w, fa, 0, x, n, 2, fb);
  OK(cairn_matrix_free(&x));
  OK(cairn_matrix_free(&inverse));
  OK(cairn_matrix_free(&b));
  OK(cairn_matrix_free(&a));
  OK(cairn_lu_free(&lu));
}

static void test_known_determinant(const struct world* w) {
  const struct filling zeros = {CAIRN_F64, 0, 0, 0};
  cairn_matrix_t a = random_matrix(w->context, 2, 2, zeros);
  cairn_layout_t one = NULL;
  cairn_matrix_t on_one = NULL;
  double values[4] = {0, 3, 2, 5};  // columns (0, 3), (2, 5): determinant -6
  OK(cairn_layout_on_one_rank(2, 2, 0, &one));
  OK(cairn_matrix_wrap(w->context, CAIRN_F64, one, w->rank == 0 ? values : NULL, w->rank == 0 ? 4 : 0, 0,
                       &on_one));
  OK(cairn_redistribute(NULL, 0, on_one, NULL, a));
  cairn_lu_t lu = NULL;
  double sign = 0, log_of = 0;
  OK(cairn_lu_factor(a, NULL, &lu));
  OK(cairn_lu_log_determinant(lu, &sign, &log_of));
  CHECK(sign == -1 && fabs(log_of - log(6)) < 1e-14);
  OK(cairn_lu_free(&lu));
  if (w->rank == 0) values[2] = 0, values[3] = 0;  // singular
  OK(cairn_lu_factor(on_one, NULL, &lu));
  int64_t info = 0;
  OK(cairn_lu_info(lu, &info));
  CHECK(info == 2);
  FAILS(cairn_lu_solve(lu, 0, a), CAIRN_ERROR_RESULT, "");
  if (w->rank == 0) values[0] = NAN;
  FAILS(cairn_solve(on_one, a, NULL), CAIRN_ERROR_ARGUMENT, "");
  OK(cairn_lu_free(&lu));
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&on_one));
  OK(cairn_layout_free(&one));
}

static void test_cholesky(const struct world* w, cairn_scalar type, int64_t n) {
  const struct filling fa = {type, 1, 2.0 * (double)n, 1}, fb = {type, 2, 0, 0};
  for (cairn_triangle triangle = 0; triangle < 2; ++triangle) {
    cairn_matrix_t a = random_matrix(w->context, n, n, fa), b = random_matrix(w->context, n, 2, fb),
                   f = random_matrix(w->context, n, n, fb);
    cairn_cholesky_t cholesky = NULL;
    OK(cairn_cholesky_factor(a, triangle, NULL, &cholesky));
    int64_t info = -1, order = 0;
    double log_of = 0, condition = 0;
    OK(cairn_cholesky_info(cholesky, &info));
    OK(cairn_cholesky_order(cholesky, &order));
    OK(cairn_cholesky_log_determinant(cholesky, &log_of));
    OK(cairn_cholesky_reciprocal_condition(cholesky, &condition));
    CHECK(info == 0 && order == n && condition > 0 && condition <= 1.0001);
    cairn_factor_report report = CAIRN_INIT(cairn_factor_report);
    OK(cairn_cholesky_report(cholesky, &report));
    CHECK(report.memory_bytes > 0);
    OK(cairn_cholesky_solve(cholesky, b));
    compare_solution(w, fa, 0, b, n, 2, fb);
    // By two triangular solves with a copy of the factor, too: L L^H x = b, or U^H U x = b.
    OK(cairn_matrix_free(&b));
    b = random_matrix(w->context, n, 2, fb);
    OK(cairn_cholesky_copy_factor(cholesky, f));
    OK(cairn_solve_triangular(CAIRN_LEFT, triangle,
                              triangle == CAIRN_LOWER ? CAIRN_NO_TRANSPOSE : CAIRN_ADJOINT,
                              CAIRN_STORED_DIAGONAL, NULL, f, b));
    OK(cairn_solve_triangular(CAIRN_LEFT, triangle,
                              triangle == CAIRN_LOWER ? CAIRN_ADJOINT : CAIRN_NO_TRANSPOSE,
                              CAIRN_STORED_DIAGONAL, NULL, f, b));
    compare_solution(w, fa, 0, b, n, 2, fb);
    // And at once with the triangle alone, beside what was there before.
    OK(cairn_matrix_free(&b));
    b = random_matrix(w->context, n, 2, fb);
    cairn_matrix_t part = random_matrix(w->context, n, n, fa);
    OK(cairn_cholesky_copy_triangle(cholesky, part));
    OK(cairn_solve_cholesky_factor(triangle, part, b));
    compare_solution(w, fa, 0, b, n, 2, fb);
    OK(cairn_matrix_free(&part));
    // The product of the diagonal of the factor is the root of the determinant.
    double complex* factor = gathered(w->context, f);
    if (factor != NULL) {
      double sum = 0;
      for (int64_t i = 0; i < n; ++i) sum += 2 * log(creal(factor[i + i * n]));
      CHECK(fabs(sum - log_of) <= 100 * (double)n * roundoff(type) * fabs(sum));
    }
    free(factor);
    OK(cairn_cholesky_free(&cholesky));
    OK(cairn_matrix_free(&a));
    OK(cairn_matrix_free(&b));
    OK(cairn_matrix_free(&f));
  }
}

static void test_refined(const struct world* w) {
  const struct filling fa = {CAIRN_F64, 1, 4, 0}, fb = {CAIRN_F64, 2, 0, 0}, single = {CAIRN_F32, 1, 4, 0};
  cairn_matrix_t a = random_matrix(w->context, 30, 30, fa), b = random_matrix(w->context, 30, 2, fb),
                 s = random_matrix(w->context, 30, 30, single), t = random_matrix(w->context, 30, 2, single);
  cairn_refine_report report = CAIRN_INIT(cairn_refine_report);
  cairn_refine_options options = CAIRN_INIT(cairn_refine_options);
  OK(cairn_solve_refined(a, b, NULL, &report));
  CHECK(report.low_precision && !report.fell_back && report.steps > 0 && report.backward_error < 1e-14);
  compare_solution(w, fa, 0, b, 30, 2, fb);
  options.full_precision = 1;
  OK(cairn_solve_refined(a, b, &options, &report));
  CHECK(!report.low_precision);
  FAILS(cairn_solve_refined(s, t, NULL, NULL), CAIRN_ERROR_ARGUMENT, "single precision");
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&b));
  OK(cairn_matrix_free(&s));
  OK(cairn_matrix_free(&t));
}

void test_factors(const struct world* w) {
  for (cairn_scalar type = 0; type < 4; ++type) {
    test_lu(w, type, 1 + random_below(24));
    test_cholesky(w, type, 1 + random_below(24));
  }
  test_known_determinant(w);
  test_refined(w);
  cairn_factor_report report = CAIRN_INIT(cairn_factor_report);
  cairn_factor_options options = CAIRN_INIT(cairn_factor_options);
  options.algorithm = "2d";
  OK(cairn_plan_lu(2048, 2048, CAIRN_F64, 16, &options, &report));
  CHECK(report.layers == 1 && report.mean_words > report.bound_words);
  OK(cairn_plan_cholesky(2048, CAIRN_F64, 16, NULL, &report));
  CHECK(report.mean_words > 0 && report.bound_words > 0);
  FAILS(cairn_plan_lu(-1, 2048, CAIRN_F64, 16, NULL, &report), CAIRN_ERROR_ARGUMENT, "-1");
}
