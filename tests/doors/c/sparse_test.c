// Sparse matrices: every product against a dense one of the same entries.
#include "check.h"

enum { N = 17 };
struct dense {
  double complex at[N][N];
};

// About a fifth of the entries, each given twice, by the ranks in turn.
static cairn_sparse_t make_sparse(const struct world* w, cairn_scalar type, int seed, struct dense* dense) {
  int64_t rows[2 * N * N], columns[2 * N * N], count = 0;
  double values[4 * N * N];
  memset(dense, 0, sizeof *dense);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      const double complex x = element(type, i, j, seed);
      if (creal(x) < 0.6) continue;
      dense->at[i][j] = 2 * x;
      for (int twice = 0; twice < 2; ++twice) {
        if ((i + j + twice) % w->size != w->rank) continue;
        rows[count] = i;
        columns[count] = j;
        set_scalar(type, (char*)values + (size_t)count * scalar_size(type), x);
        ++count;
      }
    }
  cairn_sparse_t sparse = NULL;
  OK(cairn_sparse_create(w->context, type, N, N, count, rows, columns, values, NULL, &sparse));
  return sparse;
}

static struct dense product(const struct dense* a, const struct dense* b) {
  struct dense c;
  memset(&c, 0, sizeof c);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < N; ++j) c.at[i][j] += a->at[i][k] * b->at[k][j];
  return c;
}

static void compare_sparse(const struct world* w, cairn_sparse_t sparse, const struct dense* expected) {
  cairn_scalar type = 0;
  int64_t count = 0, mine = 0, all = 0;
  OK(cairn_sparse_type(sparse, &type));
  OK(cairn_sparse_entries(sparse, &count));
  OK(cairn_sparse_local_entries(sparse, &mine));
  MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, w->comm);
  CHECK(all == count);
  int64_t rows[N * N + 1], columns[N * N + 1];
  double values[2 * N * N + 2];
  OK(cairn_sparse_gather(sparse, 0, rows, columns, values));
  if (w->rank != 0) return;
  int wrong = 0, nonzeros = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) nonzeros += expected->at[i][j] != 0;
  CHECK(count >= nonzeros);
  for (int64_t e = 0; e < count; ++e) {
    const double complex x = get_scalar(type, (char*)values + (size_t)e * scalar_size(type));
    wrong += !(cabs(x - expected->at[rows[e]][columns[e]]) <= 100 * N * roundoff(type));
  }
  CHECK(wrong == 0);
}

static void test_products(const struct world* w, cairn_scalar type) {
  struct dense da, db, masked, transposed;
  cairn_sparse_t a = make_sparse(w, type, 1, &da), b = make_sparse(w, type, 2, &db), c = NULL, d = NULL;
  const struct dense dc = product(&da, &db);
  compare_sparse(w, a, &da);
  cairn_spgemm_report report = CAIRN_INIT(cairn_spgemm_report);
  cairn_spgemm_options options = CAIRN_INIT(cairn_spgemm_options);
  cairn_pattern_t pattern = NULL;
  int known = 1;
  options.verify = 1;
  OK(cairn_pattern_create(type, &pattern));
  OK(cairn_pattern_known(pattern, &known));
  CHECK(!known);
  for (int again = 0; again < 2; ++again) {
    OK(cairn_spgemm(a, b, &options, pattern, &c, &report));
    compare_sparse(w, c, &dc);
    CHECK(report.method[0] != 0);
    OK(cairn_sparse_free(&c));
  }
  OK(cairn_pattern_known(pattern, &known));
  CHECK(known);
  options.algorithm = "block-row";
  options.verify = 0;
  OK(cairn_spgemm_masked(a, b, a, 0, &options, &c, NULL));
  char text[2000];
  size_t length = 0;
  OK(cairn_sparse_explain(c, text, sizeof text, &length));
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      masked.at[i][j] = da.at[i][j] != 0 ? dc.at[i][j] : 0;
      transposed.at[i][j] = da.at[j][i];
    }
  compare_sparse(w, c, &masked);
  OK(cairn_sparse_free(&c));
  OK(cairn_sparse_transposed(a, &c));
  compare_sparse(w, c, &transposed);
  OK(cairn_sparse_in_layout(c, "on 0", &d));
  compare_sparse(w, d, &transposed);
  int64_t mine = 0;
  OK(cairn_sparse_local_entries(d, &mine));
  CHECK((mine > 0) == (w->rank == 0));
  OK(cairn_sparse_layout(d, text, sizeof text, NULL));
  CHECK(strstr(text, "0") != NULL);
  OK(cairn_pattern_free(&pattern));
  OK(cairn_sparse_free(&a));
  OK(cairn_sparse_free(&b));
  OK(cairn_sparse_free(&c));
  OK(cairn_sparse_free(&d));
}

