// Files, matrix times vector, rank-1 update.
#include <unistd.h>

#include "check.h"

// The same name on every rank of the communicator.
static void name_file(const struct world* w, const char* end, char* name, size_t size) {
  int process = (int)getpid();
  MPI_Bcast(&process, 1, MPI_INT, 0, w->comm);
  snprintf(name, size, "/tmp/cairn_c_test_%d%s", process, end);
}

static void test_dense(const struct world* w, const char* end, cairn_scalar type) {
  char name[100];
  name_file(w, end, name, sizeof name);
  const struct filling f = {type, 5, 0, 0}, other = {type, 6, 0, 0};
  cairn_matrix_t a = random_matrix(w->context, 7, 5, f), b = random_matrix(w->context, 7, 5, other);
  cairn_file_info info = CAIRN_INIT(cairn_file_info);
  OK(cairn_write_file(name, a, NULL));
  OK(cairn_probe_file(w->context, name, NULL, &info));
  CHECK(info.rows == 7 && info.columns == 5 && info.type == type);
  OK(cairn_read_file(name, b, NULL));
  double complex *x = gathered(w->context, a), *y = gathered(w->context, b);
  if (w->rank == 0) CHECK(memcmp(x, y, 35 * sizeof *x) == 0);
  free(x), free(y);
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&b));
  MPI_Barrier(w->comm);
  if (w->rank == 0) unlink(name);
}

static void test_sparse_file(const struct world* w) {
  char name[100];
  name_file(w, ".mtx", name, sizeof name);
  const int64_t rows[2] = {0, 3}, columns[2] = {1, 2};
  const double values[2] = {2.5, -1};
  int64_t count = 0, back_rows[2], back_columns[2];
  double back[2];
  cairn_sparse_t a = NULL, b = NULL;
  OK(cairn_sparse_create(w->context, CAIRN_F64, 4, 4, w->rank == 0 ? 2 : 0, rows, columns, values, NULL, &a));
  OK(cairn_write_sparse_file(name, a));
  OK(cairn_read_sparse_file(w->context, CAIRN_F64, name, "columns", &b));
  OK(cairn_sparse_entries(b, &count));
  CHECK(count == 2);
  OK(cairn_sparse_gather(b, 0, back_rows, back_columns, back));
  if (w->rank == 0)
    CHECK(memcmp(back_rows, rows, sizeof rows) == 0 && memcmp(back_columns, columns, sizeof columns) == 0 &&
          memcmp(back, values, sizeof values) == 0);
  OK(cairn_sparse_free(&a));
  OK(cairn_sparse_free(&b));
  MPI_Barrier(w->comm);
  if (w->rank == 0) unlink(name);
}

// y := 2 A x + y, then A := A + y x^T: by its elements.
static void test_vectors(const struct world* w) {
  const struct filling fa = {CAIRN_F64, 1, 0, 0}, fx = {CAIRN_F64, 2, 0, 0}, fy = {CAIRN_F64, 3, 0, 0};
  cairn_matrix_t a = random_matrix(w->context, 9, 6, fa), x = random_matrix(w->context, 6, 1, fx),
                 y = random_matrix(w->context, 9, 1, fy);
  const double two = 2, one = 1;
  OK(cairn_matvec(&two, CAIRN_NO_TRANSPOSE, a, x, &one, y));
  OK(cairn_rank1(NULL, y, CAIRN_TRANSPOSE, x, a));
  double complex *ga = gathered(w->context, a), *gy = gathered(w->context, y);
  if (w->rank == 0)
    for (int i = 0; i < 9; ++i) {
      double complex sum = filled(&fy, i, 0);
      for (int j = 0; j < 6; ++j) sum += 2 * filled(&fa, i, j) * filled(&fx, j, 0);
      CHECK(cabs(sum - gy[i]) < 1e-13);
      for (int j = 0; j < 6; ++j)
        CHECK(cabs(ga[i + 9 * j] - filled(&fa, i, j) - sum * filled(&fx, j, 0)) < 1e-12);
    }
  free(ga), free(gy);
  FAILS(cairn_matvec(NULL, 0, a, y, NULL, x), CAIRN_ERROR_ARGUMENT, "x is 9 x 1");
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&x));
  OK(cairn_matrix_free(&y));
}

void test_files(const struct world* w) {
  for (cairn_scalar type = 0; type < 4; ++type) test_dense(w, ".npy", type);
  test_dense(w, ".mtx", CAIRN_F64);
  test_sparse_file(w);
  test_vectors(w);
  cairn_file_info info = CAIRN_INIT(cairn_file_info);
  FAILS(cairn_probe_file(w->context, "/no/such/file.npy", NULL, &info), CAIRN_ERROR_IO, "/no/such/file.npy");
  const int wrong = w->rank == w->size - 1;
  FAILS(cairn_probe_file(w->context, wrong ? NULL : "/no/such/file.npy", NULL, &info), CAIRN_ERROR_ARGUMENT,
        "");
}
