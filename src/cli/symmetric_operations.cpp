// cairn syrk, cairn symm, cairn trmm: the entries of the table and their runs.
#include <algorithm>
#include <cmath>

#include "cli/factor_options.hpp"
#include "comm/agreement.hpp"
#include "layout/kinds.hpp"
#include "symmetric/residual.hpp"
#include "symmetric/triangle_runner.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using symmetric::Kind;
using symmetric::Problem;
using Layouts = std::array<layout::Layout, 3>;

struct SymmetricOptions {
  Index n = 0, k = 0;
  std::string type = "d", triangle = "lower", side = "left", op = "N", diagonal = "stored";
  bool hermitian = false;
  double alpha = 1, beta = 0;
  std::string algorithm = "auto", objective = "time";
  std::optional<Index> parts;
  std::array<std::string, 3> layouts;  // of A, B, C; empty: block-cyclic on the squarest grid
  Index seed = 1;

  Problem problem;  // found by read()
};

std::string usual_square_layout(int ranks) {
  int rows = static_cast<int>(std::sqrt(static_cast<double>(ranks)));
  while (ranks % rows != 0) --rows;
  return fmt::format("block-cyclic {}x{} mb=64 nb=64", rows, ranks / rows);
}

Layouts layouts_of(const SymmetricOptions& o, int ranks) {
  Layouts all;
  const auto extents = symmetric::stored_extents(o.problem);
  for (std::size_t m = 0; m < 3; ++m) {
    const bool there =
        !(o.problem.kind == Kind::rank_k && m == 1) && !(o.problem.kind == Kind::triangular && m == 2);
    require(there || o.layouts[m].empty(), "--layout-{} is given, and there is no {}", "abc"[m], "ABC"[m]);
    const std::string text = o.layouts[m].empty() ? usual_square_layout(ranks) : o.layouts[m];
    if (there) all[m] = layout::parse_layout(text, extents[m].rows, extents[m].columns);
  }
  return all;
}

// ---- options -----------------------------------------------------------------------------------------------

template <Kind kind>
void add_options(Command app, SymmetricOptions& o, Verb verb) {
  add_size(app, "-n,--n", o.n, "Order of the triangle", 0).required();
  add_size(app, "-k,--k", o.k,
           kind == Kind::rank_k ? "Columns of op(A)" : "Columns of B; rows with --side right", 0)
      .required();
  if (verb == Verb::bound) return;
  app.add_option("--type", o.type, "s, d, c or z (default d)");
  app.add_option("--triangle", o.triangle, "lower (default) or upper").type_name("lower|upper");
  if (kind != Kind::rank_k)
    app.add_option("--side", o.side, "Side of the triangle: left (default) or right").type_name("left|right");
  if (kind != Kind::symmetric) app.add_option("--op", o.op, "op(A): N (default), T or C").type_name("N|T|C");
  if (kind == Kind::triangular)
    app.add_option("--diagonal", o.diagonal, "stored (default) or unit").type_name("stored|unit");
  else
    app.add_flag("--hermitian", o.hermitian,
                 kind == Kind::rank_k ? "op(A) op(A)^H (herk)" : "A is Hermitian (hemm)");
  app.add_option("--alpha", o.alpha, "Factor of the product (default 1)");
  if (kind != Kind::triangular) app.add_option("--beta", o.beta, "Factor of C (default 0)");
  app.add_option("--algorithm", o.algorithm, "auto; pattern; in-place: the triangle stays where it is")
      .type_name("auto|pattern|in-place");
  app.add_option("--objective", o.objective, "time (default) or words").type_name("time|words");
  add_size(app, "--parts", o.parts, "Parts of the columns of the panels (default: planned)");
  for (std::size_t m = 0; m < 3; ++m) {
    if ((kind == Kind::rank_k && m == 1) || (kind == Kind::triangular && m == 2)) continue;
    app.add_option(
        fmt::format("--layout-{}", "abc"[m]), o.layouts[m],
        fmt::format("Layout of {} as it is stored, as for `cairn layout` (default: block-cyclic, blocks of "
                    "64, on the squarest grid)",
                    "ABC"[m]));
  }
  add_size(app, "--seed", o.seed, "Seed of the random matrices (default 1)", 0);
}

