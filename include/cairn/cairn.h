// Cairn from C, and from whatever calls C. Five lines:
//
//   cairn_context_t context;  cairn_matrix_t a, b, c;
//   cairn_context_create(MPI_COMM_WORLD, NULL, &context);
//   cairn_make_product(context, CAIRN_F64, &(cairn_product){.m = m, .n = n, .k = k}, NULL, &a, &b, &c);
//   ... fill this rank's parts of a and b: cairn_matrix_for_each, cairn_matrix_local ...
//   cairn_multiply(NULL, CAIRN_NO_TRANSPOSE, a, CAIRN_NO_TRANSPOSE, b, NULL, c, NULL, NULL, NULL);
//
// Every function returns CAIRN_SUCCESS or what kind of error it was; cairn_last_error() has the text. What the
// words collective and local mean, what moves and what is read are as the C++ headers say, function by function:
// collective calls are made by all ranks of the context, in the same order.
//
// Numbers are given by address, in the type of the matrices: alpha NULL is 1, beta NULL is 0.
// Structs of options and reports begin with their own size (CAIRN_INIT(type) sets it), so that programs go on
// working when members are added at the end. In options zero stands for the default; NULL is all defaults.
// Texts go to a buffer of `size` bytes, cut if need be and ended by 0; *length (may be NULL) becomes the whole
// length without that 0.
#ifndef CAIRN_CAIRN_H
#define CAIRN_CAIRN_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "cairn/version.h"

#if defined(__GNUC__)
#define CAIRN_C_EXPORT __attribute__((visibility("default")))
#else
#define CAIRN_C_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- errors and versions --------------------------------------------------------------------------------

// Enumerations are passed as int: a value that is none of theirs is refused.
typedef int cairn_status;
enum {
  CAIRN_SUCCESS = 0,
  CAIRN_ERROR_ARGUMENT = 1,  // the text names the argument, its value and what was expected
  CAIRN_ERROR_OVERFLOW = 2,  // a size does not fit the integer type it must be handed on in
  CAIRN_ERROR_MEMORY = 3,    // an allocation failed or would exceed a limit
  CAIRN_ERROR_COMM = 4,      // MPI returned an error
  CAIRN_ERROR_TIMEOUT = 5,   // the watchdog saw no progress
  CAIRN_ERROR_IO = 6,        // a file cannot be read, or does not hold what it should
  CAIRN_ERROR_RESULT = 7,    // a result did not pass its verification, or a matrix is singular
  CAIRN_ERROR_INTERNAL = 8   // a defect of Cairn
};

// The last error of this thread, or "". Valid until the thread's next error.
CAIRN_C_EXPORT const char* cairn_last_error(void);
CAIRN_C_EXPORT const char* cairn_status_name(cairn_status status);

// Of the library at run time; CAIRN_VERSION and CAIRN_VERSION_NUMBER are those of this header.
CAIRN_C_EXPORT const char* cairn_version(void);
CAIRN_C_EXPORT int cairn_version_number(void);

// ---- handles ----------------------------------------------------------------------------------------------

// A handle is a number that is never used again: one that was freed, that is null or of another kind is an
// error, not a crash. Every handle is freed by the caller; a free function sets it to null, and null may be
// freed. Things keep alive what they need: a context may be freed before its matrices.
typedef struct cairn_context_s* cairn_context_t;
typedef struct cairn_layout_s* cairn_layout_t;
typedef struct cairn_matrix_s* cairn_matrix_t;
typedef struct cairn_plan_s* cairn_plan_t;
typedef struct cairn_lu_s* cairn_lu_t;
typedef struct cairn_cholesky_s* cairn_cholesky_t;
typedef struct cairn_sparse_s* cairn_sparse_t;
typedef struct cairn_pattern_s* cairn_pattern_t;

// ---- enumerations -----------------------------------------------------------------------------------------

typedef int cairn_scalar;
enum {
  CAIRN_F32 = 0,
  CAIRN_F64 = 1,
  CAIRN_C32 = 2,
  CAIRN_C64 = 3
};  // float, double, and their complex types

typedef int cairn_op;
enum { CAIRN_NO_TRANSPOSE = 0, CAIRN_TRANSPOSE = 1, CAIRN_ADJOINT = 2 };

