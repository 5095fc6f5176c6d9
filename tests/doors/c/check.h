// What the C tests share: checks that name the rank and the line, numbers of any of the four types, a reference.
#ifndef CAIRN_TESTS_CHECK_H
#define CAIRN_TESTS_CHECK_H

#include <cairn/cairn.h>
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int failures;  // of this rank
extern int world_rank;

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      ++failures;                                                                  \
      printf("[rank %d] %s:%d: %s\n", world_rank, __FILE__, __LINE__, #condition); \
      fflush(stdout);                                                              \
    }                                                                              \
  } while (0)

// The call succeeds.
#define OK(call)                                                                                      \
  do {                                                                                                \
    const cairn_status status_ = (call);                                                              \
    if (status_ != CAIRN_SUCCESS) {                                                                   \
      ++failures;                                                                                     \
      printf("[rank %d] %s:%d: %s: %s\n", world_rank, __FILE__, __LINE__, cairn_status_name(status_), \
             cairn_last_error());                                                                     \
      fflush(stdout);                                                                                 \
    }                                                                                                 \
  } while (0)

// The call ends with this status and a text with `part` in it.
#define FAILS(call, expected, part)                                                                     \
  do {                                                                                                  \
    const cairn_status status_ = (call);                                                                \
    if (status_ != (expected) || strstr(cairn_last_error(), part) == NULL) {                            \
      ++failures;                                                                                       \
      printf("[rank %d] %s:%d: got '%s', text '%s', wanted ...%s...\n", world_rank, __FILE__, __LINE__, \
             cairn_status_name(status_), cairn_last_error(), part);                                     \
      fflush(stdout);                                                                                   \
    }                                                                                                   \
  } while (0)

// A small generator, the same on every rank.
void seed_random(unsigned seed);
unsigned next_random(void);
int random_below(int n);

size_t scalar_size(cairn_scalar type);
int is_complex(cairn_scalar type);
double roundoff(cairn_scalar type);
void set_scalar(cairn_scalar type, void* at, double complex value);
double complex get_scalar(cairn_scalar type, const void* at);

// Element (i, j) of a random-looking matrix; real where the type is. |value| <= sqrt(2).
double complex element(cairn_scalar type, int64_t i, int64_t j, int seed);

// For cairn_matrix_for_each.
struct filling {
  cairn_scalar type;
  int seed;
  double diagonal;  // added on the diagonal
  int hermitian;
};
void fill_element(int64_t i, int64_t j, void* at, void* filling);
double complex filled(const struct filling* f, int64_t i, int64_t j);

// A layout of some kind for this many ranks.
cairn_layout_t random_layout(int64_t rows, int64_t columns, int ranks);
// A matrix in such a layout, filled.
cairn_matrix_t random_matrix(cairn_context_t context, int64_t rows, int64_t columns, struct filling f);
// The whole on rank 0 of the context, column after column; NULL elsewhere.
double complex* gathered(cairn_context_t context, cairn_matrix_t matrix);

struct world {
  MPI_Comm comm;
  cairn_context_t context;
  int rank, size;
};

void test_basics(const struct world* w);
void test_errors(const struct world* w);
void test_layouts(const struct world* w);
void test_multiply(const struct world* w);
void test_plans(const struct world* w);
void test_factors(const struct world* w);
void test_sparse(const struct world* w);
void test_files(const struct world* w);
void test_symmetric(const struct world* w);

#endif
