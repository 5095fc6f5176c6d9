// Short measurements of this machine.
#pragma once

#include "comm/communicator.hpp"

namespace cairn::cli {

double seconds_now();

double gemm_flops_per_second(Index n);      // double, all ranks that call it at once
double copy_bytes_per_second(Index bytes);  // memory to memory, bytes counted once

struct Link {
  double alpha = 0;  // seconds a message
  double beta = 0;   // seconds a byte
};
// Collective. Ping-pong between rank 0 and the last rank; the same numbers on every rank.
Link measure_link(comm::CommView comm);

}  // namespace cairn::cli