typedef int cairn_triangle;
enum { CAIRN_LOWER = 0, CAIRN_UPPER = 1 };

typedef int cairn_diagonal;
enum { CAIRN_STORED_DIAGONAL = 0, CAIRN_UNIT_DIAGONAL = 1 };

typedef int cairn_side;
enum { CAIRN_LEFT = 0, CAIRN_RIGHT = 1 };

typedef int cairn_pivoting;
enum { CAIRN_PIVOTING_TOURNAMENT = 0, CAIRN_PIVOTING_NONE = 1, CAIRN_PIVOTING_PARTIAL = 2 };

typedef int cairn_objective;
enum { CAIRN_OBJECTIVE_TIME = 0, CAIRN_OBJECTIVE_WORDS = 1, CAIRN_OBJECTIVE_VOLUME = 2 };

typedef int cairn_dimension;
enum { CAIRN_DIMENSION_M = 0, CAIRN_DIMENSION_N = 1, CAIRN_DIMENSION_K = 2 };

typedef int cairn_transport;
enum { CAIRN_TWO_SIDED = 0, CAIRN_ONE_SIDED = 1 };

typedef int cairn_semiring;
enum { CAIRN_PLUS_TIMES = 0, CAIRN_MIN_PLUS = 1, CAIRN_MAX_PLUS = 2, CAIRN_OR_AND = 3, CAIRN_PLUS_PAIR = 4 };

// ---- contexts ---------------------------------------------------------------------------------------------

// cairn_plan_options options = CAIRN_INIT(cairn_plan_options);
#define CAIRN_INIT(type) \
  { .struct_size = sizeof(type) }

typedef struct cairn_context_options {
  size_t struct_size;
  double watchdog_seconds;  // a rank that waits longer for the others gets CAIRN_ERROR_TIMEOUT; 0: it waits
} cairn_context_options;

// Collective. A communicator with all that Cairn keeps for it between calls. It talks over a duplicate. Freed by
// all ranks, before MPI_Finalize.
CAIRN_C_EXPORT cairn_status cairn_context_create(MPI_Comm comm, const cairn_context_options* options,
                                                 cairn_context_t* context);
// The same for a communicator of Fortran.
CAIRN_C_EXPORT cairn_status cairn_context_create_f(MPI_Fint comm, const cairn_context_options* options,
                                                   cairn_context_t* context);
CAIRN_C_EXPORT cairn_status cairn_context_rank(cairn_context_t context, int* rank, int* size);
// Local. Frees the work memory that is kept for the next call.
CAIRN_C_EXPORT cairn_status cairn_context_trim(cairn_context_t context);
CAIRN_C_EXPORT cairn_status cairn_context_free(cairn_context_t* context);

// ---- layouts: all local -----------------------------------------------------------------------------------

// Blocks of mb x nb dealt round a grid of processes, as ScaLAPACK keeps its matrices.
typedef struct cairn_block_cyclic {
  int process_rows, process_columns;
  int64_t mb, nb;
  int row_source, column_source;  // the process that has the first block
  int row_major;                  // processes are numbered along the rows of the grid
} cairn_block_cyclic;

// Rows first_row .. end_row - 1 and columns first_column .. end_column - 1, on one rank, its first element
// `offset` elements into that rank's memory.
typedef struct cairn_rectangle {
  int64_t first_row, end_row;
  int64_t first_column, end_column;
  int64_t offset, leading_dimension;
  int owner;
} cairn_rectangle;

