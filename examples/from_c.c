// Multiplies and solves from C99: mpirun -n 4 ./example_from_c
#include <cairn/cairn.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// [check]
// Ends the program where a call does not succeed. Errors are the same on every rank.
static void check(cairn_status status) {
  if (status == CAIRN_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", cairn_status_name(status), cairn_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
// [end]

// [fill]
// A(i, l) = i - l; `user` is the last argument of cairn_matrix_for_each.
static void fill_a(int64_t i, int64_t l, void* element, void* user) {
  (void)user;
  *(double*)element = (double)(i - l);
}
// [end]
static void fill_b(int64_t l, int64_t j, void* element, void* user) {
  (void)user;
  *(double*)element = l == j ? 2 : 0;
}
static void compare(int64_t i, int64_t j, void* element, void* user) {
  if (*(double*)element != 2 * (double)(i - j)) *(int*)user = 1;
}

static int multiply(cairn_context_t context) {
  int wrong = 0;
  // [multiply]
  cairn_product product = {.m = 300, .n = 100, .k = 100};  // C = A B, neither transposed
  cairn_matrix_t a, b, c;
  check(cairn_make_product(context, CAIRN_F64, &product, NULL, &a, &b, &c));
  check(cairn_matrix_for_each(a, fill_a, NULL));
  check(cairn_matrix_for_each(b, fill_b, NULL));
  cairn_plan_t plan;
  check(cairn_multiply(NULL, CAIRN_NO_TRANSPOSE, a, CAIRN_NO_TRANSPOSE, b, NULL, c, NULL, NULL, &plan));
  // [end]
  check(cairn_matrix_for_each(c, compare, &wrong));
  // [explain]
  char text[4000];
  int rank;
  check(cairn_plan_explain(plan, text, sizeof text, NULL));
  check(cairn_context_rank(context, &rank, NULL));
  if (rank == 0) printf("%s", text);
  // [end]
  check(cairn_plan_free(&plan));
  check(cairn_matrix_free(&a));
  check(cairn_matrix_free(&b));
  check(cairn_matrix_free(&c));
  return wrong;
}

static double element_of_a(int64_t i, int64_t j) { return cos((double)(7 * i + 3 * j)) + (i == j ? 9 : 0); }

static int solve(cairn_context_t context) {
  const int64_t n = 200;
  int rank, size, wrong = 0;
  check(cairn_context_rank(context, &rank, &size));
  const int64_t first = n * rank / size, rows = n * (rank + 1) / size - first;
  double* a = malloc((size_t)(rows * n + 1) * sizeof *a);
  double* b = malloc((size_t)(rows + 1) * sizeof *b);
  for (int64_t i = 0; i < rows; ++i) {
    b[i] = 0;  // the solution is all ones
    for (int64_t j = 0; j < n; ++j) b[i] += a[i * n + j] = element_of_a(first + i, j);
  }
  // [own memory]
  // Rows first .. first + rows - 1 of A and b are in this rank's arrays; any cut of the rows can be described.
  cairn_layout_t of_a, of_b;
  cairn_rectangle* blocks = malloc((size_t)size * sizeof *blocks);
  for (int r = 0; r < size; ++r)
    blocks[r] =
        (cairn_rectangle){n * r / size, n * (r + 1) / size, 0, n, 0, n, r};  // offset 0, n to the next row
  check(cairn_layout_of_rectangles(n, n, size, blocks, 1, &of_a));
  for (int r = 0; r < size; ++r)
    blocks[r] = (cairn_rectangle){n * r / size, n * (r + 1) / size, 0, 1, 0, 1, r};
  check(cairn_layout_of_rectangles(n, 1, size, blocks, 1, &of_b));
  cairn_matrix_t matrix, right;
  check(cairn_matrix_wrap(context, CAIRN_F64, of_a, a, rows * n, 0, &matrix));
  check(cairn_matrix_wrap(context, CAIRN_F64, of_b, b, rows, 0, &right));
  check(cairn_solve(matrix, right, NULL));  // b becomes x
  // [end]
  for (int64_t i = 0; i < rows; ++i) wrong |= fabs(b[i] - 1) > 1e-10;
  check(cairn_matrix_free(&matrix));
  check(cairn_matrix_free(&right));
  check(cairn_layout_free(&of_a));
  check(cairn_layout_free(&of_b));
  free(blocks);
  free(a);
  free(b);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  cairn_context_t context;
  check(cairn_context_create(MPI_COMM_WORLD, NULL, &context));
  const int wrong = multiply(context) | solve(context);
  check(cairn_context_free(&context));
  MPI_Finalize();
  return wrong;
}
