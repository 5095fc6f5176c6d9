#include "factor/factored.hpp"

#include <cmath>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "factor/condition.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn::factor {
namespace {

// The sign of a permutation, by its cycles.
double sign_of(const std::vector<Index>& order) {
  std::vector<bool> seen(order.size(), false);
  double sign = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Index length = 0;
    for (auto j = static_cast<Index>(i); !seen[static_cast<std::size_t>(j)]; ++length) {
      seen[static_cast<std::size_t>(j)] = true;
      j = order[static_cast<std::size_t>(j)];
    }
    if (length > 0 && length % 2 == 0) sign = -sign;
  }
  return sign;
}

// Elements where keep(i, j) holds stay, those of a unit diagonal become one, the others zero.
template <Scalar T, class Keep>
void mask(const layout::MatrixView<T>& m, int rank, bool unit, Keep&& keep) {
  layout::for_each_element(m, rank, [&](Index i, Index j, T& x) {
    if (unit && i == j) x = T(1);
    if (!keep(i, j)) x = T(0);
  });
}

template <Scalar T>
layout::MatrixView<T> leading(const layout::MatrixView<T>& m, Index rows, Index columns) {
  return {m.layout.sub_matrix(0, 0, rows, columns), m.data, m.elements, m.leading_dimension};
}

void require_shape(const layout::Layout& layout, Index rows, Index columns, const char* name) {
  require(layout.rows() == rows && layout.columns() == columns, "{} is {} x {}, expected {} x {}", name,
          layout.rows(), layout.columns(), rows, columns);
}

// The square grid on which a triangle lies in place.
std::shared_ptr<const LuShape> grid_shape(const CholeskyShape& s) {
  const int r = s.classes();
  std::vector<int> owners;
  for (int b = 0; b < r; ++b)
    for (int a = 0; a < r; ++a) owners.push_back(s.owner(a, b));
  return std::make_shared<const LuShape>(s.order(), s.order(), s.step(), LuPattern::grid_of(r, r, owners), 1,
                                         r == 1 ? 1 : s.step());
}

double over(double a, double b) { return b > 0 ? a / b : 1; }

// Elements of this rank that lie in a tile of the diagonal and not in the triangle, in an order of their own.
template <Scalar T, class Visit>
void for_each_beside(const layout::MatrixView<T>& m, int rank, Index step, Triangle triangle, Visit&& visit) {
  for (const layout::Cell& cell : m.cells(rank)) {
    std::vector<Index> rows;
    for (Index i = 0; i < cell.rows; ++i) rows.push_back(m.layout.row_map().global_of(cell.row_part, i));
    for (Index j = 0; j < cell.columns; ++j) {
      const Index column = m.layout.column_map().global_of(cell.column_part, j), start = column / step * step;
      const bool above = triangle == Triangle::lower;
      const auto first = std::ranges::lower_bound(rows, above ? start : column + 1);
      const auto end = std::ranges::lower_bound(rows, above ? column : start + step);
      for (auto i = first; i != end; ++i)
        visit(m.data[cell.offset + (i - rows.begin()) * cell.row_stride + j * cell.column_stride]);
    }
  }
}

void require_norms(std::optional<double> norm) {
  require(norm.has_value(), "the norms of A were not kept, expected FactorOptions::norms");
}

}  // namespace

template <Scalar T>
FactoredLu<T>::FactoredLu(comm::CommView comm, const FactorPlan& plan)
    : comm_(comm), tiles_(std::make_shared<LuTiles<T>>(plan.lu, comm.rank())) {}

template <Scalar T>
FactoredLu<T>::FactoredLu(comm::CommView comm, const FactorPlan& plan, const layout::MatrixView<T>& a)
    : comm_(comm), tiles_(std::make_shared<LuTiles<T>>(plan.lu, comm.rank(), a)) {
  measure(a);
}

template <Scalar T>
void FactoredLu<T>::measure(const layout::MatrixView<const T>& a) {
  largest_ = largest_element<T>(comm_, a, {});
  one_norm_ = a.layout.rows() * a.layout.columns() == 0 ? 0 : layout::norm<T>(comm_, layout::Norm::one, a);
}

template <Scalar T>
void FactoredLu<T>::load(const layout::MatrixView<const T>& a, bool norms) {
  one_norm_.reset();
  if (norms) measure(a);
  if (shape().layers() > 1) std::ranges::fill(tiles_->local(), T(0));  // of one layer all is loaded
  if (tiles_->shape().rows() > 0 && tiles_->shape().columns() > 0)
    layout::redistribute<T>(comm_, T(1), Op::none, a, T(0), tiles_->view());
}

template <Scalar T>
void FactoredLu<T>::factor(PivotChoice pivoting, program::Trace* trace) {
  system_.reset();
  collected_ = false;
  result_ = run_lu(comm_, *tiles_, pivoting, trace);
}

template <Scalar T>
std::vector<Index> FactoredLu<T>::swaps() const {
  const auto pivots = static_cast<std::size_t>(std::min(shape().rows(), shape().columns()));
  return row_exchanges(shape().rows(), std::span<const Index>(order()).first(pivots)).swaps;
}