static void test_dense_times(const struct world* w, cairn_scalar type) {
  struct dense da;
  cairn_sparse_t a = make_sparse(w, type, 3, &da);
  int64_t first = 0, count = 0;
  OK(cairn_dense_rows(w->context, N, &first, &count));
  double x[4 * N], y[4 * N];
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < 2; ++j)
      set_scalar(type, (char*)x + (size_t)(i * 2 + j) * scalar_size(type), element(type, first + i, j, 9));
  OK(cairn_spmm(a, x, 2, CAIRN_PLUS_TIMES, y));
  int wrong = 0;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < 2; ++j) {
      double complex sum = 0;
      for (int64_t k = 0; k < N; ++k) sum += da.at[first + i][k] * element(type, k, j, 9);
      wrong += !(cabs(get_scalar(type, (char*)y + (size_t)(i * 2 + j) * scalar_size(type)) - sum) <=
                 100 * N * roundoff(type));
    }
  CHECK(wrong == 0);
  int64_t rows[2 * N * N], columns[2 * N * N], mine = 0;
  double values[4 * N * N];
  OK(cairn_sparse_local_entries(a, &mine));
  OK(cairn_sparse_local(a, rows, columns, values));
  for (int64_t e = 0; e < mine; ++e) CHECK(rows[e] >= first && rows[e] < first + count);
  OK(cairn_sparse_free(&a));
}

// One entry (i, i) = i + 1 a row; every rank gives those that are its own by turns.
static cairn_sparse_t diagonal(const struct world* w, int64_t n) {
  int64_t at[N], count = 0;
  double values[N];
  for (int64_t i = w->rank; i < n; i += w->size) {
    at[count] = i;
    values[count++] = (double)(i + 1);
  }
  cairn_sparse_t d = NULL;
  OK(cairn_sparse_create(w->context, CAIRN_F64, n, n, count, at, at, values, NULL, &d));
  return d;
}

// All entries, gathered on rank 0 of the context, add up to `total`, and there are `count`. Frees the matrix.
static void expect_total(const struct world* w, cairn_sparse_t* m, double total, int64_t count) {
  int64_t rows[N * N], columns[N * N], entries = -1;
  double values[N * N], sum = 0;
  OK(cairn_sparse_entries(*m, &entries));
  CHECK(entries == count);
  OK(cairn_sparse_gather(*m, 0, rows, columns, values));
  for (int64_t e = 0; w->rank == 0 && e < entries; ++e) sum += values[e];
  CHECK(w->rank != 0 || sum == total);
  OK(cairn_sparse_free(m));
}

#define GIVES(call, total, count)         \
  do {                                    \
    cairn_sparse_t made = NULL;           \
    OK(call);                             \
    expect_total(w, &made, total, count); \
  } while (0)

static void test_operations(const struct world* w) {
  cairn_sparse_t d = diagonal(w, 4);  // 1 2 3 4
  const int64_t rows[] = {3, 0}, columns[] = {0, 3, 3}, turned[] = {3, 2, 1, 0};
  GIVES(cairn_sparse_add(d, d, CAIRN_PLUS_TIMES, &made), 20, 4);
  GIVES(cairn_sparse_multiply_elements(d, d, CAIRN_PLUS_TIMES, &made), 30, 4);
  GIVES(cairn_sparse_adjoint(d, &made), 10, 4);
  GIVES(cairn_sparse_prune(d, 2, &made), 7, 2);
  GIVES(cairn_sparse_extract(d, rows, 2, columns, 3, &made), 9, 3);
  GIVES(cairn_sparse_permuted(d, turned, NULL, &made), 10, 4);
  GIVES(cairn_sparse_shuffled(d, 7, 0, &made), 10, 4);
  GIVES(cairn_galerkin(d, d, NULL, &made, NULL), 100, 4);
  GIVES(cairn_power(d, 3, NULL, &made, NULL), 100, 4);
  int64_t first = 0, count = 0;
  double sums[4] = {0, 0, 0, 0};
  OK(cairn_dense_rows(w->context, 4, &first, &count));
  for (int of_columns = 0; of_columns < 2; ++of_columns) {
    OK(cairn_sparse_sums(d, of_columns, CAIRN_PLUS_TIMES, sums));
    for (int64_t i = 0; i < count; ++i) CHECK(sums[i] == (double)(first + i + 1));
  }
  cairn_sparse_t made = NULL;
  FAILS(cairn_sparse_extract(d, NULL, 2, columns, 3, &made), CAIRN_ERROR_ARGUMENT, "rows is NULL");
  FAILS(cairn_power(d, -1, NULL, &made, NULL), CAIRN_ERROR_ARGUMENT, "-1");
  OK(cairn_sparse_free(&d));
  cairn_machine machine = {0, 0, 0};
  OK(cairn_measure_machine(w->context, 0.01, NULL, &machine));
  CHECK(machine.alpha > 0 && machine.beta > 0 && machine.gamma > 0);
  FAILS(cairn_measure_machine(w->context, -1, NULL, &machine), CAIRN_ERROR_ARGUMENT, "seconds is -1");
}

void test_sparse(const struct world* w) {
  test_operations(w);
  for (cairn_scalar type = 0; type < 4; ++type) {
    test_products(w, type);
    test_dense_times(w, type);
  }
  const int64_t outside = 5;
  const double one = 1;
  cairn_sparse_t sparse = NULL;
  FAILS(cairn_sparse_create(w->context, CAIRN_F64, 5, 5, 1, &outside, &outside, &one, NULL, &sparse),
        CAIRN_ERROR_ARGUMENT, "5");
  FAILS(cairn_sparse_create(w->context, CAIRN_F64, 5, 5, 1, &outside, NULL, &one, NULL, &sparse),
        CAIRN_ERROR_ARGUMENT, "entry_columns is NULL");
  FAILS(cairn_sparse_create(w->context, CAIRN_F64, 5, 5, 0, NULL, NULL, NULL, "diagonal", &sparse),
        CAIRN_ERROR_ARGUMENT, "diagonal");
}
