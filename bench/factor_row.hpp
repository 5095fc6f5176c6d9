// One row of `cairn bench factor`: an operation on one matrix, by Cairn and by ScaLAPACK in several block sizes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/factored_system.hpp"
#include "bench/scalapack.hpp"

namespace cairn::bench {

enum class Task { factor, solve, factor_and_solve };

struct FactorRow {
  Index n = 0;
  bool definite = false;  // Cholesky; else LU
  Task task = Task::factor;
  Index right_sides = 1;

  std::string peer() const;  // pdgetrf, pdpotrs ...
};

struct FactorRowOptions {
  std::vector<Index> blocks;  // of ScaLAPACK
  factor::FactorSettings settings;
  double seconds = 20;  // of the times
};

// Collective. Ours once, in bytes that each rank received as Traffic has them, under "received_bytes". No ScaLAPACK.
nlohmann::json count_ours(comm::CommView c, const FactorRow& row, const FactorRowOptions& o);
// Collective. Everything up to the call, and the call itself unless `only_before`: for the wire.
void run_peer(comm::CommView c, const FactorRow& row, Index block, bool only_before);
// Collective. Interleaved times of ours, of ScaLAPACK in every block size and, on up to two ranks, of the local LAPACK
// with as many threads; how well ours fits.
nlohmann::json time_row(comm::CommView c, const FactorRow& row, const FactorRowOptions& o);

}  // namespace cairn::bench
