// Versions, handles, texts, structs that begin with their size, layouts.
#include "check.h"

void test_basics(const struct world* w) {
  CHECK(strcmp(cairn_version(), CAIRN_VERSION) == 0);
  CHECK(cairn_version_number() == CAIRN_VERSION_NUMBER);
  CHECK(strcmp(cairn_status_name(CAIRN_ERROR_MEMORY), "out of memory") == 0);

  // A communicator of Fortran.
  cairn_context_t other = NULL;
  int size = 0;
  OK(cairn_context_create_f(MPI_Comm_c2f(w->comm), NULL, &other));
  OK(cairn_context_rank(other, NULL, &size));
  CHECK(size == w->size);
  OK(cairn_context_free(&other));
  FAILS(cairn_context_create(MPI_COMM_NULL, NULL, &other), CAIRN_ERROR_ARGUMENT, "");

  // A matrix outlives its context and its layout.
  cairn_layout_t layout = NULL;
  cairn_matrix_t matrix = NULL;
  OK(cairn_context_create(w->comm, NULL, &other));
  OK(cairn_layout_row_blocks(3, 2, w->size, &layout));
  OK(cairn_matrix_create(other, CAIRN_F64, layout, &matrix));
  OK(cairn_context_free(&other));
  OK(cairn_layout_free(&layout));
  struct filling f = {CAIRN_F64, 1, 0, 0};
  OK(cairn_matrix_for_each(matrix, fill_element, &f));
  double x = 0;
  OK(cairn_matrix_at(matrix, 2, 1, &x));
  CHECK(x == creal(element(CAIRN_F64, 2, 1, 1)));
  OK(cairn_matrix_free(&matrix));
}

static void test_handles(const struct world* w) {
  cairn_layout_t layout = NULL, copy = NULL;
  cairn_matrix_t matrix = NULL;
  int64_t rows = 0;
  FAILS(cairn_layout_shape(NULL, &rows, NULL), CAIRN_ERROR_ARGUMENT, "layout is null, expected a layout");
  OK(cairn_layout_blocked(4, 4, 1, 1, &layout));
  FAILS(cairn_layout_shape((cairn_layout_t)w->context, &rows, NULL), CAIRN_ERROR_ARGUMENT,
        "layout is a context, expected a layout");
  FAILS(cairn_matrix_shape((cairn_matrix_t)(void*)&rows, &rows, NULL), CAIRN_ERROR_ARGUMENT,
        "expected a matrix");
  copy = layout;
  OK(cairn_layout_free(&layout));
  CHECK(layout == NULL);
  OK(cairn_layout_free(&layout));  // null may be freed
  FAILS(cairn_layout_free(&copy), CAIRN_ERROR_ARGUMENT, "freed or never made");
  FAILS(cairn_layout_shape(copy, &rows, NULL), CAIRN_ERROR_ARGUMENT, "freed or never made");
  FAILS(cairn_layout_free(NULL), CAIRN_ERROR_ARGUMENT, "handle is NULL");
  FAILS(cairn_layout_blocked(4, 4, 1, 1, NULL), CAIRN_ERROR_ARGUMENT, "layout is NULL");
  FAILS(cairn_layout_blocked(-4, 4, 1, 1, &layout), CAIRN_ERROR_ARGUMENT, "-4");
  FAILS(cairn_layout_parse("blocks 2x2", 4, 4, &layout), CAIRN_ERROR_ARGUMENT, "blocks");
  OK(cairn_layout_blocked(4, 4, 1, 1, &layout));
  FAILS(cairn_matrix_create(w->context, 9, layout, &matrix), CAIRN_ERROR_ARGUMENT, "type is 9");
  OK(cairn_layout_free(&layout));
}

