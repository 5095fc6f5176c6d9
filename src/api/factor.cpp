#include "cairn/factor.hpp"

#include "api/context_state.hpp"
#include "api/matrix_view.hpp"
#include "comm/agreement.hpp"
#include "factor/factored.hpp"
#include "factor/refine.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn {
namespace detail {

template <Scalar T>
struct LuState {
  Context context;
  FactorReport report;
  factor::FactoredLu<T> factors;
};

template <Scalar T>
struct CholeskyState {
  Context context;
  FactorReport report;
  factor::FactoredCholesky<T> factor;
};

}  // namespace detail

namespace {

using factor::FactorPlan;
using factor::FactorProblem;
using factor::Kind;

factor::FactorSettings factor_settings(const FactorOptions& o) {
  return {.goal = o.objective == Objective::time ? factor::Goal::time : factor::Goal::words,
          .algorithm = o.algorithm,
          .layers = o.layers,
          .step = o.step,
          .memory_bytes = o.memory_bytes,
          .pivoting = o.pivoting,
          .machine = o.machine,
          .back = o.back};
}

FactorReport factor_report(const FactorPlan& plan) {
  return {.pattern = plan.best.pattern,
          .layers = plan.best.layers,
          .step = plan.best.step,
          .mean_words = plan.best.mean_words,
          .busiest_words = plan.best.busiest_words,
          .bound_words = plan.bounds.resident,
          .cyclic_words = plan.bounds.cyclic,
          .memory_bytes = plan.best.memory_bytes,
          .seconds = plan.best.seconds};
}

template <Scalar T>
layout::MatrixView<const T> reading(const Matrix<T>& m) {
  return detail::view_of(m);
}

// Where A lies for a factorization that wants its lower triangle.
layout::Layout seen_as_lower(const layout::Layout& a, std::optional<Triangle> part) {
  return part == Triangle::upper ? a.transposed() : a;
}

// Collective. The plan, the same on all ranks, or the same error on all.
template <Scalar T>
std::shared_ptr<const FactorPlan> agreed_plan(const Matrix<T>& a, Kind kind, const FactorOptions& o,
                                              std::optional<Triangle> part, bool in_place = false) {
  const comm::CommView comm = a.context().state().comm();
  std::shared_ptr<const FactorPlan> plan;
  comm::agree(
      comm, kind == Kind::lu ? "lu" : "cholesky",
      [&] {
        factor::FactorSettings settings = factor_settings(o);
        settings.in_place = in_place;
        settings.from = seen_as_lower(reading(a).layout, part);
        plan = a.context().state().plan({kind, a.rows(), a.columns(), ScalarTraits<T>::type}, settings);
      },
      {{"rows of A", a.rows()},
       {"columns of A", a.columns()},
       {"layers", o.layers.value_or(0)},
       {"step", o.step.value_or(0)},
       {"objective", static_cast<Index>(o.objective)},
       {"pivoting", static_cast<Index>(o.pivoting)}});
  if (o.check_finite) factor::require_finite<T>(comm, reading(a), part);
  return plan;
}

template <Scalar T>
void agree_on_solve(const Context& context, const char* operation, const Matrix<T>& b, Index rows, Op op) {
  comm::agree(context.state().comm(), operation,
              [&] {
                require(b.context() == context, "B has another context than the factors, expected the same");
                require(b.rows() == rows, "B has {} rows, expected {}", b.rows(), rows);
              },
              {{"columns of B", b.columns()}, {"op", static_cast<Index>(op)}});
}

// The type that is half as long.
template <Scalar T>
struct Lower;
template <>
struct Lower<double> {
  using Type = float;
};
template <>
struct Lower<std::complex<double>> {
  using Type = std::complex<float>;
};

template <Scalar T, Scalar L>
void convert(std::span<const T> from, std::span<L> to) {
  std::ranges::transform(from, to.begin(), [](const T& x) { return static_cast<L>(x); });
}

// Factors of A in low precision, as something that solves in the high one.
template <Scalar T>
class LowPrecision {
 public:
  using L = typename Lower<T>::Type;

