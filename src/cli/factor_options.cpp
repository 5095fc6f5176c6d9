#include "cli/factor_options.hpp"

#include <cmath>

#include "layout/kinds.hpp"

namespace cairn::cli {
namespace {

// In (-1, 1), from the bits of the indices.
double spread_value(Index i, Index j, Index seed) {
  auto x = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL ^
           static_cast<std::uint64_t>(j) * 0xC2B2AE3D27D4EB4FULL ^
           static_cast<std::uint64_t>(seed) * 0x165667B19E3779F9ULL;
  for (int round = 0; round < 2; ++round) {
    x ^= x >> 33;
    x *= 0xFF51AFD7ED558CCDULL;
  }
  x ^= x >> 33;
  return static_cast<double>(x >> 11) * 0x1p-52 - 1;
}

template <Scalar T>
T uniform(Index i, Index j, Index seed) {
  const auto re = static_cast<Real<T>>(spread_value(i, j, seed));
  if constexpr (ScalarTraits<T>::is_complex)
    return T(re, static_cast<Real<T>>(spread_value(i, j, seed + 7919)));
  else
    return re;
}

template <Scalar T>
Generated<T> growing(const std::string& name, Index n) {
  double c = 1;
  require(name.size() > 5 && name[4] == ':' && read_number(std::string_view(name).substr(5), c) && c >= 0 &&
              c <= 1,
          "--matrix is '{}', expected gfpp:C with 0 <= C <= 1", name);
  return [=](Index i, Index j) {
    return T(static_cast<Real<T>>(i == j || j == n - 1 ? 1.0 : i > j ? -c : 0.0));
  };
}

std::string usual_matrix(factor::Kind kind) { return kind == factor::Kind::lu ? "uniform" : "spd"; }

void add_words(Planned& p, const factor::FactorCandidate& c) {
  p.active_ranks = c.ranks();
  p.words = {.sent = {c.most_sent, c.total_words, c.mean_words},
             .received = {c.most_received, c.total_words, c.mean_words}};
  p.messages = {.sent = {c.most_messages, 0, c.messages},
                .received = {c.most_messages_received, 0, c.messages}};
  p.memory_bytes = c.memory_bytes;
  p.seconds = c.seconds;
}

Candidate candidate_of(const factor::FactorCandidate& c) {
  return {.cells = {{"pattern", c.pattern},
                    {"layers", std::to_string(c.layers)},
                    {"step", std::to_string(c.step)}},
          .fields = {{"pattern", c.pattern}, {"layers", c.layers}, {"step", c.step}},
          .seconds = c.seconds,
          .words_total = c.total_words,
          .words_received = c.most_received,
          .words_sent = c.most_sent,
          .messages = c.most_messages_received,
          .work = c.flop_imbalance,
          .memory_bytes = c.memory_bytes,
          .why = fmt::format("{}{}{}", c.why, c.in.total_words > 0 ? "; moves A" : "",
                             c.counted ? "" : "; words estimated")};
}

// Slices of v/c columns of every step on every layer: those at the place of the panel's owners on the other layers
// receive it, too.
std::string what_differs_from_the_paper(const factor::FactorProblem& p, const factor::FactorCandidate& best) {
  const double n = static_cast<double>(std::min(p.rows, p.columns)), c = best.layers;
  const double more = n * n / best.ranks() * (1 - 1 / c) / (p.kind == factor::Kind::lu ? 1 : 2);
  const std::string same =
      "its grid; panels are solved by their owners instead of being scattered to all ranks";
  if (best.layers == 1) return same;
  return fmt::format(
      "{}, and a layer applies one step in {} whole instead of a slice of each, which would be "
      "about {:.0f} words per rank more",
      same, best.layers, more);
}

}  // namespace

template <Scalar T>
Generated<T> generated_matrix(const std::string& name, Index n, Index seed) {
  if (name == "uniform") return [=](Index i, Index j) { return uniform<T>(i, j, seed); };
  if (name == "hilbert")
    return [](Index i, Index j) { return T(static_cast<Real<T>>(1.0 / static_cast<double>(i + j + 1))); };
  if (name.starts_with("gfpp")) return growing<T>(name, n);
  require(name == "spd", "--matrix is '{}', expected uniform, hilbert, gfpp:C or spd", name);
  return [=](Index i, Index j) {
    if (i == j) return T(static_cast<Real<T>>(2 * n));
    return i > j ? uniform<T>(i, j, seed) : conj(uniform<T>(j, i, seed));
  };
}

void add_factor_options(Command app, FactorOptions& o, factor::Kind kind) {
  add_size(app, "-N,--N", o.side, "Rows and columns of A", 0);
  if (kind == factor::Kind::lu) {
    add_size(app, "-m,--rows", o.rows, "Rows of A", 0);
    add_size(app, "-n,--columns", o.columns, "Columns of A", 0);
  }
  app.add_option("--type", o.type, "s, d, c or z (default d)");
  app.add_option("--matrix", o.matrix,
                 "uniform, hilbert, gfpp:C (grows by (1 + C)^(N-1) under partial pivoting) or spd");
  add_size(app, "--seed", o.seed, "Seed of the random matrix (default 1)", 0);
  const std::string paper = kind == factor::Kind::lu ? "conflux" : "confchox";
  app.add_option(
         "--algorithm", o.algorithm,
         fmt::format("auto, 2d (one layer on a grid) or {0} (layers of square grids, as in its paper)",
                     paper))
      .type_name("auto|2d|" + paper);
  app.add_option("--layout-a", o.layout_a,
                 "Layout of A, as for `cairn layout`: the plan weighs moving A against leaving it there "
                 "(default: the layout the plan prefers)")
      .type_name("SPEC");
  app.add_option("--objective", o.objective, "time (default) or words").type_name("time|words");
  add_size(app, "--layers", o.layers, "Layers c that apply whole steps in turn (default: planned)");
  add_size(app, "--step", o.step, "Columns v per step (default: planned)");
  if (kind == factor::Kind::lu)
    app.add_option("--pivoting", o.pivoting,
                   "tournament (default), partial (as LAPACK, a few messages per column) or none")
        .type_name("tournament|partial|none");
  else
    app.add_option("--triangle", o.triangle, "lower (default) or upper").type_name("lower|upper");
}

void read_factor_options(FactorOptions& o, factor::Kind kind) {
  const auto one_of = [](const char* name, const std::string& value, const std::string& x,
                         const std::string& y) {
    require(value == x || value == y, "{} is '{}', expected {} or {}", name, value, x, y);
  };
  one_of("--objective", o.objective, "time", "words");
  require(o.pivoting == "tournament" || o.pivoting == "partial" || o.pivoting == "none",
          "--pivoting is '{}', expected tournament, partial or none", o.pivoting);
  one_of("--triangle", o.triangle, "lower", "upper");
  if (o.matrix.empty()) o.matrix = usual_matrix(kind);
  const ScalarType type = parse_scalar_type(o.type);
  o.problem = {kind, 0, 0, type};
  if (!o.a.empty()) return;  // the file knows the size
  require(o.side || (o.rows && o.columns), "-N is missing{}",
          kind == factor::Kind::lu ? ", or -m and -n" : "");
  o.problem.rows = o.rows.value_or(o.side.value_or(0));
  o.problem.columns = o.columns.value_or(o.side.value_or(0));
  generated_matrix<double>(o.matrix, 1, 1);  // complains of the name
}

factor::FactorSettings settings_of(const FactorOptions& o, const SharedOptions& shared) {
  factor::FactorSettings s{.goal = o.objective == "words" ? factor::Goal::words : factor::Goal::time,
                           .algorithm = o.algorithm,
                           .memory_bytes = shared.memory_bytes,
                           .machine = shared.machine.machine};
  if (o.layers) s.layers = narrow<int>(*o.layers, "--layers");
  s.step = o.step;
  s.pivoting = pivoting_of(o);
  if (!o.layout_a.empty()) s.from = layout::parse_layout(o.layout_a, o.problem.rows, o.problem.columns);
  if (s.from && o.problem.kind == factor::Kind::cholesky && triangle_of(o) == Triangle::upper)
    s.from = s.from->transposed();
  return s;
}

PivotChoice pivoting_of(const FactorOptions& o) {
  return o.pivoting == "none"      ? PivotChoice::none
         : o.pivoting == "partial" ? PivotChoice::partial
                                   : PivotChoice::tournament;
}
Triangle triangle_of(const FactorOptions& o) {
  return o.triangle == "upper" ? Triangle::upper : Triangle::lower;
}

Planned planned_factor(const FactorOptions& o, const factor::FactorPlan& plan, const SharedOptions& shared) {
  const factor::FactorProblem& p = plan.problem;
  const factor::FactorCandidate& best = plan.best;
  const bool lu = p.kind == factor::Kind::lu;
  Planned planned;
  planned.title = fmt::format("{} of a {} x {} matrix of {}, on {} rank{}", lu ? "LU" : "Cholesky", p.rows,
                              p.columns, name(p.type), plan.ranks, plan.ranks == 1 ? "" : "s");
  planned.algorithm = o.algorithm;
  planned.ranks = plan.ranks;
  add_words(planned, best);
  planned.exact = !lu && best.counted;  // of LU which rows are pivots is not known yet
  planned.bound = plan.bounds.resident;
  const double cyclic = plan.bounds.cyclic;
  planned.fields = {{"m", p.rows},
                    {"n", p.columns},
                    {"type", o.type},
                    {"objective", o.objective},
                    {"pattern", best.pattern},
                    {"positions", best.positions},
                    {"layers", best.layers},
                    {"step", best.step},
                    {"work", best.flop_imbalance},
                    {"words_of_cyclic_layouts", cyclic},
                    {"ratio_to_cyclic_layouts", cyclic > 0 ? best.mean_words / cyclic : 1}};
  planned.lines.emplace_back(
      "schedule", fmt::format("{}: pattern {}, {} layer{}, {} columns per step", o.algorithm, best.pattern,
                              best.layers, best.layers == 1 ? "" : "s", best.step));
  planned.lines.emplace_back(
      "words",
      fmt::format(
          "{:.0f} per rank on average, {:.3f} of the least of cyclic layouts ({:.0f}); busiest {:.3f} "
          "times the average",
          best.mean_words, cyclic > 0 ? best.mean_words / cyclic : 1, cyclic,
          best.mean_words > 0 ? best.busiest_words / best.mean_words : 1));
  if (o.algorithm == "conflux" || o.algorithm == "confchox")
    planned.lines.emplace_back("the paper's", what_differs_from_the_paper(p, best));
  if (best.in.total_words > 0 || best.out.total_words > 0 || !o.layout_a.empty()) {
    planned.lines.emplace_back(
        "moving A",
        fmt::format("{:.0f} words per rank on average, {} on the busiest, before the factorization",
                    best.in.mean_words, best.in.most_words));
    planned.fields["moved_in"] = {
        {"mean", best.in.mean_words}, {"busiest", best.in.most_words}, {"total", best.in.total_words}};
  }
  planned.flops = factor_flops(p);
  planned.measuring_bytes = shared.checks() > 0 ? best.memory_bytes : best.memory_bytes / 2;
  for (const factor::FactorCandidate& c : plan.candidates) planned.candidates.push_back(candidate_of(c));
  planned.machine = shared.machine;
  planned.rank_name = [positions = best.positions, ranks = best.ranks()](int rank) {
    return rank < ranks
               ? fmt::format("rank {}, position {}, layer {}", rank, rank % positions, rank / positions)
               : fmt::format("rank {}, idle", rank);
  };
  planned.own = plan;
  return planned;
}

template Generated<float> generated_matrix<float>(const std::string&, Index, Index);
template Generated<double> generated_matrix<double>(const std::string&, Index, Index);
template Generated<std::complex<float>> generated_matrix<std::complex<float>>(const std::string&, Index,
                                                                              Index);
template Generated<std::complex<double>> generated_matrix<std::complex<double>>(const std::string&, Index,
                                                                                Index);

}  // namespace cairn::cli
