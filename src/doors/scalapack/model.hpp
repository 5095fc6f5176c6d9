// What ScaLAPACK's own routines cost: words and messages that the busiest process receives, operations, and the time
// that makes on a machine. docs/internals/scalapack.md has the formulas and where they come from. Pure.
#pragma once

#include "cairn/plan.hpp"

namespace cairn::scalapack {

struct Estimate {
  double words = 0;  // elements
  double messages = 0;
  double flops = 0;   // real operations of one process
  double copied = 0;  // elements that one process reads and writes in memory, beside BLAS
  double seconds = 0;
};

// What a number of these weighs on a machine whose words have 8 bytes and whose operations are those of double.
struct Weight {
  double bytes = 8;
  double flops_per_voxel = 2;
  double speed = 1;  // operations of this type in the time of one of double
};
template <Scalar T>
constexpr Weight weight_of() {
  return {sizeof(T), static_cast<double>(ScalarTraits<T>::flops_per_voxel),
          sizeof(typename ScalarTraits<T>::Real) == 4 ? 2.0 : 1.0};
}

struct Shape {
  Index m = 0, n = 0, k = 0;
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

class Model {
 public:
  Model(int process_rows, int process_columns, Index block, Weight weight, const Machine& machine)
      : rows_(process_rows),
        columns_(process_columns),
        block_(static_cast<double>(block)),
        weight_(weight),
        machine_(machine) {}

  Estimate product(const Shape& s) const;     // m x n x k
  Estimate triangular(const Shape& s) const;  // a k x k triangle and m x n right-hand sides
  Estimate rank_k(Index n, Index k) const;    // half of a product
  Estimate lu(Index m, Index n) const;
  Estimate cholesky(Index n) const;
  Estimate row_exchanges(Index rows, Index columns) const;  // of right-hand sides, by pivots
  Estimate add(Index m, Index n, bool transposed) const;    // geadd and tran
  Estimate between(Index m, Index n) const;                 // gemr2d
  // Ours, where the planner has no prediction: m x n elements that may all have to move, and a triangular solve.
  Estimate move(Index m, Index n) const;
  Estimate copied_twice(Index m, Index n) const;  // in and out again, where they are
  Estimate our_triangular(const Shape& s) const;
  // Agreements on arguments and the like that a call of ours makes before it begins.
  double overhead() const;

  Estimate priced(Estimate e) const;  // with its seconds
  double flops(double voxels) const { return voxels * weight_.flops_per_voxel; }
  double processes() const { return rows_ * columns_; }

 private:
  double largest_share(double n, double processes) const;

  double rows_, columns_, block_;
  Weight weight_;
  Machine machine_;
};

}  // namespace cairn::scalapack
