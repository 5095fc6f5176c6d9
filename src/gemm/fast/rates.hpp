// How fast this machine multiplies and adds, and the levels of fast products that pay there.
#pragma once

#include <span>
#include <vector>

#include "gemm/fast/local.hpp"

namespace cairn::gemm::fast {

// Double precision, with the threads that the process will use. Sides rise. Sums: bytes read plus written
// per second by one pass over three square blocks. The defaults are those of a server core of 2023.
struct FastRates {
  struct Point {
    double side = 0;
    double rate = 0;
    friend bool operator==(const Point&, const Point&) = default;
  };
  int threads = 1;
  std::vector<Point> gemm = {{32, 2.0e10},  {64, 2.9e10},   {128, 3.8e10},  {256, 4.5e10},
                             {512, 4.9e10}, {1024, 5.1e10}, {2048, 5.2e10}, {4096, 5.2e10}};
  std::vector<Point> sums = {{32, 3.0e10},  {64, 3.0e10},   {128, 3.0e10},   {256, 2.5e10},
                             {512, 2.0e10}, {1024, 1.3e10}, {2048, 1.05e10}, {4096, 1.0e10}};
  // By what part of its time one and the same product went up or down while the rates were measured.
  double noise = 0;
  friend bool operator==(const FastRates&, const FastRates&) = default;
};

// A point between two is interpolated in the logarithm of the side; beyond them the nearest.
double rate_at(std::span<const FastRates::Point> points, double side);

// The same for products: beyond the last point the rate rises on as packing weighs less and less.
double gemm_rate_at(std::span<const FastRates::Point> points, double side);

// Measured now, in about `seconds`: BLAS as it is set, sums by `workers`. Library code that takes time, for
// `cairn tune` and benchmarks.
FastRates measure_rates(Workers& workers, double seconds);

// Seconds of a product by these rates.
double predicted_seconds(const LocalProduct& p, bool keeps, ScalarType type, const FastRates& rates);

struct LocalLimits {
  double max_error_growth = 1e300;  // of error_growth
  Index workspace_bytes = -1;       // no limit: below 0
  double least_gain = 1.03;         // predicted, below which BLAS is taken; more where the rates are noisy
  Index least_leaf = 256;           // shortest side of a product that BLAS is left with
  int levels = 6;                   // at most
};

// BLAS, or Winograd's form on as many levels as are predicted to be fastest within the limits.
LocalProduct choose_levels(LocalProduct p, bool keeps, ScalarType type, const FastRates& rates,
                           const LocalLimits& limits = {});

}  // namespace cairn::gemm::fast