  LowPrecision(comm::CommView comm, const Matrix<T>& a, const FactorPlan& plan, PivotChoice pivoting)
      : comm_(comm), factors_(comm, plan) {
    layout::DistMatrix<T> native(factor::lu_layout(*plan.lu), comm.rank());
    layout::redistribute<T>(comm, T(1), Op::none, reading(a), T(0), native.view());
    layout::DistMatrix<L> low(native.layout(), comm.rank());
    convert<T, L>(native.local(), low.local());
    const layout::DistMatrix<L>& constant = low;
    factors_.load(constant.view());
    factors_.factor(pivoting);
  }
  bool usable() const { return factors_.info() == 0; }
  void solve(const layout::MatrixView<T>& r) {
    layout::DistMatrix<L> low(r.layout, comm_.rank());
    const std::span<T> mine(r.data, low.local().size());
    convert<T, L>(std::span<const T>(mine), low.local());
    factors_.solve(Op::none, low.view());
    convert<L, T>(std::span<const L>(low.local()), mine);
  }

 private:
  comm::CommView comm_;
  factor::FactoredLu<L> factors_;
};

}  // namespace

std::string FactorReport::describe() const {
  return fmt::format("pattern {}, {} layer{}, {} columns per step: {:.0f} words per rank", pattern, layers,
                     layers == 1 ? "" : "s", step, mean_words);
}

FactorReport plan_lu(Index rows, Index columns, ScalarType type, int ranks, const FactorOptions& options) {
  return factor_report(plan_factor({Kind::lu, rows, columns, type}, ranks, factor_settings(options)));
}
FactorReport plan_cholesky(Index n, ScalarType type, int ranks, const FactorOptions& options) {
  return factor_report(plan_factor({Kind::cholesky, n, n, type}, ranks, factor_settings(options)));
}

FactorReport plan_lu(const Context& context, const Layout& a, ScalarType type, const FactorOptions& options) {
  factor::FactorSettings settings = factor_settings(options);
  settings.from = a.state().general();
  return factor_report(*context.state().plan({Kind::lu, a.rows(), a.columns(), type}, settings));
}
FactorReport plan_cholesky(const Context& context, const Layout& a, Triangle triangle, ScalarType type,
                           const FactorOptions& options) {
  factor::FactorSettings settings = factor_settings(options);
  settings.from = seen_as_lower(a.state().general(), triangle);
  return factor_report(*context.state().plan({Kind::cholesky, a.rows(), a.columns(), type}, settings));
}

template <Scalar T>
LuFactors<T> lu(const Matrix<T>& a, const FactorOptions& options) {
  const std::shared_ptr<const FactorPlan> plan = agreed_plan(a, Kind::lu, options, {});
  const comm::CommView comm = a.context().state().comm();
  std::shared_ptr<detail::LuState<T>> state;
  comm::agree(comm, "lu: memory", [&] {
    state = std::make_shared<detail::LuState<T>>(
        detail::LuState<T>{a.context(), factor_report(*plan), factor::FactoredLu<T>(comm, *plan)});
  });
  state->factors.load(reading(a), options.norms);
  state->factors.factor(options.pivoting);
  return LuFactors<T>(std::move(state));
}

template <Scalar T>
CholeskyFactor<T> cholesky(const Matrix<T>& a, Triangle triangle, const FactorOptions& options) {
  const std::shared_ptr<const FactorPlan> plan = agreed_plan(a, Kind::cholesky, options, triangle);
  const comm::CommView comm = a.context().state().comm();
  std::shared_ptr<detail::CholeskyState<T>> state;
  comm::agree(comm, "cholesky: memory",
              [&] {
                state = std::make_shared<detail::CholeskyState<T>>(detail::CholeskyState<T>{
                    a.context(), factor_report(*plan), factor::FactoredCholesky<T>(comm, *plan, triangle)});
              },
              {{"triangle", static_cast<Index>(triangle)}});
  state->factor.load(reading(a), options.norms);
  state->factor.factor();
  return CholeskyFactor<T>(std::move(state));
}

