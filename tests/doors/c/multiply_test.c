// Products of all types, ops and layouts against a plain triple loop; plans and their numbers.
#include "check.h"

static double complex op_of(cairn_op op, const struct filling* f, int64_t i, int64_t j) {
  if (op == CAIRN_NO_TRANSPOSE) return filled(f, i, j);
  return op == CAIRN_TRANSPOSE ? filled(f, j, i) : conj(filled(f, j, i));
}

// |error| <= gamma_(k+2) (|alpha| |op(A)| |op(B)| + |beta| |C|), 4 times for complex arithmetic.
static void compare_product(cairn_context_t context, cairn_matrix_t c, int64_t m, int64_t n, int64_t k,
                            double complex alpha, cairn_op op_a, struct filling fa, cairn_op op_b,
                            struct filling fb, double complex beta, struct filling fc) {
  double complex* got = gathered(context, c);
  if (got == NULL) return;
  int wrong = 0;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) {
      double complex sum = beta * filled(&fc, i, j);
      double size = cabs(sum);
      for (int64_t l = 0; l < k; ++l) {
        const double complex term = alpha * op_of(op_a, &fa, i, l) * op_of(op_b, &fb, l, j);
        sum += term;
        size += cabs(term);
      }
      wrong += !(cabs(got[i + j * m] - sum) <= 4 * (double)(k + 4) * roundoff(fa.type) * size);
    }
  CHECK(wrong == 0);
  free(got);
}

static void multiply_once(const struct world* w) {
  static const int sizes[] = {0, 1, 2, 3, 7, 16, 33};
  const int64_t m = sizes[random_below(7)], n = sizes[random_below(7)], k = sizes[random_below(7)];
  const cairn_scalar type = random_below(4);
  const cairn_op op_a = random_below(3), op_b = random_below(3);
  const struct filling fa = {type, 1, 0, 0}, fb = {type, 2, 0, 0}, fc = {type, 3, 0, 0};
  cairn_matrix_t a = random_matrix(w->context, op_a ? k : m, op_a ? m : k, fa);
  cairn_matrix_t b = random_matrix(w->context, op_b ? n : k, op_b ? k : n, fb);
  cairn_matrix_t c = random_matrix(w->context, m, n, fc);
  double complex alpha = 1, beta = 0;
  double alpha_memory[2], beta_memory[2];
  const int plain = random_below(2);
  if (!plain) {
    alpha = element(type, 5, 5, 4);
    beta = element(type, 6, 6, 4);
  }
  set_scalar(type, alpha_memory, alpha);
  set_scalar(type, beta_memory, beta);
  cairn_multiply_options options = CAIRN_INIT(cairn_multiply_options);
  cairn_multiply_report report = CAIRN_INIT(cairn_multiply_report);
  options.verify = random_below(2);
  OK(cairn_multiply(plain ? NULL : alpha_memory, op_a, a, op_b, b, plain ? NULL : beta_memory, c, &options,
                    &report, NULL));
  CHECK(report.verified == options.verify);
  compare_product(w->context, c, m, n, k, alpha, op_a, fa, op_b, fb, beta, fc);
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&b));
  OK(cairn_matrix_free(&c));
}

static void count_strip(int64_t row, int64_t column, int64_t count, void* first, int64_t stride, void* user) {
  (void)row, (void)column, (void)first, (void)stride;
  *(int64_t*)user += count;
}

// The caller's memory: what is in it is what is multiplied, and the result is in it.
static void multiply_wrapped(const struct world* w) {
  const int64_t n = 10;
  cairn_layout_t layout = NULL;
  cairn_matrix_t a = NULL, c = NULL;
  int64_t elements = 0, columns = 0, seen = 0, all = 0;
  OK(cairn_layout_column_blocks(n, n, w->size, &layout));
  OK(cairn_layout_local_elements(layout, w->rank, 0, &elements));
  double* mine = calloc((size_t)elements + 1, sizeof(double));
  double* result = calloc((size_t)elements + 1, sizeof(double));
  for (int64_t i = 0; i < elements; ++i) mine[i] = (double)(i % 5) + w->rank;
  OK(cairn_matrix_wrap(w->context, CAIRN_F64, layout, mine, elements, 0, &a));
  OK(cairn_matrix_wrap(w->context, CAIRN_F64, layout, result, elements, 0, &c));
  FAILS(cairn_matrix_wrap(w->context, CAIRN_F64, layout, mine, elements > 0 ? elements - 1 : 0, 0, &a),
        CAIRN_ERROR_ARGUMENT, "expected at least");
  OK(cairn_matrix_for_each_strip(a, count_strip, &seen));
  MPI_Allreduce(&seen, &all, 1, MPI_INT64_T, MPI_SUM, w->comm);
  CHECK(all == n * n);
  OK(cairn_redistribute(NULL, CAIRN_NO_TRANSPOSE, a, NULL, c));
  CHECK(memcmp(mine, result, (size_t)elements * sizeof(double)) == 0);
  void* memory = NULL;
  OK(cairn_matrix_local(c, &memory, &columns, NULL));
  CHECK(columns == elements && (elements == 0 || memory == result));
  double half = 0.5, twice = 2;  // 0.5 A + 2 A
  OK(cairn_redistribute(&half, CAIRN_NO_TRANSPOSE, a, &twice, c));
  for (int64_t i = 0; i < elements; ++i) CHECK(result[i] == 2.5 * mine[i]);
  cairn_verification verification = CAIRN_INIT(cairn_verification);
  OK(cairn_verify(NULL, 0, a, 0, a, c, 2, &verification));
  CHECK(!verification.passed);  // it is not A A
  OK(cairn_multiply(NULL, 0, a, 0, a, NULL, c, NULL, NULL, NULL));
  OK(cairn_verify(NULL, 0, a, 0, a, c, 2, &verification));
  CHECK(verification.passed);
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&c));
  OK(cairn_layout_free(&layout));
  free(mine);
  free(result);
}

