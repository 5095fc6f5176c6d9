// One scenario on one number of ranks: what each algorithm moves, counted on its schedule. No MPI.
#pragma once

#include "bench/volume_scenarios.hpp"
#include "plan/plan.hpp"

namespace cairn::bench {

// Words a rank of the grid receives, on average and at most; none where the memory does not suffice.
struct Volume {
  double words = 0;
  double busiest = 0;
  std::string how;  // the grid, or how much memory it would need
  bool fits = true;
};

class VolumePoint {
 public:
  VolumePoint(const Setting& at, int ranks);

  double bound() const;  // words, for this memory
  // Where the limit does not bind, the planner's own answer.
  Volume cosma() const;
  // The best of all grids [d0, d1, 1] with at most 1.10 of an even share of the work.
  Volume summa() const;
  // As many layers as fit and move fewest words.
  Volume layers() const;
  // On the power of two below. Where its brick does not fit, it halves the longest dimension and does the
  // halves one after the other, each on all ranks, until it does.
  Volume carma() const;

 private:
  Volume in_panels(const gemm::Grid& grid) const;

  Setting at_;
  int ranks_;
  plan::Settings settings_;
};

}  // namespace cairn::bench