static void test_sizes(void) {
  cairn_plan_options options = {0};
  const cairn_product product = {100, 200, 300, CAIRN_NO_TRANSPOSE, CAIRN_NO_TRANSPOSE};
  cairn_plan_t plan = NULL;
  FAILS(cairn_plan_multiply(&product, CAIRN_F64, 4, &options, &plan), CAIRN_ERROR_ARGUMENT,
        "struct_size is 0");
  // Of an older program, that knew the first members alone.
  options.struct_size = offsetof(cairn_plan_options, objective);
  options.algorithm = "cannon";
  options.objective = 77;  // not looked at
  OK(cairn_plan_multiply(&product, CAIRN_F64, 4, &options, &plan));
  OK(cairn_plan_free(&plan));
  options.struct_size = sizeof options;
  FAILS(cairn_plan_multiply(&product, CAIRN_F64, 4, &options, &plan), CAIRN_ERROR_ARGUMENT,
        "objective is 77");
  // Of a newer program: fine as long as it asks for nothing that is not known.
  struct {
    cairn_plan_options known;
    double unknown;
  } newer = {CAIRN_INIT(cairn_plan_options), 0};
  newer.known.struct_size = sizeof newer;
  OK(cairn_plan_multiply(&product, CAIRN_F64, 4, &newer.known, &plan));
  OK(cairn_plan_free(&plan));
  newer.unknown = 1;
  FAILS(cairn_plan_multiply(&product, CAIRN_F64, 4, &newer.known, &plan), CAIRN_ERROR_ARGUMENT,
        "does not know");
  cairn_factor_report report = {0};
  FAILS(cairn_plan_lu(100, 100, CAIRN_F64, 4, NULL, &report), CAIRN_ERROR_ARGUMENT, "struct_size");
  // A report of an older program is written no further than it goes.
  report.struct_size = offsetof(cairn_factor_report, layers);
  report.layers = -5;
  OK(cairn_plan_lu(100, 100, CAIRN_F64, 4, NULL, &report));
  CHECK(report.layers == -5 && report.pattern[0] != 0);
}

// A mistake of the last rank alone is the same error on all.
static void expect_same_text(const struct world* w, cairn_status status, const char* part) {
  char first[512] = "", mine[512] = "";
  CHECK(status == CAIRN_ERROR_ARGUMENT);
  strncpy(mine, cairn_last_error(), sizeof mine - 1);
  memcpy(first, mine, sizeof first);
  MPI_Bcast(first, (int)sizeof first, MPI_CHAR, 0, w->comm);
  CHECK(strcmp(first, mine) == 0);
  CHECK(strstr(mine, part) != NULL);
  if (strstr(mine, part) == NULL) printf("got '%s', wanted '%s'\n", mine, part);
}

static void test_one_rank_wrong(const struct world* w) {
  const int wrong = w->rank == w->size - 1;
  const struct filling f64 = {CAIRN_F64, 1, 9, 0}, f32 = {CAIRN_F32, 1, 0, 0};
  cairn_matrix_t a = random_matrix(w->context, 4, 4, f64), b = random_matrix(w->context, 4, 4, f64),
                 c = random_matrix(w->context, 4, 4, f64), single = random_matrix(w->context, 4, 4, f32),
                 made = NULL;
  cairn_layout_t layout = NULL;
  cairn_lu_t lu = NULL;
  OK(cairn_layout_row_blocks(4, 4, w->size, &layout));
  expect_same_text(w, cairn_multiply(NULL, 0, a, 0, wrong ? single : b, NULL, c, NULL, NULL, NULL),
                   "b is of float, expected double as a is");
  expect_same_text(w, cairn_multiply(NULL, 0, a, wrong ? 7 : 0, b, NULL, c, NULL, NULL, NULL), "op_b is 7");
  expect_same_text(w, cairn_multiply(NULL, 0, wrong ? NULL : a, 0, b, NULL, c, NULL, NULL, NULL),
                   "a is null, expected a matrix");
  expect_same_text(w, cairn_matrix_create(w->context, wrong ? -1 : 0, layout, &made), "type is -1");
  expect_same_text(w, cairn_matrix_create(w->context, CAIRN_F64, wrong ? NULL : layout, &made),
                   "layout is null");
  expect_same_text(w, cairn_redistribute(NULL, 0, a, NULL, wrong ? single : b), "y is of float");
  expect_same_text(w, cairn_solve(a, wrong ? single : b, NULL), "b is of float");
  expect_same_text(w, cairn_lu_factor(a, NULL, wrong ? NULL : &lu), "lu is NULL");
  expect_same_text(w, cairn_matrix_at(a, 1, 1, wrong ? NULL : &made), "value is NULL");
  OK(cairn_lu_factor(a, NULL, &lu));
  expect_same_text(w, cairn_lu_solve(lu, wrong ? -2 : 0, b), "op is -2");
  expect_same_text(w, cairn_lu_copy_factors(lu, wrong ? single : b), "f is of float");
  CHECK(made == NULL);
  // All goes on working.
  OK(cairn_multiply(NULL, 0, a, 0, b, NULL, c, NULL, NULL, NULL));
  OK(cairn_lu_free(&lu));
  OK(cairn_layout_free(&layout));
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&b));
  OK(cairn_matrix_free(&c));
  OK(cairn_matrix_free(&single));
}

