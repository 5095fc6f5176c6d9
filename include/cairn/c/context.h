// Contexts: a communicator, with everything Cairn keeps for it.
#ifndef CAIRN_C_CONTEXT_H
#define CAIRN_C_CONTEXT_H

#include "cairn/c/base.h"

CAIRN_C_BEGIN

typedef struct cairn_context_options {
  size_t struct_size;
  double watchdog_seconds;  // a rank that waits longer for the others gets CAIRN_ERROR_TIMEOUT; 0: it waits
} cairn_context_options;

// Collective. A communicator, with everything Cairn keeps for it between calls. It talks over a duplicate. Freed by
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

CAIRN_C_END

#endif
