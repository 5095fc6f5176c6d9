// Factoring distributed matrices and solving with them. Three lines:
//
//   cairn::Matrix<double> a(context, layout), b(context, layout_of_b);   // filled
//   cairn::solve(a, b);                                                  // b is x
//   // or, to solve again and again: auto f = cairn::lu(a);  f.solve(b);
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cairn/export.hpp"
#include "cairn/matrix.hpp"
#include "cairn/pivoting.hpp"
#include "cairn/plan.hpp"
#include "cairn/shared.hpp"

namespace cairn {

namespace detail {
template <Scalar T>
struct LuState;
template <Scalar T>
struct CholeskyState;
}  // namespace detail

struct FactorOptions {
  // time: shortest predicted time on `machine`. words (and volume): fewest words per rank.
  Objective objective = Objective::time;
  // auto; 2d: one layer on a grid; conflux (LU), confchox (Cholesky): layers of square grids, as in their paper
  std::string algorithm = "auto";
  std::optional<int> layers = {};  // that apply whole steps in turn, each with a copy of the matrix
  std::optional<Index> step = {};  // columns that are factored at a time
  std::optional<Index> memory_bytes =
      {};  // most bytes a rank may hold: its part of the factors and work memory
  PivotChoice pivoting = PivotChoice::tournament;
  bool check_finite = true;  // an element that is not finite is an ArgumentError that says where
  bool norms = true;         // of A are kept: growth() and reciprocal_condition() want them
  // The factors are wanted in the layout of A: the plan counts moving them there, and stays there in case of doubt.
  bool back = false;
  Machine machine = {};
};

// What was or would be done. Words are elements.
struct CAIRN_EXPORT FactorReport {
  std::string pattern;  // of tiles on the positions of a layer: "2x3", "G5", "S4 r=8"
  int layers = 1;
  Index step = 1;
  double mean_words = 0;     // sent per rank; of LU an expectation, pivots are not known before
  double busiest_words = 0;  // of the busiest rank, sent and received averaged
  double bound_words = 0;    // some rank must send or receive this many, whatever the algorithm
  double cyclic_words = 0;   // the least of even cyclic layouts
  Index memory_bytes = 0;    // of the rank that holds most
  double seconds = 0;        // predicted
  std::string describe() const;
};
// Pure: answers for any number of ranks. Throws MemoryError where nothing fits; it names the least that does.
CAIRN_EXPORT FactorReport plan_lu(Index rows, Index columns, ScalarType type, int ranks,
                                  const FactorOptions& options = {});
CAIRN_EXPORT FactorReport plan_cholesky(Index n, ScalarType type, int ranks,
                                        const FactorOptions& options = {});
// Local. What lu() and cholesky() do with a matrix in this layout: moving it counts, and staying where it is is one of the
// choices. The plan is kept with the context.
CAIRN_EXPORT FactorReport plan_lu(const Context& context, const Layout& a, ScalarType type,
                                  const FactorOptions& options = {});
CAIRN_EXPORT FactorReport plan_cholesky(const Context& context, const Layout& a, Triangle triangle,
                                        ScalarType type, const FactorOptions& options = {});

// P A = L U. All functions are collective. A handle: copies share the factors.
template <Scalar T>
class CAIRN_EXPORT LuFactors {
 public:
  Index rows() const;
  Index columns() const;
  // 0, or the first i + 1 for which U(i, i) is zero, as LAPACK has it: the factors are right all the same.
  Index info() const;
  // Row r of P A is row permutation()[r] of A.
  const std::vector<Index>& permutation() const;
  // The same as LAPACK's ipiv, counted from 0: row i changed places with row swaps()[i], i = 0, 1, ...
  std::vector<Index> swaps() const;
  double growth() const;  // max |U| / max |A|; as reciprocal_condition() not without FactorOptions::norms
  // op(A) X = B; B becomes X, in any layout. ResultError where A is singular. Words: those of B that are not where they
  // must be, and about 2 n columns(B) (1/Px + 1/Py) per rank of a grid Px x Py; L and U stay.
  void solve(Matrix<T>& b, Op op = Op::none) const;
  // L (m x k, ones on its diagonal) and U (k x n), k = min(m, n), rows in the order of the pivots, into any layout.
  void copy_lower(Matrix<T>& l) const;
  void copy_upper(Matrix<T>& u) const;
  // Both in one m x n matrix, as LAPACK and ScaLAPACK keep them; with swaps() that is ScaLAPACK's result.
  void copy_factors(Matrix<T>& f) const;
  struct LogDeterminant {
    T sign = T(1);   // of size 1, or 0
    double log = 0;  // of |det A|
  };
  LogDeterminant log_determinant() const;
  double reciprocal_condition() const;  // an estimate, 1-norm; 0 where A is singular
  const FactorReport& report() const;