CAIRN_C_EXPORT cairn_status cairn_layout_block_cyclic(int64_t rows, int64_t columns,
                                                      const cairn_block_cyclic* how, cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_elemental(int64_t rows, int64_t columns, int d0, int d1,
                                                   cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_blocked(int64_t rows, int64_t columns, int process_rows,
                                                 int process_columns, cairn_layout_t* layout);
// A C array that is cut into blocks of rows; a Fortran array that is cut into blocks of columns.
CAIRN_C_EXPORT cairn_status cairn_layout_row_blocks(int64_t rows, int64_t columns, int ranks,
                                                    cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_column_blocks(int64_t rows, int64_t columns, int ranks,
                                                       cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_on_one_rank(int64_t rows, int64_t columns, int rank,
                                                     cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_layout_replicated(int64_t rows, int64_t columns, int ranks,
                                                    cairn_layout_t* layout);
// Any rectangles that cover the matrix without overlap.
CAIRN_C_EXPORT cairn_status cairn_layout_of_rectangles(int64_t rows, int64_t columns, int64_t count,
                                                       const cairn_rectangle* rectangles, int row_major,
                                                       cairn_layout_t* layout);
// What a ScaLAPACK descriptor {1, context, M, N, MB, NB, RSRC, CSRC, LLD} says, on the grid of its context.
CAIRN_C_EXPORT cairn_status cairn_layout_scalapack(const int* descriptor, int process_rows,
                                                   int process_columns, int row_major_grid,
                                                   cairn_layout_t* layout);
// "block-cyclic 2x3 mb=64 nb=32", "rows 4", ...: all that `cairn layout --help` lists.
CAIRN_C_EXPORT cairn_status cairn_layout_parse(const char* text, int64_t rows, int64_t columns,
                                               cairn_layout_t* layout);
// Part of a matrix in the memory of the whole.
CAIRN_C_EXPORT cairn_status cairn_layout_sub_matrix(cairn_layout_t whole, int64_t i, int64_t j, int64_t rows,
                                                    int64_t columns, cairn_layout_t* part);

CAIRN_C_EXPORT cairn_status cairn_layout_shape(cairn_layout_t layout, int64_t* rows, int64_t* columns);
CAIRN_C_EXPORT cairn_status cairn_layout_is_native(cairn_layout_t layout, int* native);
// Elements of memory that a rank needs; leading dimension 0: the least.
CAIRN_C_EXPORT cairn_status cairn_layout_local_elements(cairn_layout_t layout, int rank,
                                                        int64_t leading_dimension, int64_t* elements);
CAIRN_C_EXPORT cairn_status cairn_layout_owner(cairn_layout_t layout, int64_t i, int64_t j, int* rank);
CAIRN_C_EXPORT cairn_status cairn_layout_text(cairn_layout_t layout, char* buffer, size_t size,
                                              size_t* length);
CAIRN_C_EXPORT cairn_status cairn_layout_equal(cairn_layout_t x, cairn_layout_t y, int* equal);
CAIRN_C_EXPORT cairn_status cairn_layout_free(cairn_layout_t* layout);

// ---- matrices ---------------------------------------------------------------------------------------------

// Collective. Memory of its own, all zeros.
CAIRN_C_EXPORT cairn_status cairn_matrix_create(cairn_context_t context, cairn_scalar type,
                                                cairn_layout_t layout, cairn_matrix_t* matrix);
// Collective. The caller's memory, `elements` long on this rank, which must outlive the matrix. Leading dimension
// 0: the least possible.
CAIRN_C_EXPORT cairn_status cairn_matrix_wrap(cairn_context_t context, cairn_scalar type,
                                              cairn_layout_t layout, void* memory, int64_t elements,
                                              int64_t leading_dimension, cairn_matrix_t* matrix);
CAIRN_C_EXPORT cairn_status cairn_matrix_shape(cairn_matrix_t matrix, int64_t* rows, int64_t* columns);
CAIRN_C_EXPORT cairn_status cairn_matrix_type(cairn_matrix_t matrix, cairn_scalar* type);
CAIRN_C_EXPORT cairn_status cairn_matrix_layout(cairn_matrix_t matrix,
                                                cairn_layout_t* layout);  // a new handle
CAIRN_C_EXPORT cairn_status cairn_matrix_context(cairn_matrix_t matrix,
                                                 cairn_context_t* context);  // likewise
// Local. This rank's memory in the order of the layout.
CAIRN_C_EXPORT cairn_status cairn_matrix_local(cairn_matrix_t matrix, void** memory, int64_t* elements,
                                               int64_t* leading_dimension);
// Local. f(i, j, address of the element, user) for every element of this rank, places counted in the whole matrix.
typedef void (*cairn_element_function)(int64_t i, int64_t j, void* element, void* user);
CAIRN_C_EXPORT cairn_status cairn_matrix_for_each(cairn_matrix_t matrix, cairn_element_function f,
                                                  void* user);
// Local. f for strips of columns: `count` elements from (row, column) on, each `stride` elements after the last.
typedef void (*cairn_strip_function)(int64_t row, int64_t column, int64_t count, void* first, int64_t stride,
                                     void* user);
CAIRN_C_EXPORT cairn_status cairn_matrix_for_each_strip(cairn_matrix_t matrix, cairn_strip_function f,
                                                        void* user);
// Collective. The whole matrix on one rank, column after column: rows * columns elements there, elsewhere `whole`
// is not looked at.
CAIRN_C_EXPORT cairn_status cairn_matrix_gather(cairn_matrix_t matrix, int root, void* whole);
// Collective. One element, on every rank.
CAIRN_C_EXPORT cairn_status cairn_matrix_at(cairn_matrix_t matrix, int64_t i, int64_t j, void* value);
CAIRN_C_EXPORT cairn_status cairn_matrix_free(cairn_matrix_t* matrix);

// Collective. Y := alpha op(X) + beta Y, from any layout to any other.
CAIRN_C_EXPORT cairn_status cairn_redistribute(const void* alpha, cairn_op op, cairn_matrix_t x,
                                               const void* beta, cairn_matrix_t y);

// ---- plans: all local, without MPI --------------------------------------------------------------------------

// C := alpha op(A) op(B) + beta C with op(A) m x k, op(B) k x n and C m x n.
typedef struct cairn_product {
  int64_t m, n, k;
  cairn_op op_a, op_b;
} cairn_product;

// Seconds that a message, a word of 8 bytes and a floating-point operation cost.
typedef struct cairn_machine {
  double alpha, beta, gamma;
} cairn_machine;
// As `cairn info --save FILE` measured it.
CAIRN_C_EXPORT cairn_status cairn_load_machine(const char* file, cairn_machine* machine);
// Collective. The machine of these ranks, measured in about so many seconds (0: one). `kept_in` may be NULL, a file of
// `cairn info --save`, or the folder where the program `cairn` keeps what it measured: then that is taken if it is there.
CAIRN_C_EXPORT cairn_status cairn_measure_machine(cairn_context_t context, double seconds,
                                                  const char* kept_in, cairn_machine* machine);

typedef struct cairn_plan_options {
  size_t struct_size;
  const char* algorithm;  // of cairn_algorithm_name
  cairn_objective objective;
  cairn_transport transport;
  double work_limit;             // most voxels per rank over mnk/P, where words are the objective; 0: 1.10
  int grid[3];                   // [pm, pn, pk], or zeros
  cairn_dimension rounds_along;  // of the dimension that is cut into
  int64_t rounds;                // so many rounds
  int64_t memory_bytes;          // most that a rank may hold
  int layers;
  int overlap;
  int lookahead;
  int candidates;         // listed by explain; 0: 8
  cairn_machine machine;  // all zeros: a usual one
  const char* tree;       // of bricks: "k(8:9){m2n2k2, m3n3}"
  // Strassen-like steps: NULL: off; "auto" or an order of steps as "BBD"; of a name of the catalogue (NULL: winograd).
  const char* fast;
  const char* fast_entry;
  double max_error_growth;  // most by which the error bound may exceed the classical one; 0: any
  int scaled;               // multiplied by powers of two first, and scaled back
} cairn_plan_options;

// Words are elements.
typedef struct cairn_plan_numbers {
  size_t struct_size;
  cairn_product product;
  cairn_scalar type;
  int ranks, idle_ranks;
  int grid[3];
  cairn_dimension rounds_along;
  int64_t rounds;
  int is_placed;  // for matrices that lie somewhere already
  int stays[3];   // A, B, C: neither moved nor copied
  int exact;      // the words are those of the run, counted rank by rank
  int candidates;
  int64_t words_total, words_busiest, words_sent;  // of all ranks; received and sent by the busiest
  double words_mean, words_bound, ratio;           // ratio: busiest or sent over bound
  int64_t messages;                                // received by the busiest rank
  int64_t memory_bytes;  // of the rank that holds most: its parts of A, B, C and work memory
  double seconds;        // predicted, in all
  double seconds_gather_a, seconds_gather_b, seconds_gather, seconds_multiply, seconds_combine_c;
  double work;                       // largest brick over mnk/P
  int levels;                        // Strassen-like steps, and fast levels inside a rank
  double error_bound, error_growth;  // over that of a classical product
} cairn_plan_numbers;

typedef struct cairn_plan_candidate {
  size_t struct_size;
  int grid[3];
  cairn_dimension rounds_along;
  int64_t rounds;
  int stays[3];
  int exact;
  int64_t words;
  double seconds, work;
  int64_t memory_bytes;
  int fast_levels;  // inside the product of a rank
} cairn_plan_candidate;

// The best schedule for a product on at most `ranks` ranks.
CAIRN_C_EXPORT cairn_status cairn_plan_multiply(const cairn_product* product, cairn_scalar type, int ranks,
                                                const cairn_plan_options* options, cairn_plan_t* plan);
// The best way to multiply matrices that are stored in these layouts.
CAIRN_C_EXPORT cairn_status cairn_plan_multiply_placed(const cairn_product* product, cairn_scalar type,
                                                       cairn_layout_t a, cairn_layout_t b, cairn_layout_t c,
                                                       int ranks, const cairn_plan_options* options,
                                                       cairn_plan_t* plan);
CAIRN_C_EXPORT cairn_status cairn_plan_get_numbers(cairn_plan_t plan, cairn_plan_numbers* numbers);
CAIRN_C_EXPORT cairn_status cairn_plan_describe(cairn_plan_t plan, char* buffer, size_t size, size_t* length);
// "[2, 3, 1]", or a tree; Strassen-like steps before the bricks, "BBD".
CAIRN_C_EXPORT cairn_status cairn_plan_bricks(cairn_plan_t plan, char* buffer, size_t size, size_t* length);
CAIRN_C_EXPORT cairn_status cairn_plan_steps(cairn_plan_t plan, char* buffer, size_t size, size_t* length);
CAIRN_C_EXPORT cairn_status cairn_plan_explain(cairn_plan_t plan, char* buffer, size_t size, size_t* length);
// Of the candidates, best first: its numbers, and why it was chosen or lost.
CAIRN_C_EXPORT cairn_status cairn_plan_get_candidate(cairn_plan_t plan, int index,
                                                     cairn_plan_candidate* candidate);
CAIRN_C_EXPORT cairn_status cairn_plan_candidate_why(cairn_plan_t plan, int index, char* buffer, size_t size,
                                                     size_t* length);
// 'A', 'B' or 'C'. A new handle.
CAIRN_C_EXPORT cairn_status cairn_plan_layout(cairn_plan_t plan, char matrix, cairn_layout_t* layout);
CAIRN_C_EXPORT cairn_status cairn_plan_free(cairn_plan_t* plan);
// What cairn_plan_options.algorithm may be: index 0, 1, ...; NULL after the last.
CAIRN_C_EXPORT const char* cairn_algorithm_name(int index);
// The same for Strassen-like families.
CAIRN_C_EXPORT const char* cairn_fast_algorithm_name(int index);

// ---- multiplying ------------------------------------------------------------------------------------------

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

// ---- products with triangles ------------------------------------------------------------------------------

// Of a matrix that is symmetric, Hermitian or triangular only the named triangle is read, written and moved.
typedef struct cairn_symmetric_options {
  size_t struct_size;
  const char* algorithm;  // auto, in-place, pattern
  cairn_objective objective;
  int parts;  // of the columns of the panels
  int threads;
  int64_t memory_bytes;
  cairn_machine machine;
} cairn_symmetric_options;

typedef struct cairn_symmetric_report {
  size_t struct_size;
  char pattern[64];
  int parts, in_place;
  int counted;  // words as counted on the messages of every rank; 0: expected
  double mean_words, busiest_words, bound_words, work;
  int64_t memory_bytes;
  double seconds;     // predicted
  cairn_moved moved;  // by this rank
} cairn_symmetric_report;

// Collective, all of them; `options` and `report` may be NULL. One triangle of C := alpha op(A) op(A)^T + beta C.
CAIRN_C_EXPORT cairn_status cairn_rank_k_update(cairn_triangle triangle, cairn_op op, const void* alpha,
                                                cairn_matrix_t a, const void* beta, cairn_matrix_t c,
                                                const cairn_symmetric_options* options,
                                                cairn_symmetric_report* report);
// C := alpha op(A) op(A)^H + beta C.
CAIRN_C_EXPORT cairn_status cairn_hermitian_rank_k_update(cairn_triangle triangle, cairn_op op, double alpha,
                                                          cairn_matrix_t a, double beta, cairn_matrix_t c,
                                                          const cairn_symmetric_options* options,
                                                          cairn_symmetric_report* report);
// C := alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C.
CAIRN_C_EXPORT cairn_status cairn_rank_2k_update(cairn_triangle triangle, cairn_op op, const void* alpha,
                                                 cairn_matrix_t a, cairn_matrix_t b, const void* beta,
                                                 cairn_matrix_t c, const cairn_symmetric_options* options,
                                                 cairn_symmetric_report* report);
// C := alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C.
CAIRN_C_EXPORT cairn_status cairn_hermitian_rank_2k_update(cairn_triangle triangle, cairn_op op,
                                                           const void* alpha, cairn_matrix_t a,
                                                           cairn_matrix_t b, double beta, cairn_matrix_t c,
                                                           const cairn_symmetric_options* options,
                                                           cairn_symmetric_report* report);
// C := alpha A B + beta C (left) or alpha B A + beta C (right), A symmetric, or Hermitian.
CAIRN_C_EXPORT cairn_status cairn_multiply_symmetric(cairn_side side, cairn_triangle triangle,
                                                     const void* alpha, cairn_matrix_t a, cairn_matrix_t b,
                                                     const void* beta, cairn_matrix_t c,
                                                     const cairn_symmetric_options* options,
                                                     cairn_symmetric_report* report);
CAIRN_C_EXPORT cairn_status cairn_multiply_hermitian(cairn_side side, cairn_triangle triangle,
                                                     const void* alpha, cairn_matrix_t a, cairn_matrix_t b,
                                                     const void* beta, cairn_matrix_t c,
                                                     const cairn_symmetric_options* options,
                                                     cairn_symmetric_report* report);
// B := alpha op(A) B (left) or alpha B op(A) (right), A triangular.
CAIRN_C_EXPORT cairn_status cairn_multiply_triangular(cairn_side side, cairn_triangle triangle, cairn_op op,
                                                      cairn_diagonal diagonal, const void* alpha,
                                                      cairn_matrix_t a, cairn_matrix_t b,
                                                      const cairn_symmetric_options* options,
                                                      cairn_symmetric_report* report);

// ---- factoring and solving ----------------------------------------------------------------------------------

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

// ---- sparse matrices ----------------------------------------------------------------------------------------

// Collective. `count` entries on this rank, any entries on any rank; those that stand several times are added up.
// Layouts: "rows" (NULL), "columns", "2d PRxPC", "on R".
CAIRN_C_EXPORT cairn_status cairn_sparse_create(cairn_context_t context, cairn_scalar type, int64_t rows,
                                                int64_t columns, int64_t count, const int64_t* entry_rows,
                                                const int64_t* entry_columns, const void* values,
                                                const char* layout, cairn_sparse_t* sparse);
CAIRN_C_EXPORT cairn_status cairn_sparse_shape(cairn_sparse_t sparse, int64_t* rows, int64_t* columns);
CAIRN_C_EXPORT cairn_status cairn_sparse_type(cairn_sparse_t sparse, cairn_scalar* type);
CAIRN_C_EXPORT cairn_status cairn_sparse_layout(cairn_sparse_t sparse, char* buffer, size_t size,
                                                size_t* length);
// Of this rank; collective: of all ranks.
CAIRN_C_EXPORT cairn_status cairn_sparse_local_entries(cairn_sparse_t sparse, int64_t* count);
CAIRN_C_EXPORT cairn_status cairn_sparse_entries(cairn_sparse_t sparse, int64_t* count);
// Local. This rank's entries, row after row, into arrays of cairn_sparse_local_entries elements.
CAIRN_C_EXPORT cairn_status cairn_sparse_local(cairn_sparse_t sparse, int64_t* entry_rows,
                                               int64_t* entry_columns, void* values);
// Collective. All entries on one rank, into arrays of cairn_sparse_entries elements; elsewhere they are not looked
// at.
CAIRN_C_EXPORT cairn_status cairn_sparse_gather(cairn_sparse_t sparse, int root, int64_t* entry_rows,
                                                int64_t* entry_columns, void* values);
// Collective. The same matrix in another layout.
CAIRN_C_EXPORT cairn_status cairn_sparse_in_layout(cairn_sparse_t sparse, const char* layout,
                                                   cairn_sparse_t* result);
// Local.
CAIRN_C_EXPORT cairn_status cairn_sparse_transposed(cairn_sparse_t sparse, cairn_sparse_t* result);
// How the product that made this matrix was done and why; empty for others.
CAIRN_C_EXPORT cairn_status cairn_sparse_explain(cairn_sparse_t sparse, char* buffer, size_t size,
                                                 size_t* length);
CAIRN_C_EXPORT cairn_status cairn_sparse_free(cairn_sparse_t* sparse);

// Local. The conjugate transpose; entries whose absolute value is above a threshold.
CAIRN_C_EXPORT cairn_status cairn_sparse_adjoint(cairn_sparse_t sparse, cairn_sparse_t* result);
CAIRN_C_EXPORT cairn_status cairn_sparse_prune(cairn_sparse_t sparse, double threshold,
                                               cairn_sparse_t* result);
// Collective. Entry (r, c) of the result is entry (rows[r], columns[c]), counted from 0: any order, also twice; the same
// lists on every rank.
CAIRN_C_EXPORT cairn_status cairn_sparse_extract(cairn_sparse_t sparse, const int64_t* rows,
                                                 int64_t row_count, const int64_t* columns,
                                                 int64_t column_count, cairn_sparse_t* result);
// Collective. Entry (i, j) goes to (new_row[i], new_column[j]): permutations, the same on every rank; NULL changes
// nothing. Shuffled: by random ones that follow from the seed and the sizes alone; back: those undone.
CAIRN_C_EXPORT cairn_status cairn_sparse_permuted(cairn_sparse_t sparse, const int64_t* new_row,
                                                  const int64_t* new_column, cairn_sparse_t* result);
CAIRN_C_EXPORT cairn_status cairn_sparse_shuffled(cairn_sparse_t sparse, int64_t seed, int back,
                                                  cairn_sparse_t* result);
// Collective. Entries of either matrix, those of both added up; entries of both, multiplied: by the semiring's + and *.
CAIRN_C_EXPORT cairn_status cairn_sparse_add(cairn_sparse_t a, cairn_sparse_t b, cairn_semiring semiring,
                                             cairn_sparse_t* result);
CAIRN_C_EXPORT cairn_status cairn_sparse_multiply_elements(cairn_sparse_t a, cairn_sparse_t b,
                                                           cairn_semiring semiring, cairn_sparse_t* result);
// Collective. Sums of rows, or of columns, by the semiring's addition, cut as cairn_dense_rows says.
CAIRN_C_EXPORT cairn_status cairn_sparse_sums(cairn_sparse_t sparse, int of_columns, cairn_semiring semiring,
                                              void* sums);

// What a product has learnt of its patterns: later products of the same patterns send values alone.
CAIRN_C_EXPORT cairn_status cairn_pattern_create(cairn_scalar type, cairn_pattern_t* pattern);
CAIRN_C_EXPORT cairn_status cairn_pattern_known(cairn_pattern_t pattern, int* known);
CAIRN_C_EXPORT cairn_status cairn_pattern_free(cairn_pattern_t* pattern);

typedef struct cairn_spgemm_options {
  size_t struct_size;
  const char* algorithm;  // NULL: auto
  cairn_semiring semiring;
  int layers;
  int least_time;  // auto: least time; 0: fewest bytes
  int verify;
  int threads;           // 0: 1
  int64_t memory_bytes;  // most a rank may hold, expected
} cairn_spgemm_options;

typedef struct cairn_spgemm_report {
  size_t struct_size;
  char method[128];
  int64_t bytes_sent, bytes_received, messages_sent, messages_received;  // of this rank
  int64_t bytes_around;                                                  // to plan, to convert, to check
  int64_t entries_received;
  double expected_bytes, bound_entries;
  int64_t voxels;
} cairn_spgemm_report;

// Collective. C = A B over a semiring. `pattern` and `report` may be NULL.
CAIRN_C_EXPORT cairn_status cairn_spgemm(cairn_sparse_t a, cairn_sparse_t b,
                                         const cairn_spgemm_options* options, cairn_pattern_t pattern,
                                         cairn_sparse_t* c, cairn_spgemm_report* report);
// Collective. Only entries of C where the mask has one (complement: has none) are computed.
CAIRN_C_EXPORT cairn_status cairn_spgemm_masked(cairn_sparse_t a, cairn_sparse_t b, cairn_sparse_t mask,
                                                int complement, const cairn_spgemm_options* options,
                                                cairn_sparse_t* c, cairn_spgemm_report* report);
// Collective. P^H A P; A to the power of `exponent`, 0 or more. `report` may be NULL.
CAIRN_C_EXPORT cairn_status cairn_galerkin(cairn_sparse_t a, cairn_sparse_t p,
                                           const cairn_spgemm_options* options, cairn_sparse_t* c,
                                           cairn_spgemm_report* report);
CAIRN_C_EXPORT cairn_status cairn_power(cairn_sparse_t a, int64_t exponent,
                                        const cairn_spgemm_options* options, cairn_sparse_t* c,
                                        cairn_spgemm_report* report);
// Local. The rows of a dense matrix beside sparse ones that this rank has.
CAIRN_C_EXPORT cairn_status cairn_dense_rows(cairn_context_t context, int64_t length, int64_t* first,
                                             int64_t* count);
// Collective. Y = A X with X dense, `width` columns wide, rows cut as cairn_dense_rows says, row after row in memory.
CAIRN_C_EXPORT cairn_status cairn_spmm(cairn_sparse_t a, const void* x, int64_t width,
                                       cairn_semiring semiring, void* y);

// ---- files ------------------------------------------------------------------------------------------------

// A raw file says nothing of itself; its length must be just this.
typedef struct cairn_raw_file {
  int64_t rows, columns;
  int64_t offset;  // bytes before the first element
  cairn_scalar type;
  int row_major, big_endian;
} cairn_raw_file;

typedef struct cairn_read_options {
  size_t struct_size;
  const char* format;         // npy, mtx, hdf5, raw; NULL: by the first bytes, then by the name
  const char* dataset;        // of HDF5
  const cairn_raw_file* raw;  // what a raw file holds; read as raw if this is given
} cairn_read_options;

typedef struct cairn_write_options {
  size_t struct_size;
  const char* format;   // NULL: by the name
  const char* dataset;  // of HDF5; NULL: /matrix
  int row_major;        // of .npy and raw files; 0: as the matrix lies in memory
  int column_major;
} cairn_write_options;

typedef struct cairn_file_info {
  size_t struct_size;
  char format[16];
  char dataset[256];
  int64_t rows, columns;
  cairn_scalar type;
  int row_major;
} cairn_file_info;

// Collective, all of them; an error names the file, the place in it and what was expected.
CAIRN_C_EXPORT cairn_status cairn_probe_file(cairn_context_t context, const char* path,
                                             const cairn_read_options* options, cairn_file_info* info);
// The matrix in the file becomes `matrix`, which has its shape, whatever its layout.
CAIRN_C_EXPORT cairn_status cairn_read_file(const char* path, cairn_matrix_t matrix,
                                            const cairn_read_options* options);
// The file appears under its name when it is complete.
CAIRN_C_EXPORT cairn_status cairn_write_file(const char* path, cairn_matrix_t matrix,
                                             const cairn_write_options* options);
CAIRN_C_EXPORT cairn_status cairn_read_sparse_file(cairn_context_t context, cairn_scalar type,
                                                   const char* path, const char* layout,
                                                   cairn_sparse_t* sparse);
CAIRN_C_EXPORT cairn_status cairn_write_sparse_file(const char* path, cairn_sparse_t sparse);

#ifdef __cplusplus
}
#endif

#endif