template <Scalar T>
void FactoredLu<T>::collect() {
  if (!collected_) collect_layers(comm_, *tiles_, result_);
  collected_ = true;
}

template <Scalar T>
layout::DistMatrix<T> FactoredLu<T>::both() {
  collect();
  return pivoted(*tiles_, result_, comm_.rank());
}

template <Scalar T>
double FactoredLu<T>::growth() {
  require_norms(one_norm_);
  const layout::DistMatrix<T> f = both();
  return over(largest_element<T>(comm_, f.view(), Triangle::upper), largest_);
}

template <Scalar T>
void FactoredLu<T>::solve(Op op, const layout::MatrixView<T>& b) {
  const Index n = shape().columns();
  require(shape().rows() == n, "the factors are of a {} x {} matrix, expected a square one to solve with",
          shape().rows(), n);
  require(b.layout.rows() == n, "B has {} rows, expected {}", b.layout.rows(), n);
  require<ResultError>(info() == 0, "A is singular: U({}, {}) is zero", info() - 1, info() - 1);
  collect();
  if (!system_) system_.emplace(comm_, *tiles_, result_);
  system_->solve_factored(comm_, op, b);
}

template <Scalar T>
void FactoredLu<T>::copy_lower(const layout::MatrixView<T>& l) {
  const Index k = std::min(shape().rows(), shape().columns());
  require_shape(l.layout, shape().rows(), k, "L");
  if (k == 0) return;
  layout::DistMatrix<T> f = both();
  mask(f.view(), comm_.rank(), true, [](Index i, Index j) { return i >= j; });
  layout::redistribute<T>(comm_, T(1), Op::none, leading(f.view(), shape().rows(), k), T(0), l);
}

template <Scalar T>
void FactoredLu<T>::copy_upper(const layout::MatrixView<T>& u) {
  const Index k = std::min(shape().rows(), shape().columns());
  require_shape(u.layout, k, shape().columns(), "U");
  if (k == 0) return;
  layout::DistMatrix<T> f = both();
  mask(f.view(), comm_.rank(), false, [](Index i, Index j) { return i <= j; });
  layout::redistribute<T>(comm_, T(1), Op::none, leading(f.view(), k, shape().columns()), T(0), u);
}

template <Scalar T>
void FactoredLu<T>::copy_both(const layout::MatrixView<T>& f) {
  require_shape(f.layout, shape().rows(), shape().columns(), "the matrix of factors");
  if (shape().rows() == 0 || shape().columns() == 0) return;
  const layout::DistMatrix<T> mine = both();
  layout::redistribute<T>(comm_, T(1), Op::none, mine.view(), T(0), f);
}

template <Scalar T>
LogDeterminant<T> FactoredLu<T>::log_determinant() {
  require(shape().rows() == shape().columns(), "the factors are of a {} x {} matrix, expected a square one",
          shape().rows(), shape().columns());
  std::array<double, 2> sums = {0, 0};  // log of the size, angle
  for (const auto& corner : result_.corners) {
    const Index w = shape().width(corner.step);
    for (Index i = 0; i < w; ++i) {
      const std::complex<double> u(corner.block[static_cast<std::size_t>(i * (w + 1))]);
      sums[0] += std::log(std::abs(u));
      sums[1] += std::arg(u);
    }
  }
  const comm::Phase phase(comm_.traffic(), comm::agreement_phase);
  const std::array<double, 2> mine = sums;
  comm::allreduce(comm_.unchecked(), std::span<const double>(mine), std::span<double>(sums),
                  comm::ReduceOp::sum);
  if (info() > 0) return {T(0), -INFINITY};
  const std::complex<double> sign = sign_of(order()) * std::polar(1.0, sums[1]);
  if constexpr (ScalarTraits<T>::is_complex)
    return {T(sign), sums[0]};
  else
    return {sign.real() < 0 ? T(-1) : T(1), sums[0]};
}

template <Scalar T>
double FactoredLu<T>::reciprocal_condition() {
  require_norms(one_norm_);
  if (info() > 0) return 0;
  const Index n = shape().columns();
  if (n == 0) return 1;
  const double inverse =
      inverse_norm<T>(comm_, n, [&](Op op, const layout::MatrixView<T>& x) { solve(op, x); });
  return std::isfinite(inverse) ? 1 / (*one_norm_ * inverse) : 0;
}

template <Scalar T>
FactoredCholesky<T>::FactoredCholesky(comm::CommView comm, const FactorPlan& plan, Triangle triangle)
    : comm_(comm), triangle_(triangle), tiles_(plan.cholesky, comm.rank()) {}

template <Scalar T>
FactoredCholesky<T>::FactoredCholesky(comm::CommView comm, const FactorPlan& plan,
                                      const layout::MatrixView<T>& a)
    : comm_(comm), triangle_(Triangle::lower), tiles_(plan.cholesky, comm.rank(), a) {
  measure(a);
}