void test_errors(const struct world* w) {
  test_handles(w);
  test_sizes();
  test_one_rank_wrong(w);
}

static void check_layout(const struct world* w, cairn_layout_t* layout, int copies) {
  int64_t rows = 0, columns = 0, all = 0;
  char text[200];
  size_t length = 0;
  OK(cairn_layout_shape(*layout, &rows, &columns));
  for (int r = 0; r < w->size; ++r) {
    int64_t mine = 0;
    OK(cairn_layout_local_elements(*layout, r, 0, &mine));
    all += mine;
  }
  CHECK(all >= copies * rows * columns);
  OK(cairn_layout_text(*layout, text, sizeof text, &length));
  CHECK(strlen(text) == length);
  char cut[4];
  OK(cairn_layout_text(*layout, cut, sizeof cut, NULL));
  CHECK(strncmp(cut, text, 3) == 0 && cut[3] == 0);
  OK(cairn_layout_free(layout));
}

void test_layouts(const struct world* w) {
  const int64_t m = 13, n = 7;
  cairn_layout_t x = NULL, y = NULL, part = NULL;
  int equal = 0, owner = -1, native = 1;
  for (int trial = 0; trial < 6; ++trial) {
    x = random_layout(m, n, w->size);
    check_layout(w, &x, 1);
  }
  const cairn_block_cyclic how = {1, w->size, 2, 3, 0, 0, 1};
  OK(cairn_layout_block_cyclic(m, n, &how, &x));
  char text[100];
  snprintf(text, sizeof text, "block-cyclic 1x%d mb=2 nb=3", w->size);
  OK(cairn_layout_parse(text, m, n, &y));
  OK(cairn_layout_equal(x, y, &equal));
  CHECK(equal);
  OK(cairn_layout_owner(x, 5, 6, &owner));
  CHECK(owner == 2 % w->size);
  OK(cairn_layout_is_native(x, &native));
  CHECK(!native);
  OK(cairn_layout_sub_matrix(x, 1, 3, 4, 4, &part));
  OK(cairn_layout_owner(part, 0, 0, &owner));
  CHECK(owner == 1 % w->size);
  OK(cairn_layout_free(&part));
  const int descriptor[9] = {1, 0, 13, 7, 2, 3, 0, 0, 13};
  OK(cairn_layout_free(&y));
  OK(cairn_layout_scalapack(descriptor, 1, w->size, 1, &y));
  OK(cairn_layout_equal(x, y, &equal));
  CHECK(equal);
  OK(cairn_layout_free(&x));
  OK(cairn_layout_free(&y));
  OK(cairn_layout_replicated(m, n, w->size, &x));
  check_layout(w, &x, w->size);
  const cairn_rectangle halves[2] = {{0, m, 0, 3, 0, m, 0},
                                     {0, m, 3, n, w->size > 1 ? 0 : 3 * m, m, w->size - 1}};
  OK(cairn_layout_of_rectangles(m, n, 2, halves, 0, &x));
  OK(cairn_layout_owner(x, 0, 3, &owner));
  CHECK(owner == w->size - 1);
  OK(cairn_layout_free(&x));
}
