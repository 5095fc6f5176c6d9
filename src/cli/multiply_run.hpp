// One schedule run again and again, beside the same local products alone, and once step by step.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cli/multiply_files.hpp"
#include "comm/traffic_table.hpp"
#include "gemm/trace.hpp"
#include "gemm/verify.hpp"

namespace cairn::cli {

struct MultiplyRun {
  const MultiplyFiles& files;
  int repeat = 3;
  int verify_rounds = 2;                              // 0: the result is not looked at
  std::function<void(int step, int steps)> progress;  // before each step
  gemm::Trace* trace = nullptr;                       // of the last repetition
};

struct PhaseTime {
  std::string phase;
  double seconds = 0;  // of the slowest rank
};

struct MultiplyOutcome {
  std::vector<double> seconds;            // of the slowest rank, one a repeat
  std::vector<double> local_seconds;      // the brick of each rank by the local BLAS alone, all ranks at once
  std::vector<PhaseTime> phases;          // gather A, gather B, multiply, combine C
  std::vector<comm::TrafficRow> traffic;  // of one multiply, by phase, "total" last; agreements left out
  std::optional<gemm::Verdict> verdict;
  double read_seconds = 0, write_seconds = 0;  // of the slowest rank

  bool right() const { return !verdict || verdict->passed; }  // or not looked at
};

// Collective. With the matrices of the files, else the numbers of fill_random. A result that is not wrong is
// written to files.out.
template <Scalar T>
MultiplyOutcome run_multiply(comm::CommView comm, const gemm::Schedule& schedule, T alpha, T beta,
                             const MultiplyRun& how);

extern template MultiplyOutcome run_multiply(comm::CommView, const gemm::Schedule&, float, float,
                                             const MultiplyRun&);
extern template MultiplyOutcome run_multiply(comm::CommView, const gemm::Schedule&, double, double,
                                             const MultiplyRun&);
extern template MultiplyOutcome run_multiply(comm::CommView, const gemm::Schedule&, std::complex<float>,
                                             std::complex<float>, const MultiplyRun&);
extern template MultiplyOutcome run_multiply(comm::CommView, const gemm::Schedule&, std::complex<double>,
                                             std::complex<double>, const MultiplyRun&);

}  // namespace cairn::cli
