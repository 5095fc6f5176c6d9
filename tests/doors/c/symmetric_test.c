// Products with triangles: the triangle against a plain loop, the other one untouched.
#include "check.h"

static void test_update(const struct world* w, cairn_scalar type, cairn_triangle triangle, int hermitian,
                        int two) {
  const int64_t n = 11, k = 6;
  const struct filling fa = {type, 1, 0, 0}, fb = {type, 2, 0, 0}, fc = {type, 3, 0, 1};
  cairn_matrix_t a = random_matrix(w->context, n, k, fa), b = random_matrix(w->context, n, k, fb),
                 c = random_matrix(w->context, n, n, fc);
  cairn_symmetric_report report = CAIRN_INIT(cairn_symmetric_report);
  double one[2];
  set_scalar(type, one, 1);
  if (hermitian && two)
    OK(cairn_hermitian_rank_2k_update(triangle, 0, one, a, b, 1, c, NULL, &report));
  else if (hermitian)
    OK(cairn_hermitian_rank_k_update(triangle, 0, 1, a, 1, c, NULL, &report));
  else if (two)
    OK(cairn_rank_2k_update(triangle, 0, one, a, b, one, c, NULL, &report));
  else
    OK(cairn_rank_k_update(triangle, 0, NULL, a, one, c, NULL, &report));
  CHECK(report.pattern[0] != 0 && report.parts >= 1);
  double complex* got = gathered(w->context, c);
  if (got != NULL) {
    int wrong = 0;
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i) {
        const int inside = triangle == CAIRN_LOWER ? i >= j : i <= j;
        double complex sum = filled(&fc, i, j);
        for (int64_t l = 0; inside && l < k; ++l) {
          const double complex x = filled(&fa, i, l), y = two ? filled(&fb, j, l) : filled(&fa, j, l);
          sum += x * (hermitian ? conj(y) : y);
          const double complex u = filled(&fb, i, l), v = filled(&fa, j, l);
          if (two) sum += u * (hermitian ? conj(v) : v);
        }
        wrong += !(cabs(got[i + j * n] - sum) <= (inside ? 400 * roundoff(type) : 0));
      }
    CHECK(wrong == 0);
  }
  free(got);
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&b));
  OK(cairn_matrix_free(&c));
}

// C := A B with A Hermitian, and B := A B with A triangular, against the general product of the whole A.
static void test_products(const struct world* w, cairn_scalar type) {
  const int64_t n = 9, k = 4;
  const struct filling fa = {type, 1, 0, 1}, fb = {type, 2, 0, 0};
  cairn_matrix_t a = random_matrix(w->context, n, n, fa), b = random_matrix(w->context, n, k, fb),
                 c = random_matrix(w->context, n, k, fb);
  OK(cairn_multiply_hermitian(CAIRN_LEFT, CAIRN_LOWER, NULL, a, b, NULL, c, NULL, NULL));
  OK(cairn_multiply_triangular(CAIRN_LEFT, CAIRN_UPPER, CAIRN_NO_TRANSPOSE, CAIRN_STORED_DIAGONAL, NULL, a, b,
                               NULL, NULL));
  double complex *gc = gathered(w->context, c), *gb = gathered(w->context, b);
  int wrong = 0;
  for (int64_t j = 0; gc != NULL && j < k; ++j)
    for (int64_t i = 0; i < n; ++i) {
      double complex whole = 0, upper = 0;
      for (int64_t l = 0; l < n; ++l) {
        whole += filled(&fa, i, l) * filled(&fb, l, j);
        if (l >= i) upper += filled(&fa, i, l) * filled(&fb, l, j);
      }
      wrong += !(cabs(gc[i + j * n] - whole) <= 400 * roundoff(type));
      wrong += !(cabs(gb[i + j * n] - upper) <= 400 * roundoff(type));
    }
  CHECK(wrong == 0);
  free(gc), free(gb);
  if (!is_complex(type)) {  // symmetric and Hermitian are the same
    cairn_matrix_t d = random_matrix(w->context, n, k, fb), e = random_matrix(w->context, n, k, fb);
    OK(cairn_multiply_symmetric(CAIRN_LEFT, CAIRN_LOWER, NULL, a, d, NULL, e, NULL, NULL));
    double complex *ge = gathered(w->context, e), *again = gathered(w->context, c);
    if (ge != NULL)
      for (int64_t i = 0; i < n * k; ++i) CHECK(cabs(ge[i] - again[i]) <= 400 * roundoff(type));
    free(ge), free(again);
    OK(cairn_matrix_free(&d));
    OK(cairn_matrix_free(&e));
  }
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&b));
  OK(cairn_matrix_free(&c));
}

void test_symmetric(const struct world* w) {
  for (cairn_scalar type = 0; type < 4; ++type) {
    test_update(w, type, CAIRN_LOWER, is_complex(type), 0);
    test_update(w, type, CAIRN_UPPER, 1, 1);
    if (!is_complex(type)) test_update(w, type, CAIRN_UPPER, 0, 1);
    test_products(w, type);
  }
  const struct filling f = {CAIRN_F64, 1, 0, 0};
  cairn_matrix_t a = random_matrix(w->context, 4, 3, f), c = random_matrix(w->context, 4, 4, f);
  const int wrong = w->rank == w->size - 1;
  FAILS(cairn_rank_k_update(wrong ? 5 : 0, 0, NULL, a, NULL, c, NULL, NULL), CAIRN_ERROR_ARGUMENT,
        "triangle is 5");
  OK(cairn_rank_k_update(CAIRN_LOWER, 0, NULL, a, NULL, c, NULL, NULL));
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&c));
}
