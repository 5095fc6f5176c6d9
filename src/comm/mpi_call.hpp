// MPI's return codes as errors, and the limits of its 32-bit interface.
#pragma once

#include <mpi.h>

#include "base/size.hpp"

namespace cairn::comm {

// Throws CommError with MPI's own text when `code` is not MPI_SUCCESS.
void check_mpi(int code, const char* call);

// True between MPI_Init and MPI_Finalize: only then may a handle be used or freed.
bool mpi_is_alive() noexcept;

// The most elements one MPI message may carry. Longer ones travel as several: MPI counts are 32-bit, and some
// transports stop short of 2^31 bytes. A test build sets CAIRN_MESSAGE_ELEMENTS to a few hundred, so that
// every path is taken with small data.
#ifdef CAIRN_MESSAGE_ELEMENTS
inline constexpr Index message_limit(Index /*element_bytes*/) { return CAIRN_MESSAGE_ELEMENTS; }
#else
inline constexpr Index message_limit(Index element_bytes) { return (Index{1} << 30) / element_bytes; }
#endif

}  // namespace cairn::comm