template <Scalar T>
void FactoredCholesky<T>::load(const layout::MatrixView<const T>& a, bool norms) {
  std::ranges::fill(tiles_.local(), T(0));
  one_norm_.reset();
  if (norms) one_norm_ = 0;
  if (shape().order() == 0) return;
  take_triangle<T>(comm_, a, triangle_, tiles_);
  if (norms) measure(a);
}

// The 1-norm of the whole: a column of the triangle and the row that mirrors it.
template <Scalar T>
void FactoredCholesky<T>::measure(const layout::MatrixView<const T>& a) {
  one_norm_ = 0;
  if (shape().order() == 0) return;
  std::vector<double> sums(static_cast<std::size_t>(shape().order()), 0), all(sums.size());
  layout::for_each_element(a, comm_.rank(), [&](Index i, Index j, const T& x) {
    if (triangle_ == Triangle::lower ? i < j : i > j) return;
    sums[static_cast<std::size_t>(j)] += static_cast<double>(std::abs(x));
    if (i != j) sums[static_cast<std::size_t>(i)] += static_cast<double>(std::abs(x));
  });
  const comm::Phase phase(comm_.traffic(), comm::agreement_phase);
  comm::allreduce(comm_.unchecked(), std::span<const double>(sums), std::span<double>(all),
                  comm::ReduceOp::sum);
  one_norm_ = *std::ranges::max_element(all);
}

template <Scalar T>
void FactoredCholesky<T>::factor(program::Trace* trace) {
  system_.reset();
  info_ = run_cholesky(comm_, tiles_, trace);
}

template <Scalar T>
void FactoredCholesky<T>::make_system() {
  if (system_) return;
  if (tiles_.is_in_place()) {  // it lies on a grid
    system_.emplace(comm_, std::make_shared<LuTiles<T>>(grid_shape(shape()), comm_.rank(), tiles_.view()));
    return;
  }
  auto grid = std::make_shared<LuTiles<T>>(triangle_shape(shape().order(), comm_.size()), comm_.rank());
  layout::redistribute<T>(comm_, T(1), Op::none, tiles_.view(), T(0), grid->view());
  system_.emplace(comm_, grid);
}

template <Scalar T>
void FactoredCholesky<T>::solve(const layout::MatrixView<T>& b) {
  require(b.layout.rows() == shape().order(), "B has {} rows, expected {}", b.layout.rows(), shape().order());
  require<ResultError>(info_ == 0,
                       "A is not positive definite: its leading minor of order {} is not positive", info_);
  if (shape().order() == 0 || b.layout.columns() == 0) return;
  make_system();
  system_->solve_definite(comm_, b);
}

template <Scalar T>
void FactoredCholesky<T>::copy_factor(const layout::MatrixView<T>& out) {
  require_shape(out.layout, shape().order(), shape().order(), "the matrix of the factor");
  if (shape().order() == 0) return;
  layout::fill(out, comm_.rank(), [](Index, Index) { return T(0); });
  layout::redistribute<T>(comm_, T(1), triangle_ == Triangle::lower ? Op::none : Op::adjoint, tiles_.view(),
                          T(0), out);
  if (tiles_.is_in_place()) mask(out, comm_.rank(), false, [](Index i, Index j) { return i >= j; });
}

template <Scalar T>
void FactoredCholesky<T>::copy_triangle(const layout::MatrixView<T>& out) {
  require_shape(out.layout, shape().order(), shape().order(), "the matrix of the factor");
  if (shape().order() == 0) return;
  // Whole tiles go back; what those of the diagonal have of the other half is put aside meanwhile.
  std::vector<T> kept;
  for_each_beside(out, comm_.rank(), shape().step(), triangle_, [&](T& x) { kept.push_back(x); });
  layout::redistribute<T>(comm_, T(1), triangle_ == Triangle::lower ? Op::none : Op::adjoint, tiles_.view(),
                          T(0), out);
  auto next = kept.begin();
  for_each_beside(out, comm_.rank(), shape().step(), triangle_, [&](T& x) { x = *next++; });
}

template <Scalar T>
double FactoredCholesky<T>::log_determinant() {
  double sum = 0;
  layout::for_each_element(tiles_.view(), comm_.rank(), [&](Index i, Index j, const T& x) {
    if (i == j) sum += 2 * std::log(static_cast<double>(std::abs(x)));
  });
  const comm::Phase phase(comm_.traffic(), comm::agreement_phase);
  return comm::allreduce(comm_.unchecked(), sum, comm::ReduceOp::sum);
}

template <Scalar T>
double FactoredCholesky<T>::reciprocal_condition() {
  require_norms(one_norm_);
  if (info_ > 0) return 0;
  if (shape().order() == 0) return 1;
  const double inverse =
      inverse_norm<T>(comm_, shape().order(), [&](Op, const layout::MatrixView<T>& x) { solve(x); });
  return std::isfinite(inverse) ? 1 / (*one_norm_ * inverse) : 0;
}

#define CAIRN_INSTANTIATE(T)    \
  template class FactoredLu<T>; \
  template class FactoredCholesky<T>;
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
