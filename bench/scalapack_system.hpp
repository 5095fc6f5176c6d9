// A square matrix and right-hand sides dealt in square blocks round a grid of all ranks, factored and solved by
// ScaLAPACK.
#pragma once

#include <vector>

#include "bench/scalapack.hpp"
#include "layout/dist_matrix.hpp"

namespace cairn::bench {

// The random matrix of a benchmark: uniform in (-1, 1), or Hermitian with a diagonal that makes it definite.
double system_element(Index i, Index j, Index n, bool definite);

// Square blocks on the grid of all ranks that is nearest to a square.
layout::BlockCyclic near_square(int ranks, Index block);

class ScaLapackSystem {
 public:
  // Collective over MPI_COMM_WORLD.
  ScaLapackSystem(comm::CommView c, const ScaLapack& library, Index n, Index right_sides, Index block,
                  bool definite);
  ~ScaLapackSystem() { library_.release(context_); }
  ScaLapackSystem(const ScaLapackSystem&) = delete;
  ScaLapackSystem& operator=(const ScaLapackSystem&) = delete;

  // What the others change.
  void restore_matrix();
  void restore_right_sides();

  void factor();            // pdgetrf or pdpotrf
  void solve();             // pdgetrs or pdpotrs
  void factor_and_solve();  // pdgesv or pdposv

  layout::MatrixView<double> right_sides() { return b_.view(); }
  layout::MatrixView<const double> matrix() const { return a_.view(); }
  const layout::Layout& right_sides_layout() const { return b_.layout(); }

 private:
  Operand described(const layout::DistMatrix<double>& m) const;

  const ScaLapack& library_;
  Index n_, right_sides_;
  layout::BlockCyclic how_;
  bool definite_;
  int rank_, context_;
  layout::DistMatrix<double> a_, b_;
  std::vector<int> ipiv_;
};

}  // namespace cairn::bench