template <class Value>
Value choice(const char* option, const std::string& text,
             std::initializer_list<std::pair<const char*, Value>> all) {
  std::string names;
  for (const auto& [name, value] : all) {
    if (text == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw ArgumentError(fmt::format("{} is '{}', expected one of {}", option, text, names));
}

template <Kind kind>
void read_options(SymmetricOptions& o, const SharedOptions&) {
  o.problem = {.kind = kind,
               .hermitian = o.hermitian,
               .side = choice<Side>("--side", o.side, {{"left", Side::left}, {"right", Side::right}}),
               .triangle = choice<Triangle>("--triangle", o.triangle,
                                            {{"lower", Triangle::lower}, {"upper", Triangle::upper}}),
               .op = choice<Op>("--op", o.op, {{"N", Op::none}, {"T", Op::transpose}, {"C", Op::adjoint}}),
               .diagonal = choice<Diagonal>("--diagonal", o.diagonal,
                                            {{"stored", Diagonal::stored}, {"unit", Diagonal::unit}}),
               .n = o.n,
               .k = o.k,
               .type = parse_scalar_type(o.type),
               .alpha = symmetric::kind_of(o.alpha),
               .beta = symmetric::kind_of(o.beta)};
  choice<int>("--objective", o.objective, {{"time", 0}, {"words", 1}});
}

symmetric::Settings settings_of(const SymmetricOptions& o, const SharedOptions& shared) {
  symmetric::Settings s{.goal = o.objective == "words" ? symmetric::Goal::words : symmetric::Goal::time,
                        .algorithm = o.algorithm,
                        .memory_bytes = shared.memory_bytes,
                        .machine = shared.machine.machine};
  if (o.parts) s.parts = narrow<int>(*o.parts, "--parts");
  return s;
}

// ---- plan --------------------------------------------------------------------------------------------------

struct OwnPlan {
  symmetric::Plan plan;
  Layouts layouts;
  symmetric::Settings settings;
};

comm::Spread spread_of(const std::vector<comm::Counters>& all, comm::Volume comm::Counters::*way,
                       Index comm::Volume::*what) {
  comm::Spread s;
  for (const comm::Counters& c : all) {
    s.total += c.*way.*what;
    s.max = std::max(s.max, c.*way.*what);
  }
  s.mean = static_cast<double>(s.total) / static_cast<double>(std::max<std::size_t>(1, all.size()));
  return s;
}

void add_words(Planned& p, const symmetric::Plan& plan, const Layouts& layouts) {
  constexpr int most_counted = 64;
  p.exact = plan.ranks <= most_counted;
  if (!p.exact) {
    const auto mean = plan.best.mean_words;
    const auto most = static_cast<Index>(plan.best.busiest_words);
    p.words.sent = p.words.received = {most, static_cast<Index>(mean * plan.ranks), mean};
    return;
  }
  const std::vector<comm::Counters> all = count(plan, layouts);
  p.words = {.sent = spread_of(all, &comm::Counters::sent, &comm::Volume::words),
             .received = spread_of(all, &comm::Counters::received, &comm::Volume::words)};
  p.messages = {.sent = spread_of(all, &comm::Counters::sent, &comm::Volume::messages),
                .received = spread_of(all, &comm::Counters::received, &comm::Volume::messages)};
}

Candidate candidate_of(const symmetric::Candidate& c, int ranks) {
  const auto most = static_cast<Index>(c.busiest_words);
  return {.cells = {{"pattern", c.pattern}, {"parts", std::to_string(c.parts)}},
          .fields = {{"pattern", c.pattern}, {"parts", c.parts}, {"in_place", c.stays}},
          .seconds = c.seconds,
          .words_total = static_cast<Index>(c.mean_words * ranks),
          .words_received = most,
          .words_sent = most,
          .work = c.work,
          .memory_bytes = c.memory_bytes,
          .why = c.why};
}

Planned plan_symmetric(const SymmetricOptions& o, const SharedOptions& shared, int ranks) {
  OwnPlan own{{}, layouts_of(o, ranks), settings_of(o, shared)};
  own.plan = plan_product(o.problem, own.layouts, ranks, own.settings);
  const symmetric::Candidate& best = own.plan.best;
  Planned p;
  p.title = fmt::format("{}, on {} rank{}", describe(o.problem), ranks, ranks == 1 ? "" : "s");
  p.algorithm = o.algorithm;
  p.ranks = p.active_ranks = ranks;  // owners send, whether they compute or not
  add_words(p, own.plan, own.layouts);
  p.bound = own.plan.bound_words;
  p.memory_bytes = best.memory_bytes;
  for (const layout::Layout& l : own.layouts)
    p.measuring_bytes = std::max(p.measuring_bytes, l.memory_elements(0) * Index{bytes(o.problem.type)});
  p.flops = flops(o.problem);
  p.seconds = best.seconds;
  p.fields = {{"n", o.n},
              {"k", o.k},
              {"type", o.type},
              {"triangle", o.triangle},
              {"objective", o.objective},
              {"pattern", best.pattern},
              {"parts", best.parts},
              {"in_place", best.stays},
              {"work", best.work}};
  p.lines.emplace_back("schedule", fmt::format("{}: {}, {} part{} of the panels", o.algorithm, best.pattern,
                                               best.parts, best.parts == 1 ? "" : "s"));
  for (const symmetric::Candidate& c : own.plan.candidates) p.candidates.push_back(candidate_of(c, ranks));
  p.machine = shared.machine;
  p.own = std::move(own);
  return p;
}

// ---- run ---------------------------------------------------------------------------------------------------

template <Scalar T>
class SymmetricWork final : public Work {
 public:
  SymmetricWork(CommView c, const SymmetricOptions& o, const SharedOptions& shared, const OwnPlan& own)
      : comm_(c), o_(o), settings_(own.settings), rounds_(shared.checks()), context_(c) {
    comm::agree(c, "memory of the matrices", [&] {
      for (const layout::Layout& l : own.layouts) matrices_.emplace_back(l, c.rank());
      before_.emplace(result().layout(), c.rank());
    });
    for (std::size_t m = 0; m < 3; ++m)
      layout::fill(matrices_[m].view(), c.rank(),
                   generated_matrix<T>("uniform", o.n, o.seed + static_cast<Index>(m)));
    std::ranges::copy(result().local(), before_->local().begin());
  }

  void prepare(bool) override { std::ranges::copy(before_->local(), result().local().begin()); }
  void run(program::Trace* trace) override {
    context_.record(trace);
    context_.run<T>(o_.problem, settings_, alpha(),
                    {matrices_[0].view(), matrices_[1].view(), matrices_[2].view()}, beta(), [] {});
  }
  std::optional<WorkVerdict> check() override {
    std::array<layout::MatrixView<const T>, 3> before{matrices_[0].view(), matrices_[1].view(),
                                                      matrices_[2].view()};
    before[static_cast<std::size_t>(symmetric::result_matrix(o_.problem))] = before_->view();
    return verdict_of(symmetric::check_product<T>(comm_, o_.problem, alpha(), before, beta(), result().view(),
                                                  {.rounds = rounds_}),
                      rounds_);
  }

 private:
  layout::DistMatrix<T>& result() {
    return matrices_[static_cast<std::size_t>(symmetric::result_matrix(o_.problem))];
  }
  T alpha() const { return T(static_cast<Real<T>>(o_.alpha)); }
  T beta() const { return T(static_cast<Real<T>>(o_.beta)); }

  CommView comm_;
  SymmetricOptions o_;
  symmetric::Settings settings_;
  int rounds_;
  symmetric::TriangleRunner context_;
  std::vector<layout::DistMatrix<T>> matrices_;
  std::optional<layout::DistMatrix<T>> before_;
};

std::unique_ptr<Work> start_symmetric(const SymmetricOptions& o, const SharedOptions& shared,
                                      const Planned& planned, CommView c) {
  return dispatch(o.problem.type, [&]<class T>() -> std::unique_ptr<Work> {
    return std::make_unique<SymmetricWork<T>>(c, o, shared, std::any_cast<const OwnPlan&>(planned.own));
  });
}

template <Kind kind>
bounds::BoundReport bound_symmetric(const SymmetricOptions& o, const BoundOptions& b) {
  return bounds::bound_triangle_product({.n = o.n,
                                         .k = o.k,
                                         .panels = kind == Kind::rank_k ? 1 : 2,
                                         .symmetric = kind != Kind::triangular,
                                         .panels_owned = kind == Kind::rank_k ? 1 : 2},
                                        b.ranks_or_one());
}

template <Kind kind>
Operation entry(const char* name, const char* summary, const char* example) {
  return make_operation<SymmetricOptions>({.name = name,
                                           .summary = summary,
                                           .example = example,
                                           .options = add_options<kind>,
                                           .read = read_options<kind>,
                                           .plan = plan_symmetric,
                                           .run = start_symmetric,
                                           .bound = bound_symmetric<kind>});
}

}  // namespace

Operation syrk_operation() {
  return entry<Kind::rank_k>("syrk", "C := alpha op(A) op(A)^T + beta C, one triangle of C",
                             "-n 2000 -k 500 --ranks 4");
}
Operation symm_operation() {
  return entry<Kind::symmetric>("symm", "C := alpha A B + beta C, A symmetric with one triangle stored",
                                "-n 2000 -k 500 --ranks 4");
}
Operation trmm_operation() {
  return entry<Kind::triangular>("trmm", "B := alpha op(A) B, A triangular", "-n 2000 -k 500 --ranks 4");
}

}  // namespace cairn::cli