  explicit LuFactors(std::shared_ptr<detail::LuState<T>> state) : state_(std::move(state)) {}

 private:
  detail::Shared<detail::LuState<T>> state_;
};

// A = L L^H or U^H U. Collective, a handle, as LuFactors.
template <Scalar T>
class CAIRN_EXPORT CholeskyFactor {
 public:
  Index order() const;
  Index info() const;  // 0, or the order of the first leading minor that is not positive
  void solve(Matrix<T>& b) const;
  void copy_factor(Matrix<T>& f) const;    // L or U, zeros in the other half
  void copy_triangle(Matrix<T>& f) const;  // the same, and the other half of f stays as it is
  double log_determinant() const;
  double reciprocal_condition() const;
  const FactorReport& report() const;

  explicit CholeskyFactor(std::shared_ptr<detail::CholeskyState<T>> state) : state_(std::move(state)) {}

 private:
  detail::Shared<detail::CholeskyState<T>> state_;
};

// Collective. A of any shape in any layout; it is copied, not changed. Errors are the same on all ranks, before any work.
template <Scalar T>
CAIRN_EXPORT LuFactors<T> lu(const Matrix<T>& a, const FactorOptions& options = {});
// Collective. Only the named triangle of A is read.
template <Scalar T>
CAIRN_EXPORT CholeskyFactor<T> cholesky(const Matrix<T>& a, Triangle triangle = Triangle::lower,
                                        const FactorOptions& options = {});

// Collective. In the memory of A, of which no copy is made: work memory is a few steps of columns. A must stay, and must
// not be written to, as long as the factors are used. ArgumentError where the layout of A does not allow it: blocks dealt
// to a grid of all ranks and kept by columns do, and so does a matrix that lies on one rank; for Cholesky the blocks and
// the grid must be square, for LU of a wide matrix its rows a multiple of the steps, which are the
// blocks of columns.
// Each rank then has the factors of its own rows, in the order in which they became pivots: copy_factors puts them in
// order, in another matrix.
template <Scalar T>
CAIRN_EXPORT LuFactors<T> lu_in_place(Matrix<T>& a, const FactorOptions& options = {});
// The lower triangle of A becomes L; what is above it is neither read nor written. Solves use it where it lies.
template <Scalar T>
CAIRN_EXPORT CholeskyFactor<T> cholesky_in_place(Matrix<T>& a, const FactorOptions& options = {});

// Collective. A X = B; B becomes X. By LU.
template <Scalar T>
CAIRN_EXPORT void solve(const Matrix<T>& a, Matrix<T>& b, const FactorOptions& options = {});
// Collective. op(T) X = alpha B or X op(T) = alpha B for a triangle T; B becomes X.
template <Scalar T>
CAIRN_EXPORT void solve_triangular(Side side, Triangle triangle, Op op, Diagonal diagonal,
                                   std::type_identity_t<T> alpha, const Matrix<T>& t, Matrix<T>& b);
// Collective. op(A) X = B with factors that lie in one matrix, as LuFactors::copy_factors and ScaLAPACK leave them: L below
// the diagonal, U above, row r of P A is row permutation[r] of A (the same on all ranks). B becomes X, in any layout. The
// factors stay where they are if they are dealt in blocks to a grid of all ranks; else they are copied to one first.
template <Scalar T>
CAIRN_EXPORT void solve_factored(const Matrix<T>& factors, const std::vector<Index>& permutation,
                                 Matrix<T>& b, Op op = Op::none);
// Collective. The same with the triangle of Cholesky: A = L L^H or U^H U; the other half of `factor` is not read.
template <Scalar T>
CAIRN_EXPORT void solve_factored(Triangle triangle, const Matrix<T>& factor, Matrix<T>& b);
// Collective. A^-1, in any layout.
template <Scalar T>
CAIRN_EXPORT void inverse(const Matrix<T>& a, Matrix<T>& result, const FactorOptions& options = {});

struct RefineOptions {
  FactorOptions factoring = {};
  bool low_precision = true;  // factor in float (complex<float>), refine in double
  int most_steps = 30;
};
struct RefineReport {
  int steps = 0;
  double backward_error = 0;   // normwise, of the worst column
  bool low_precision = false;  // the answer came from factors in low precision
  bool fell_back = false;      // refinement did not converge: A was factored again in its own type
};
// Collective. A X = B with iterative refinement: X until its backward error is of the size of the roundoff. T is double
// or complex<double>.
template <Scalar T>
CAIRN_EXPORT RefineReport solve_refined(const Matrix<T>& a, Matrix<T>& b, const RefineOptions& options = {});

}  // namespace cairn
