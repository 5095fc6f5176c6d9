// cairn solve: A X = B by LU, or by Cholesky with --definite; generated matrices or files.
#include "cli/factor_options.hpp"
#include "comm/agreement.hpp"
#include "factor/lu_count.hpp"
#include "factor/residual.hpp"
#include "io/files.hpp"
#include "layout/kinds.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using factor::Kind;

layout::Layout layout_of_a(const FactorOptions& o, Index n, int ranks) {
  return o.layout_a.empty() ? layout::blocked(n, n, ranks, 1) : layout::parse_layout(o.layout_a, n, n);
}

template <Scalar T>
class SolveWork final : public Work {
 public:
  SolveWork(CommView c, const FactorOptions& o, const factor::FactorPlan& plan) : comm_(c), o_(o) {
    const Index n = plan.problem.rows;
    comm::agree(c, "solve: memory of the matrices", [&] {
      if (o.definite)
        cholesky_.emplace(c, plan, Triangle::lower);
      else
        lu_.emplace(c, plan);
      a_.emplace(layout_of_a(o, n, c.size()), c.rank());
      b_.emplace(layout::blocked(n, o.right_sides, c.size(), 1), c.rank());
      x_.emplace(b_->layout(), c.rank());
    });
    fill_or_read(*a_, o.a, generated_matrix<T>(o.matrix, n, o.seed));
    fill_or_read(*b_, o.b, generated_matrix<T>("uniform", n, o.seed + 1));
  }

  void prepare(bool) override {
    std::ranges::copy(b_->local(), x_->local().begin());
    if (o_.definite)
      cholesky_->load(a());
    else
      lu_->load(a());
  }
  void run(program::Trace* trace) override {
    if (o_.definite) {
      cholesky_->factor(trace);
      return cholesky_->solve(x_->view());
    }
    lu_->factor(pivoting_of(o_), trace);
    lu_->solve(Op::none, x_->view());
  }
  std::optional<WorkVerdict> check() override {
    const std::optional<Triangle> part = o_.definite ? std::optional(Triangle::lower) : std::nullopt;
    const layout::DistMatrix<T>&x = *x_, &b = *b_;
    const factor::Residual residual = factor::solve_residual<T>(comm_, a(), part, x.view(), b.view());
    return WorkVerdict{.found = residual.verdict,
                       .how = "by its backward error",
                       .problem = check::describe(residual.verdict, "A X"),
                       .fields = {{"residual", residual.relative}}};
  }
  void finish() override {
    const layout::DistMatrix<T>& x = *x_;
    if (o_.out.empty()) return;
    io::write<T>(comm_, o_.out, x.view());
    written_ = true;
  }
  nlohmann::json more_fields() const override {
    return {{"info", o_.definite ? cholesky_->info() : lu_->info()}, {"right_sides", o_.right_sides}};
  }
  std::string more_text() const override { return written_ ? fmt::format("X written to {}\n", o_.out) : ""; }

 private:
  layout::MatrixView<const T> a() const {
    const layout::DistMatrix<T>& m = *a_;
    return m.view();
  }
  void fill_or_read(layout::DistMatrix<T>& m, const std::string& file, const Generated<T>& f) {
    if (file.empty())
      layout::fill(m.view(), comm_.rank(), f);
    else
      io::read<T>(comm_, file, m.view());
  }

  CommView comm_;
  FactorOptions o_;
  std::optional<factor::FactoredLu<T>> lu_;
  std::optional<factor::FactoredCholesky<T>> cholesky_;
  std::optional<layout::DistMatrix<T>> a_, b_, x_;
  bool written_ = false;
};

void add_solve_options(Command app, FactorOptions& o, Verb) {
  add_factor_options(app, o, Kind::lu);
  add_size(app, "--nrhs,--right-sides", o.right_sides, "Columns of B (default 1)", 0);
  app.add_flag("--definite", o.definite,
               "A is Hermitian and positive definite: by Cholesky, its lower triangle");
  app.add_option("--a", o.a, "File of A").type_name("FILE");
  app.add_option("--b", o.b, "File of B").type_name("FILE");
  app.add_option("--out", o.out, "File for X").type_name("FILE");
}

void read_solve_options(FactorOptions& o, const SharedOptions&) {
  read_factor_options(o, o.definite ? Kind::cholesky : Kind::lu);
  require(o.problem.rows == o.problem.columns, "A is {} x {}, expected a square matrix", o.problem.rows,
          o.problem.columns);
  require(o.a.empty() == o.b.empty(), "--a is '{}' and --b is '{}', expected both or neither", o.a, o.b);
}

void look_into_solve_files(FactorOptions& o, const SharedOptions&, CommView c) {
  if (o.a.empty()) return;
  const io::MatrixInfo a = io::probe(c, o.a), b = io::probe(c, o.b);
  require(a.rows() == a.columns(), "{} is {} x {}, expected a square matrix", o.a, a.rows(), a.columns());
  require(b.rows() == a.rows(), "{} has {} rows, expected {} as {}", o.b, b.rows(), a.rows(), o.a);
  o.problem.rows = o.problem.columns = a.rows();
  o.right_sides = b.columns();
  const bool complex_data = is_complex(a.type()) || is_complex(b.type());
  if (complex_data && !is_complex(o.problem.type)) o.problem.type = ScalarType::c64;
}

// The factorization's words; those of the solve come on top: 2 n columns (1/x + 1/y) and what B moves.
Planned plan_solve(const FactorOptions& o, const SharedOptions& shared, int ranks) {
  factor::FactorSettings settings = settings_of(o, shared);
  settings.from = layout_of_a(o, o.problem.rows, ranks);
  Planned planned = planned_factor(o, factor::plan_factor(o.problem, ranks, settings), shared);
  planned.title =
      fmt::format("A X = B with {} right-hand side{}: ", o.right_sides, o.right_sides == 1 ? "" : "s") +
      planned.title;
  planned.exact = false;
  planned.fields["right_sides"] = o.right_sides;
  return planned;
}

std::unique_ptr<Work> start_solve(const FactorOptions& o, const SharedOptions&, const Planned& planned,
                                  CommView c) {
  const auto& plan = std::any_cast<const factor::FactorPlan&>(planned.own);
  return dispatch(plan.problem.type, [&]<class T>() -> std::unique_ptr<Work> {
    return std::make_unique<SolveWork<T>>(c, o, plan);
  });
}

}  // namespace

Operation solve_operation() {
  return make_operation<FactorOptions>({
      .name = "solve",
      .summary = "A X = B, on generated matrices or files",
      .example = "-N 2000 --nrhs 8 --ranks 4",
      .options = add_solve_options,
      .read = read_solve_options,
      .once = [](const FactorOptions& o) { return !o.a.empty() || !o.out.empty(); },
      .must_look = [](const FactorOptions& o) { return !o.a.empty(); },
      .look = look_into_solve_files,
      .plan = plan_solve,
      .run = start_solve,
  });
}

}  // namespace cairn::cli
