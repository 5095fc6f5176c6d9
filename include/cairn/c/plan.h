// Plans of products, and the machine they are made for. All local but the measuring, without MPI.
#ifndef CAIRN_C_PLAN_H
#define CAIRN_C_PLAN_H

#include "cairn/c/base.h"

CAIRN_C_BEGIN

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
// Collective. The machine of these ranks, measured in about this many seconds (0: one). `kept_in` may be NULL, a file of
// `cairn info --save`, or the folder where the program `cairn` keeps what it measured: then that is taken if it is there
// and, in a folder, still holds.
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
  int64_t rounds;                // this many rounds
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
  double max_error_growth;  // largest factor by which the error bound may exceed the classical one; 0: any
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

CAIRN_C_END

#endif