template <Scalar T>
LuFactors<T> lu_in_place(Matrix<T>& a, const FactorOptions& options) {
  const std::shared_ptr<const FactorPlan> plan = agreed_plan(a, Kind::lu, options, {}, true);
  const comm::CommView comm = a.context().state().comm();
  auto state = std::make_shared<detail::LuState<T>>(detail::LuState<T>{
      a.context(), factor_report(*plan), factor::FactoredLu<T>(comm, *plan, detail::view_of(a))});
  state->factors.factor(options.pivoting);
  return LuFactors<T>(std::move(state));
}

template <Scalar T>
CholeskyFactor<T> cholesky_in_place(Matrix<T>& a, const FactorOptions& options) {
  const std::shared_ptr<const FactorPlan> plan =
      agreed_plan(a, Kind::cholesky, options, Triangle::lower, true);
  const comm::CommView comm = a.context().state().comm();
  auto state = std::make_shared<detail::CholeskyState<T>>(detail::CholeskyState<T>{
      a.context(), factor_report(*plan), factor::FactoredCholesky<T>(comm, *plan, detail::view_of(a))});
  state->factor.factor();
  return CholeskyFactor<T>(std::move(state));
}

template <Scalar T>
Index LuFactors<T>::rows() const {
  return state_->factors.shape().rows();
}
template <Scalar T>
Index LuFactors<T>::columns() const {
  return state_->factors.shape().columns();
}
template <Scalar T>
Index LuFactors<T>::info() const {
  return state_->factors.info();
}
template <Scalar T>
const std::vector<Index>& LuFactors<T>::permutation() const {
  return state_->factors.order();
}
template <Scalar T>
std::vector<Index> LuFactors<T>::swaps() const {
  return state_->factors.swaps();
}
template <Scalar T>
double LuFactors<T>::growth() const {
  return state_->factors.growth();
}
template <Scalar T>
void LuFactors<T>::solve(Matrix<T>& b, Op op) const {
  agree_on_solve(state_->context, "solve", b, columns(), op);
  state_->factors.solve(op, detail::view_of(b));
}
template <Scalar T>
void LuFactors<T>::copy_lower(Matrix<T>& l) const {
  state_->factors.copy_lower(detail::view_of(l));
}
template <Scalar T>
void LuFactors<T>::copy_upper(Matrix<T>& u) const {
  state_->factors.copy_upper(detail::view_of(u));
}
template <Scalar T>
void LuFactors<T>::copy_factors(Matrix<T>& f) const {
  state_->factors.copy_both(detail::view_of(f));
}
template <Scalar T>
typename LuFactors<T>::LogDeterminant LuFactors<T>::log_determinant() const {
  const factor::LogDeterminant<T> d = state_->factors.log_determinant();
  return {d.sign, d.log};
}
template <Scalar T>
double LuFactors<T>::reciprocal_condition() const {
  return state_->factors.reciprocal_condition();
}
template <Scalar T>
const FactorReport& LuFactors<T>::report() const {
  return state_->report;
}

