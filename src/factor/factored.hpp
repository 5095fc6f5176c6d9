// A matrix, factored, and all that can be done with its factors: the level that the command line and the front door
// stand on.
#pragma once

#include <optional>

#include "factor/cholesky.hpp"
#include "factor/plan.hpp"
#include "factor/triangular.hpp"

namespace cairn::factor {

// Collective. Throws ArgumentError on every rank if an element is not finite: it says which, the first by columns.
// `part`: the triangle that counts; none: all.
template <Scalar T>
void require_finite(comm::CommView comm, const layout::MatrixView<const T>& a, std::optional<Triangle> part);

// Collective. The largest |element| of those that `part` names, on every rank.
template <Scalar T>
double largest_element(comm::CommView comm, const layout::MatrixView<const T>& a,
                       std::optional<Triangle> part);

// det A = sign exp(log): |sign| = 1, or both 0 and -inf.
template <Scalar T>
struct LogDeterminant {
  T sign = T(1);
  double log = 0;
};

template <Scalar T>
class FactoredLu {
 public:
  // Memory for the factors, as the plan wants it.
  FactoredLu(comm::CommView comm, const FactorPlan& plan);
  // Collective. The memory of A, which must outlive this and is overwritten: a plan that stays there (in_place). There
  // is nothing to load.
  FactoredLu(comm::CommView comm, const FactorPlan& plan, const layout::MatrixView<T>& a);

  // Collective. Takes A over, and factors it. Loading moves what is not where the plan wants it ("redistribute").
  void load(const layout::MatrixView<const T>& a, bool norms = true);
  void factor(PivotChoice pivoting = PivotChoice::tournament, program::Trace* trace = nullptr);

  const LuShape& shape() const { return tiles_->shape(); }
  const LuTiles<T>& tiles() const { return *tiles_; }
  Index info() const { return result_.info; }
  const std::vector<Index>& order() const { return result_.order; }  // row r of P A is row order()[r] of A
  std::vector<Index> swaps() const;                                  // the same as LAPACK's ipiv, from 0

  // Collective. max |U| / max |A|. As the condition it wants the norms of A, taken when it was loaded.
  double growth();
  // Collective, in place: op(A) X = B. Throws where A is not square or U has a zero on its diagonal.
  void solve(Op op, const layout::MatrixView<T>& b);
  // Collective. L (m x k, ones on its diagonal), U (k x n), k = min(m, n), or both in one m x n matrix; rows in the order
  // of the pivots; into any layout.
  void copy_lower(const layout::MatrixView<T>& l);
  void copy_upper(const layout::MatrixView<T>& u);
  void copy_both(const layout::MatrixView<T>& f);
  LogDeterminant<T> log_determinant();
  // Collective. An estimate of 1 / (|A| |A^-1|) in the 1-norm (Hager, Higham), from |A| and about five solves.
  double reciprocal_condition();

 private:
  void measure(const layout::MatrixView<const T>& a);
  void collect();  // layers, once; and what solves need
  layout::DistMatrix<T> both();

  comm::CommView comm_;
  std::shared_ptr<LuTiles<T>> tiles_;
  LuResult<T> result_;
  double largest_ = 0;
  std::optional<double> one_norm_;  // of A, if it was asked for
  bool collected_ = false;
  std::optional<TriangularSystem<T>> system_;
};

template <Scalar T>
class FactoredCholesky {
 public:
  FactoredCholesky(comm::CommView comm, const FactorPlan& plan, Triangle triangle);
  // Collective. In the memory of A as FactoredLu has it: the lower triangle.
  FactoredCholesky(comm::CommView comm, const FactorPlan& plan, const layout::MatrixView<T>& a);

  void load(const layout::MatrixView<const T>& a, bool norms = true);  // only the triangle is read
  void factor(program::Trace* trace = nullptr);

  const CholeskyShape& shape() const { return tiles_.shape(); }
  const CholeskyTiles<T>& tiles() const { return tiles_; }
  Index info() const { return info_; }  // 0, or the order of the first leading minor that is not positive
  // Collective, in place: A X = B. Throws where A is not positive definite.
  void solve(const layout::MatrixView<T>& b);
  // Collective. L or U as `triangle` said, zeros in the other half.
  void copy_factor(const layout::MatrixView<T>& out);
  // The same, but the other half of `out` is neither read nor written.
  void copy_triangle(const layout::MatrixView<T>& out);
  double log_determinant();
  double reciprocal_condition();

 private:
  void measure(const layout::MatrixView<const T>& a);
  void make_system();

  comm::CommView comm_;
  Triangle triangle_;
  CholeskyTiles<T> tiles_;
  Index info_ = 0;
  std::optional<double> one_norm_;
  std::optional<TriangularSystem<T>> system_;
};

}  // namespace cairn::factor
