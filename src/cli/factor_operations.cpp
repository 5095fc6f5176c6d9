// cairn lu, cairn cholesky: the entries of the table and their runs.
#include "cli/factor_options.hpp"
#include "comm/agreement.hpp"
#include "factor/residual.hpp"
#include "layout/kinds.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using factor::Kind;

WorkVerdict verdict_of_factors(const factor::Residual& r, int rounds, double growth) {
  return verdict_of(r.verdict, rounds, {{"residual", r.relative}, {"growth", growth}});
}

template <Scalar T>
class LuWork final : public Work {
 public:
  LuWork(CommView c, const FactorOptions& o, const factor::FactorPlan& plan, int rounds)
      : comm_(c), pivoting_(pivoting_of(o)), rounds_(rounds) {
    comm::agree(c, "lu: memory of the matrices", [&] {
      factors_.emplace(c, plan);
      a_.emplace(o.layout_a.empty()
                     ? factor::lu_layout(*plan.lu)
                     : layout::parse_layout(o.layout_a, plan.problem.rows, plan.problem.columns),
                 c.rank());
    });
    layout::fill(a_->view(), c.rank(), generated_matrix<T>(o.matrix, plan.problem.columns, o.seed));
  }

  void prepare(bool) override { factors_->load(constant().view()); }
  void run(program::Trace* trace) override { factors_->factor(pivoting_, trace); }
  std::optional<WorkVerdict> check() override {
    return verdict_of_factors(
        factor::lu_residual<T>(comm_, constant().view(), *factors_, {.rounds = rounds_}), rounds_,
        factors_->growth());
  }
  nlohmann::json more_fields() const override { return {{"info", factors_->info()}}; }
  std::string more_text() const override {
    if (factors_->info() == 0) return {};
    return fmt::format("singular: U({0}, {0}) is zero\n", factors_->info() - 1);
  }

 private:
  const layout::DistMatrix<T>& constant() const { return *a_; }

  CommView comm_;
  PivotChoice pivoting_;
  int rounds_;
  std::optional<factor::FactoredLu<T>> factors_;
  std::optional<layout::DistMatrix<T>> a_;
};

template <Scalar T>
class CholeskyWork final : public Work {
 public:
  CholeskyWork(CommView c, const FactorOptions& o, const factor::FactorPlan& plan, int rounds)
      : comm_(c), triangle_(triangle_of(o)), rounds_(rounds) {
    const Index n = plan.problem.rows;
    const layout::Layout native = cholesky_layout(*plan.cholesky);
    comm::agree(c, "cholesky: memory of the matrices", [&] {
      factor_.emplace(c, plan, triangle_);
      a_.emplace(!o.layout_a.empty()            ? layout::parse_layout(o.layout_a, n, n)
                 : triangle_ == Triangle::lower ? native
                                                : native.transposed(),
                 c.rank());
    });
    layout::fill(a_->view(), c.rank(), generated_matrix<T>(o.matrix, plan.problem.columns, o.seed));
  }

  void prepare(bool) override { factor_->load(constant().view()); }
  void run(program::Trace* trace) override { factor_->factor(trace); }
  std::optional<WorkVerdict> check() override {
    if (factor_->info() > 0) return {};  // there is no factor to look at; the text says why
    return verdict_of_factors(
        factor::cholesky_residual<T>(comm_, constant().view(), triangle_, *factor_, {.rounds = rounds_}),
        rounds_, 1);
  }
  nlohmann::json more_fields() const override { return {{"info", factor_->info()}}; }
  std::string more_text() const override {
    if (factor_->info() == 0) return {};
    return fmt::format("not positive definite: the leading minor of order {} is not positive\n",
                       factor_->info());
  }

 private:
  const layout::DistMatrix<T>& constant() const { return *a_; }

  CommView comm_;
  Triangle triangle_;
  int rounds_;
  std::optional<factor::FactoredCholesky<T>> factor_;
  std::optional<layout::DistMatrix<T>> a_;
};

template <Kind kind>
Planned plan_kind(const FactorOptions& o, const SharedOptions& shared, int ranks) {
  return planned_factor(o, factor::plan_factor(o.problem, ranks, settings_of(o, shared)), shared);
}

template <Kind kind>
std::unique_ptr<Work> start_kind(const FactorOptions& o, const SharedOptions& shared, const Planned& planned,
                                 CommView c) {
  const auto& plan = std::any_cast<const factor::FactorPlan&>(planned.own);
  return dispatch(plan.problem.type, [&]<class T>() -> std::unique_ptr<Work> {
    if constexpr (kind == Kind::lu)
      return std::make_unique<LuWork<T>>(c, o, plan, shared.verify_rounds);
    else
      return std::make_unique<CholeskyWork<T>>(c, o, plan, shared.verify_rounds);
  });
}

template <Kind kind>
OperationOf<FactorOptions> entry_of() {
  return {.name = kind == Kind::lu ? "lu" : "cholesky",
          .summary = kind == Kind::lu ? "P A = L U with tournament pivoting, on a generated matrix"
                                      : "A = L L^H, on a generated matrix",
          .example = "-N 2048 --ranks 4 --memory 1e8",
          .options =
              [](Command app, FactorOptions& o, Verb verb) {
                if (verb != Verb::bound) return add_factor_options(app, o, kind);
                add_size(app, "-N,--N,-n,--n", o.side, "Rows and columns of the matrices").required();
              },
          .read = [](FactorOptions& o, const SharedOptions&) { read_factor_options(o, kind); },
          .plan = plan_kind<kind>,
          .run = start_kind<kind>,
          .bound =
              [](const FactorOptions& o, const BoundOptions& b) {
                const Index n = o.side.value_or(0);
                b.need_ranks_or_memory();
                return kind == Kind::lu ? bounds::bound_lu(n, b.ranks_or_one(), b.memory)
                                        : bounds::bound_cholesky(n, b.ranks_or_one(), b.memory);
              }};
}

}  // namespace

Operation lu_operation() { return make_operation(entry_of<Kind::lu>()); }
Operation cholesky_operation() { return make_operation(entry_of<Kind::cholesky>()); }

}  // namespace cairn::cli
