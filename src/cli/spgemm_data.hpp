// What cairn spgemm is asked for, where its matrices come from, and one measured product.
#pragma once

#include <string>
#include <vector>

#include "comm/traffic.hpp"
#include "sparse/generate_sparse.hpp"
#include "sparse/spgemm_run.hpp"

namespace cairn::cli {

struct SpgemmRequest {
  std::string a, b, out, mask;
  std::string generator, generator_b;
  std::string algorithm = "auto", semiring = "plus-times", layout = "native", objective = "bytes", type = "d";
  int layers = 0;
  Index memory = 0;
  bool mask_complement = false, plan_only = false, json = false;
  int verify = 2, repeat = 3, ranks = 4;
};

template <Scalar T>
struct SpgemmMeasured {
  sparse::SpgemmPlan plan;
  sparse::SpgemmOutcome<T> outcome;  // of the last run
  comm::TrafficSnapshot traffic;     // of this rank in the last run
  std::vector<double> seconds;       // of the slowest rank, run by run
  double seconds_multiply = 0;       // of the slowest rank, in the last run
  Index entries_c = 0;
};

// Collective.
template <Scalar T>
sparse::SpgemmPlan plan_spgemm_for(comm::CommView c, const SpgemmRequest& o);
template <Scalar T>
SpgemmMeasured<T> measure_spgemm(comm::CommView c, const SpgemmRequest& o, int threads);

}  // namespace cairn::cli