void test_multiply(const struct world* w) {
  for (int trial = 0; trial < 30; ++trial) multiply_once(w);
  multiply_wrapped(w);
}

// What was moved is what the plan's numbers say.
static void compare_moved(const struct world* w, cairn_plan_t plan, const cairn_multiply_report* report) {
  cairn_plan_numbers numbers = CAIRN_INIT(cairn_plan_numbers);
  OK(cairn_plan_get_numbers(plan, &numbers));
  int64_t total = 0, busiest = 0;
  MPI_Allreduce(&report->gathers_and_combines.words_received, &total, 1, MPI_INT64_T, MPI_SUM, w->comm);
  MPI_Allreduce(&report->gathers_and_combines.words_received, &busiest, 1, MPI_INT64_T, MPI_MAX, w->comm);
  CHECK(numbers.exact);
  CHECK(total == numbers.words_total && busiest == numbers.words_busiest);
}

static void test_native_product(const struct world* w) {
  const cairn_product product = {60, 50, 40, CAIRN_NO_TRANSPOSE, CAIRN_TRANSPOSE};
  cairn_plan_options planning = CAIRN_INIT(cairn_plan_options);
  planning.objective = CAIRN_OBJECTIVE_WORDS;
  cairn_matrix_t a = NULL, b = NULL, c = NULL;
  cairn_layout_t layout = NULL;
  cairn_plan_t plan = NULL, run = NULL;
  int native = 0, equal = 0;
  OK(cairn_make_product(w->context, CAIRN_C64, &product, &planning, &a, &b, &c));
  struct filling fa = {CAIRN_C64, 1, 0, 0}, fb = {CAIRN_C64, 2, 0, 0};
  OK(cairn_matrix_for_each(a, fill_element, &fa));
  OK(cairn_matrix_for_each(b, fill_element, &fb));
  OK(cairn_plan_multiply(&product, CAIRN_C64, w->size, &planning, &plan));
  OK(cairn_plan_layout(plan, 'C', &layout));
  OK(cairn_layout_is_native(layout, &native));
  CHECK(native);
  cairn_layout_t of_c = NULL;
  OK(cairn_matrix_layout(c, &of_c));
  OK(cairn_layout_equal(layout, of_c, &equal));
  CHECK(equal);
  cairn_multiply_options options = CAIRN_INIT(cairn_multiply_options);
  cairn_multiply_report report = CAIRN_INIT(cairn_multiply_report);
  options.plan = plan;
  OK(cairn_multiply(NULL, 0, a, CAIRN_TRANSPOSE, b, NULL, c, &options, &report, &run));
  CHECK(report.redistribution.words_received == 0);
  compare_moved(w, run, &report);
  compare_product(w->context, c, 60, 50, 40, 1, 0, fa, CAIRN_TRANSPOSE, fb, 0, fa);
  int64_t bytes = 0;
  OK(cairn_multiply_memory(0, a, CAIRN_TRANSPOSE, b, c, NULL, &bytes));
  cairn_plan_numbers numbers = CAIRN_INIT(cairn_plan_numbers);
  OK(cairn_plan_get_numbers(plan, &numbers));
  CHECK(bytes == numbers.memory_bytes);
  OK(cairn_layout_free(&layout));
  OK(cairn_layout_free(&of_c));
  OK(cairn_plan_free(&plan));
  OK(cairn_plan_free(&run));
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&b));
  OK(cairn_matrix_free(&c));
}

// A step of Strassen's algorithm where it is asked for, with a larger error bound.
static void test_fast_plan(const struct world* w) {
  const cairn_product product = {64, 64, 64, CAIRN_NO_TRANSPOSE, CAIRN_NO_TRANSPOSE};
  cairn_plan_options planning = CAIRN_INIT(cairn_plan_options);
  cairn_plan_numbers plain = CAIRN_INIT(cairn_plan_numbers), fast = CAIRN_INIT(cairn_plan_numbers);
  cairn_plan_t plan = NULL;
  OK(cairn_plan_multiply(&product, CAIRN_F64, w->size, &planning, &plan));
  OK(cairn_plan_get_numbers(plan, &plain));
  OK(cairn_plan_free(&plan));
  planning.fast = "D";
  planning.fast_entry = "strassen";
  OK(cairn_plan_multiply(&product, CAIRN_F64, w->size, &planning, &plan));
  OK(cairn_plan_get_numbers(plan, &fast));
  OK(cairn_plan_free(&plan));
  CHECK(plain.levels == 0 && fast.levels >= 1);
  CHECK(fast.error_bound > plain.error_bound && fast.error_growth > 1);
  planning.max_error_growth = 1;
  CHECK(cairn_plan_multiply(&product, CAIRN_F64, w->size, &planning, &plan) == CAIRN_ERROR_ARGUMENT);
}