template <Scalar T>
Index CholeskyFactor<T>::order() const {
  return state_->factor.shape().order();
}
template <Scalar T>
Index CholeskyFactor<T>::info() const {
  return state_->factor.info();
}
template <Scalar T>
void CholeskyFactor<T>::solve(Matrix<T>& b) const {
  agree_on_solve(state_->context, "solve", b, order(), Op::none);
  state_->factor.solve(detail::view_of(b));
}
template <Scalar T>
void CholeskyFactor<T>::copy_factor(Matrix<T>& f) const {
  state_->factor.copy_factor(detail::view_of(f));
}
template <Scalar T>
void CholeskyFactor<T>::copy_triangle(Matrix<T>& f) const {
  state_->factor.copy_triangle(detail::view_of(f));
}
template <Scalar T>
double CholeskyFactor<T>::log_determinant() const {
  return state_->factor.log_determinant();
}
template <Scalar T>
double CholeskyFactor<T>::reciprocal_condition() const {
  return state_->factor.reciprocal_condition();
}
template <Scalar T>
const FactorReport& CholeskyFactor<T>::report() const {
  return state_->report;
}

template <Scalar T>
void solve(const Matrix<T>& a, Matrix<T>& b, const FactorOptions& options) {
  comm::agree(a.context().state().comm(), "solve", [&] {
    require(a.context() == b.context(), "A and B have different contexts, expected one");
    require(a.rows() == a.columns(), "A is {} x {}, expected a square matrix", a.rows(), a.columns());
    require(b.rows() == a.rows(), "B has {} rows, expected {}", b.rows(), a.rows());
  });
  lu(a, options).solve(b);
}

template <Scalar T>
void solve_triangular(Side side, Triangle triangle, Op op, Diagonal diagonal, std::type_identity_t<T> alpha,
                      const Matrix<T>& t, Matrix<T>& b) {
  const comm::CommView comm = t.context().state().comm();
  comm::agree(
      comm, "solve_triangular",
      [&] {
        require(t.context() == b.context(), "T and B have different contexts, expected one");
        require(t.rows() == t.columns(), "T is {} x {}, expected a square matrix", t.rows(), t.columns());
        const Index wanted = side == Side::left ? b.rows() : b.columns();
        require(wanted == t.rows(), "T is {} x {} and B is {} x {}, expected as many {} of B", t.rows(),
                t.columns(), b.rows(), b.columns(), side == Side::left ? "rows" : "columns");
      },
      {{"side", static_cast<Index>(side)},
       {"triangle", static_cast<Index>(triangle)},
       {"op", static_cast<Index>(op)},
       {"diagonal", static_cast<Index>(diagonal)}});
  factor::solve_triangular<T>(comm, side, triangle, op, diagonal, alpha, reading(t), detail::view_of(b));
}

namespace {

template <Scalar T>
void agree_on_factors(const Matrix<T>& factors, const Matrix<T>& b, int what) {
  comm::agree(
      factors.context().state().comm(), "solve_factored",
      [&] {
        require(factors.context() == b.context(), "the factors and B have different contexts, expected one");
        require(factors.rows() == factors.columns(), "the factors are {} x {}, expected a square matrix",
                factors.rows(), factors.columns());
        require(b.rows() == factors.rows(), "B has {} rows, expected {}", b.rows(), factors.rows());
      },
      {{"op or triangle", what}});
}

}  // namespace

template <Scalar T>
void solve_factored(const Matrix<T>& factors, const std::vector<Index>& permutation, Matrix<T>& b, Op op) {
  agree_on_factors(factors, b, static_cast<int>(op));
  factor::solve_with_lu<T>(factors.context().state().comm(), reading(factors), permutation, op,
                           detail::view_of(b));
}

template <Scalar T>
void solve_factored(Triangle triangle, const Matrix<T>& factor, Matrix<T>& b) {
  agree_on_factors(factor, b, 8 + static_cast<int>(triangle));
  factor::solve_with_cholesky<T>(factor.context().state().comm(), triangle, reading(factor),
                                 detail::view_of(b));
}

