#include "cairn/symmetric.hpp"

#include <fmt/format.h>

#include "api/checks.hpp"
#include "api/context_state.hpp"
#include "api/scopes.hpp"

namespace cairn {
namespace {

using symmetric::Kind;
using symmetric::Problem;

symmetric::Settings symmetric_settings(const SymmetricOptions& o) {
  return {.goal = o.objective == Objective::time ? symmetric::Goal::time : symmetric::Goal::words,
          .algorithm = o.algorithm,
          .parts = o.parts,
          .memory_bytes = o.memory_bytes,
          .machine = o.machine};
}

std::string candidate_line(const symmetric::Candidate& c) {
  return fmt::format("{}, {} part{}: {:.0f} words, {:.3g} s, {}", c.pattern, c.parts, c.parts == 1 ? "" : "s",
                     c.busiest_words, c.seconds, c.why);
}

SymmetricReport symmetric_report(const symmetric::Plan& plan) {
  SymmetricReport r{.pattern = plan.best.pattern,
                    .parts = plan.best.parts,
                    .in_place = plan.best.stays,
                    .mean_words = plan.best.mean_words,
                    .busiest_words = plan.best.busiest_words,
                    .bound_words = plan.bound_words,
                    .work = plan.best.work,
                    .memory_bytes = plan.best.memory_bytes,
                    .seconds = plan.best.seconds};
  for (const symmetric::Candidate& c : plan.candidates) r.candidates.push_back(candidate_line(c));
  return r;
}

// The matrices of one call by their names; null: the operation has none.
template <Scalar T>
struct Triple {
  const Matrix<T>*a, *b, *c;
  std::array<const Matrix<T>*, 3> all() const { return {a, b, c}; }
};

template <Scalar T>
void check_arguments(const Problem& p, const Triple<T>& m) {
  const auto extents = symmetric::stored_extents(p);
  const Matrix<T>& result = *m.all()[static_cast<std::size_t>(symmetric::result_matrix(p))];
  const std::array<std::string_view, 3> names{"A", "B", "C"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (m.all()[i] == nullptr) continue;
    const Matrix<T>& x = *m.all()[i];
    require(x.context() == result.context(), "{} has another context than the result, expected one",
            names[i]);
    require(x.rows() == extents[i].rows && x.columns() == extents[i].columns,
            "{} is {} x {}, expected {} x {}", names[i], x.rows(), x.columns(), extents[i].rows,
            extents[i].columns);
    if (&x != &result) detail::check_memory_apart(names[i], x, result);
  }
}

template <Scalar T>
SymmetricReport run(const Problem& problem, const Triple<T>& m, T alpha, T beta,
                    const SymmetricOptions& options) {
  const Context& context = m.a->context();
  const detail::ThreadScope threads(options.threads);
  std::array<layout::MatrixView<T>, 3> views;
  for (std::size_t i = 0; i < 3; ++i)
    if (m.all()[i] != nullptr) views[i] = detail::view_of(*m.all()[i]);
  const auto prepared = context.state().triangles().run<T>(
      problem, symmetric_settings(options), alpha, views, beta,
      [&] {
        require(options.threads >= 0, "threads is {}, expected 0 or more", options.threads);
        check_arguments(problem, m);
      },
      std::max(1, options.threads));
  SymmetricReport report = symmetric_report(prepared->plan);
  const comm::Counters& moved = prepared->moved;
  report.moved = {moved.sent.words, moved.received.words, moved.sent.messages, moved.received.messages};
  return report;
}

// n and k of an update from the stored A.
template <Scalar T>
Problem update_of(Kind kind, bool hermitian, Triangle triangle, Op op, const Matrix<T>& a) {
  return {.kind = kind,
          .hermitian = hermitian,
          .triangle = triangle,
          .op = op,
          .n = op == Op::none ? a.rows() : a.columns(),
          .k = op == Op::none ? a.columns() : a.rows()};
}
template <Scalar T>
Problem product_with(Kind kind, bool hermitian, Side side, Triangle triangle, const Matrix<T>& b) {
  return {.kind = kind,
          .hermitian = hermitian,
          .side = side,
          .triangle = triangle,
          .n = side == Side::left ? b.rows() : b.columns(),
          .k = side == Side::left ? b.columns() : b.rows()};
}

Problem problem_of(const SymmetricProduct& p) {
  return {.kind = static_cast<Kind>(p.kind),
          .hermitian = p.hermitian,
          .side = p.side,
          .triangle = p.triangle,
          .op = p.op,
          .diagonal = p.diagonal,
          .n = p.n,
          .k = p.k,
          .type = p.type};
}

// What the Programs of all ranks move.
void count_words(const symmetric::Plan& plan, const std::array<layout::Layout, 3>& layouts,
                 SymmetricReport& r) {
  constexpr int most_ranks = 64;
  if (plan.ranks > most_ranks) return;
  Index total = 0, busiest = 0;
  for (const comm::Counters& c : symmetric::count(plan, layouts)) {
    total += c.received.words;
    busiest = std::max({busiest, c.sent.words, c.received.words});
  }
  r.mean_words = static_cast<double>(total) / plan.ranks;
  r.busiest_words = static_cast<double>(busiest);
  r.counted = true;
}

}  // namespace

std::string SymmetricReport::describe() const {
  return fmt::format("{}, {} part{}: {:.0f} words per rank", pattern, parts, parts == 1 ? "" : "s",
                     mean_words);
}

template <Scalar T>
SymmetricReport rank_k_update(Triangle triangle, Op op, std::type_identity_t<T> alpha, const Matrix<T>& a,
                              std::type_identity_t<T> beta, Matrix<T>& c, const SymmetricOptions& options) {
  return run<T>(update_of(Kind::rank_k, false, triangle, op, a), {&a, nullptr, &c}, alpha, beta, options);
}

template <Scalar T>
SymmetricReport hermitian_rank_k_update(Triangle triangle, Op op, typename ScalarTraits<T>::Real alpha,
                                        const Matrix<T>& a, typename ScalarTraits<T>::Real beta, Matrix<T>& c,
                                        const SymmetricOptions& options) {
  return run<T>(update_of(Kind::rank_k, true, triangle, op, a), {&a, nullptr, &c}, T(alpha), T(beta),
                options);
}

template <Scalar T>
SymmetricReport rank_2k_update(Triangle triangle, Op op, std::type_identity_t<T> alpha, const Matrix<T>& a,
                               const Matrix<T>& b, std::type_identity_t<T> beta, Matrix<T>& c,
                               const SymmetricOptions& options) {
  return run<T>(update_of(Kind::rank_2k, false, triangle, op, a), {&a, &b, &c}, alpha, beta, options);
}

template <Scalar T>
SymmetricReport hermitian_rank_2k_update(Triangle triangle, Op op, std::type_identity_t<T> alpha,
                                         const Matrix<T>& a, const Matrix<T>& b,
                                         typename ScalarTraits<T>::Real beta, Matrix<T>& c,
                                         const SymmetricOptions& options) {
  return run<T>(update_of(Kind::rank_2k, true, triangle, op, a), {&a, &b, &c}, alpha, T(beta), options);
}

template <Scalar T>
SymmetricReport multiply_symmetric(Side side, Triangle triangle, std::type_identity_t<T> alpha,
                                   const Matrix<T>& a, const Matrix<T>& b, std::type_identity_t<T> beta,
                                   Matrix<T>& c, const SymmetricOptions& options) {
  return run<T>(product_with(Kind::symmetric, false, side, triangle, b), {&a, &b, &c}, alpha, beta, options);
}

template <Scalar T>
SymmetricReport multiply_hermitian(Side side, Triangle triangle, std::type_identity_t<T> alpha,
                                   const Matrix<T>& a, const Matrix<T>& b, std::type_identity_t<T> beta,
                                   Matrix<T>& c, const SymmetricOptions& options) {
  return run<T>(product_with(Kind::symmetric, true, side, triangle, b), {&a, &b, &c}, alpha, beta, options);
}

template <Scalar T>
SymmetricReport multiply_triangular(Side side, Triangle triangle, Op op, Diagonal diagonal,
                                    std::type_identity_t<T> alpha, const Matrix<T>& a, Matrix<T>& b,
                                    const SymmetricOptions& options) {
  Problem p = product_with(Kind::triangular, false, side, triangle, b);
  p.op = op;
  p.diagonal = diagonal;
  return run<T>(p, {&a, &b, nullptr}, alpha, T(0), options);
}

SymmetricReport plan_symmetric(const SymmetricProduct& product, const Layout& a, const Layout& b,
                               const Layout& c, int ranks, const SymmetricOptions& options) {
  const Problem problem = problem_of(product);
  std::array<layout::Layout, 3> layouts{a.state().general(), b.state().general(), c.state().general()};
  if (problem.kind == Kind::rank_k) layouts[1] = {};
  if (problem.kind == Kind::triangular) layouts[2] = {};
  const symmetric::Plan plan = plan_product(problem, layouts, ranks, symmetric_settings(options));
  SymmetricReport report = symmetric_report(plan);
  count_words(plan, layouts, report);
  return report;
}

double symmetric_bound(const SymmetricProduct& product, int ranks) {
  return symmetric::bound_words(problem_of(product), ranks);
}

#define CAIRN_INSTANTIATE(T)                                                                                 \
  template SymmetricReport rank_k_update<T>(Triangle, Op, std::type_identity_t<T>, const Matrix<T>&,         \
                                            std::type_identity_t<T>, Matrix<T>&, const SymmetricOptions&);   \
  template SymmetricReport hermitian_rank_k_update<T>(Triangle, Op, ScalarTraits<T>::Real, const Matrix<T>&, \
                                                      ScalarTraits<T>::Real, Matrix<T>&,                     \
                                                      const SymmetricOptions&);                              \
  template SymmetricReport rank_2k_update<T>(Triangle, Op, std::type_identity_t<T>, const Matrix<T>&,        \
                                             const Matrix<T>&, std::type_identity_t<T>, Matrix<T>&,          \
                                             const SymmetricOptions&);                                       \
  template SymmetricReport hermitian_rank_2k_update<T>(                                                      \
      Triangle, Op, std::type_identity_t<T>, const Matrix<T>&, const Matrix<T>&, ScalarTraits<T>::Real,      \
      Matrix<T>&, const SymmetricOptions&);                                                                  \
  template SymmetricReport multiply_symmetric<T>(Side, Triangle, std::type_identity_t<T>, const Matrix<T>&,  \
                                                 const Matrix<T>&, std::type_identity_t<T>, Matrix<T>&,      \
                                                 const SymmetricOptions&);                                   \
  template SymmetricReport multiply_hermitian<T>(Side, Triangle, std::type_identity_t<T>, const Matrix<T>&,  \
                                                 const Matrix<T>&, std::type_identity_t<T>, Matrix<T>&,      \
                                                 const SymmetricOptions&);                                   \
  template SymmetricReport multiply_triangular<T>(Side, Triangle, Op, Diagonal, std::type_identity_t<T>,     \
                                                  const Matrix<T>&, Matrix<T>&, const SymmetricOptions&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