static void test_placed_plan(const struct world* w) {
  const cairn_product product = {30, 30, 30, 0, 0};
  const struct filling f = {CAIRN_F64, 1, 0, 0};
  cairn_matrix_t a = random_matrix(w->context, 30, 30, f), b = random_matrix(w->context, 30, 30, f),
                 c = random_matrix(w->context, 30, 30, f);
  cairn_layout_t la = NULL, lb = NULL, lc = NULL;
  OK(cairn_matrix_layout(a, &la));
  OK(cairn_matrix_layout(b, &lb));
  OK(cairn_matrix_layout(c, &lc));
  cairn_plan_t plan = NULL, run = NULL;
  OK(cairn_plan_multiply_placed(&product, CAIRN_F64, la, lb, lc, w->size, NULL, &plan));
  cairn_multiply_options options = CAIRN_INIT(cairn_multiply_options);
  cairn_multiply_report report = CAIRN_INIT(cairn_multiply_report);
  options.plan = plan;
  OK(cairn_multiply(NULL, 0, a, 0, b, NULL, c, &options, &report, &run));
  compare_moved(w, run, &report);
  cairn_plan_numbers numbers = CAIRN_INIT(cairn_plan_numbers);
  OK(cairn_plan_get_numbers(run, &numbers));
  CHECK(numbers.is_placed && numbers.product.m == 30 && numbers.type == CAIRN_F64 &&
        numbers.ranks == w->size);
  OK(cairn_layout_free(&la));
  OK(cairn_layout_free(&lb));
  OK(cairn_layout_free(&lc));
  OK(cairn_plan_free(&plan));
  OK(cairn_plan_free(&run));
  OK(cairn_matrix_free(&a));
  OK(cairn_matrix_free(&b));
  OK(cairn_matrix_free(&c));
}

static void test_large_plan(void) {
  const cairn_product product = {4096, 4096, 4096, 0, 0};
  cairn_plan_options options = CAIRN_INIT(cairn_plan_options);
  cairn_plan_numbers numbers = CAIRN_INIT(cairn_plan_numbers);
  cairn_plan_candidate candidate = CAIRN_INIT(cairn_plan_candidate);
  cairn_plan_t plan = NULL;
  char text[4096], why[200];
  size_t length = 0;
  options.objective = CAIRN_OBJECTIVE_WORDS;
  OK(cairn_plan_multiply(&product, CAIRN_F64, 64, &options, &plan));
  OK(cairn_plan_get_numbers(plan, &numbers));
  CHECK(numbers.grid[0] * numbers.grid[1] * numbers.grid[2] == 64 && numbers.idle_ranks == 0);
  CHECK(numbers.words_busiest == 2359296 && numbers.ratio < 1.0001);  // 4 x 4 x 4: the bound itself
  OK(cairn_plan_get_candidate(plan, 0, &candidate));
  CHECK(candidate.words == numbers.words_busiest);
  OK(cairn_plan_candidate_why(plan, 0, why, sizeof why, &length));
  CHECK(length > 0);
  FAILS(cairn_plan_get_candidate(plan, numbers.candidates, &candidate), CAIRN_ERROR_ARGUMENT, "index is");
  OK(cairn_plan_describe(plan, text, sizeof text, NULL));
  CHECK(strstr(text, "4096 x 4096 x 4096 double NN") != NULL);
  OK(cairn_plan_explain(plan, text, sizeof text, &length));
  CHECK(length > 100 && strstr(text, "2359296") != NULL);
  OK(cairn_plan_free(&plan));
  options.memory_bytes = 1000;
  FAILS(cairn_plan_multiply(&product, CAIRN_F64, 64, &options, &plan), CAIRN_ERROR_MEMORY, "1000");
  options.memory_bytes = 0;
  options.algorithm = "no such";
  FAILS(cairn_plan_multiply(&product, CAIRN_F64, 64, &options, &plan), CAIRN_ERROR_ARGUMENT, "no such");
  int names = 0;
  while (cairn_algorithm_name(names) != NULL) {
    options.algorithm = cairn_algorithm_name(names++);
    OK(cairn_plan_multiply(&product, CAIRN_F64, 64, &options, &plan));
    OK(cairn_plan_free(&plan));
  }
  CHECK(names >= 8 && cairn_algorithm_name(-1) == NULL);
  cairn_machine machine;
  FAILS(cairn_load_machine("/no/such/file", &machine), CAIRN_ERROR_IO, "/no/such/file");
}

void test_plans(const struct world* w) {
  test_native_product(w);
  test_placed_plan(w);
  test_fast_plan(w);
  if (w->rank == 0) test_large_plan();
}