template <Scalar T>
void inverse(const Matrix<T>& a, Matrix<T>& result, const FactorOptions& options) {
  comm::agree(a.context().state().comm(), "inverse", [&] {
    require(a.context() == result.context(), "A and the result have different contexts, expected one");
    require(a.rows() == a.columns(), "A is {} x {}, expected a square matrix", a.rows(), a.columns());
    require(result.rows() == a.rows() && result.columns() == a.columns(),
            "the result is {} x {}, expected {} x {}", result.rows(), result.columns(), a.rows(),
            a.columns());
  });
  const LuFactors<T> factors = lu(a, options);
  result.fill([](Index i, Index j) { return i == j ? T(1) : T(0); });
  factors.solve(result);
}

template <Scalar T>
RefineReport solve_refined(const Matrix<T>& a, Matrix<T>& b, const RefineOptions& options) {
  comm::agree(a.context().state().comm(), "solve_refined",
              [&] {
                require(a.context() == b.context(), "A and B have different contexts, expected one");
                require(a.rows() == a.columns(), "A is {} x {}, expected a square matrix", a.rows(),
                        a.columns());
                require(b.rows() == a.rows(), "B has {} rows, expected {}", b.rows(), a.rows());
                require(options.most_steps >= 0, "steps is {}, expected 0 or more", options.most_steps);
              },
              {{"low precision", options.low_precision ? 1 : 0}, {"steps", options.most_steps}});
  const comm::CommView comm = a.context().state().comm();
  const std::shared_ptr<const FactorPlan> plan = agreed_plan(a, Kind::lu, options.factoring, {});
  const factor::ResidualMaker<T> residual(comm, reading(a));
  const auto report = [](const factor::Refinement& r, bool low, bool fell_back) {
    return RefineReport{r.steps, r.backward_error, low, fell_back};
  };
  if (options.low_precision) {
    LowPrecision<T> low(comm, a, *plan, options.factoring.pivoting);
    factor::Refinement r;
    if (low.usable())
      r = factor::refine<T>(
          comm, residual, [&](const layout::MatrixView<T>& x) { low.solve(x); }, detail::view_of(b),
          options.most_steps);
    if (r.converged) return report(r, true, false);
  }
  factor::FactoredLu<T> own(comm, *plan);
  own.load(reading(a));
  own.factor(options.factoring.pivoting);
  require<ResultError>(own.info() == 0, "A is singular: U({0}, {0}) is zero", own.info() - 1);
  const factor::Refinement r = factor::refine<T>(
      comm, residual, [&](const layout::MatrixView<T>& x) { own.solve(Op::none, x); }, detail::view_of(b),
      options.most_steps);
  if (!r.converged) own.solve(Op::none, detail::view_of(b));  // as good as it gets
  return report(r, false, options.low_precision);
}

#define CAIRN_INSTANTIATE(T)                                                                                 \
  template class LuFactors<T>;                                                                               \
  template class CholeskyFactor<T>;                                                                          \
  template LuFactors<T> lu(const Matrix<T>&, const FactorOptions&);                                          \
  template CholeskyFactor<T> cholesky(const Matrix<T>&, Triangle, const FactorOptions&);                     \
  template LuFactors<T> lu_in_place(Matrix<T>&, const FactorOptions&);                                       \
  template CholeskyFactor<T> cholesky_in_place(Matrix<T>&, const FactorOptions&);                            \
  template void solve(const Matrix<T>&, Matrix<T>&, const FactorOptions&);                                   \
  template void solve_triangular<T>(Side, Triangle, Op, Diagonal, std::type_identity_t<T>, const Matrix<T>&, \
                                    Matrix<T>&);                                                             \
  template void solve_factored(const Matrix<T>&, const std::vector<Index>&, Matrix<T>&, Op);                 \
  template void solve_factored(Triangle, const Matrix<T>&, Matrix<T>&);                                      \
  template void inverse(const Matrix<T>&, Matrix<T>&, const FactorOptions&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE
template RefineReport solve_refined(const Matrix<double>&, Matrix<double>&, const RefineOptions&);
template RefineReport solve_refined(const Matrix<std::complex<double>>&, Matrix<std::complex<double>>&,
                                    const RefineOptions&);

}  // namespace cairn
