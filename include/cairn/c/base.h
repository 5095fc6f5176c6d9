// What all of Cairn's C functions share: errors, versions, handles, the names of choices.
#ifndef CAIRN_C_BASE_H
#define CAIRN_C_BASE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "cairn/version.h"

#if defined(__GNUC__)
#define CAIRN_C_EXPORT __attribute__((visibility("default")))
#else
#define CAIRN_C_EXPORT
#endif

// Around declarations of C.
#ifdef __cplusplus
#define CAIRN_C_BEGIN extern "C" {
#define CAIRN_C_END }
#else
#define CAIRN_C_BEGIN
#define CAIRN_C_END
#endif

// cairn_plan_options options = CAIRN_INIT(cairn_plan_options);
#define CAIRN_INIT(type) \
  { .struct_size = sizeof(type) }

CAIRN_C_BEGIN

// ---- errors and versions ---------------------------------------------------------------------------------

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

// ---- handles ---------------------------------------------------------------------------------------------

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

// ---- enumerations ----------------------------------------------------------------------------------------

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

CAIRN_C_END

#endif
