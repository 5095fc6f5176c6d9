#include "daap/optimise.hpp"

#include <algorithm>

#include "daap/cover.hpp"

namespace cairn::daap {
namespace {

std::vector<Term> merged(const std::vector<Term>& terms) {
  std::vector<Term> result;
  for (const Term& term : terms) {
    const auto same = std::find_if(result.begin(), result.end(),
                                   [&](const Term& other) { return other.variables == term.variables; });
    if (same == result.end())
      result.push_back(term);
    else
      same->factor += term.factor;
  }
  return result;
}

std::optional<Rational> rational_value(const GiNaC::ex& expression) {
  if (!GiNaC::is_a<GiNaC::numeric>(expression)) return std::nullopt;
  const auto& value = GiNaC::ex_to<GiNaC::numeric>(expression);
  if (!value.is_rational()) return std::nullopt;
  return cln::the<cln::cl_RA>(value.to_cl_N());
}

CoverProblem cover_problem(const std::set<std::string>& variables, const std::vector<Term>& terms,
                           const Symbols& symbols) {
  CoverProblem problem;
  for (const Term& term : terms) {
    RationalVector row;
    for (const std::string& variable : variables) row.push_back(term.variables.contains(variable) ? 1 : 0);
    // A statement whose loops are all free has one tile of one point that needs every input: the same
    // problem with one variable that is in all accesses.
    if (variables.empty()) row.push_back(1);
    problem.incidence.push_back(std::move(row));
    problem.growth.push_back(1 - growth(term.factor, {symbols.memory}));
    problem.factors.push_back(rational_value(term.factor));
  }
  return problem;
}

// prod_j (w_j / (sigma c_j))^w_j
GiNaC::ex constant_of(const TileOptimum& optimum) {
  GiNaC::ex constant = 1;
  for (std::size_t j = 0; j < optimum.terms.size(); ++j) {
    const Rational& w = optimum.weights[j];
    if (cln::zerop(w)) continue;
    constant *= exact_power(w / optimum.sigma, w) * factor_power(optimum.terms[j].factor, -w);
  }
  return constant;
}

}  // namespace

std::size_t TileOptimum::term_of(const std::set<std::string>& variables) const {
  const auto place =
      std::find_if(terms.begin(), terms.end(), [&](const Term& term) { return term.variables == variables; });
  return static_cast<std::size_t>(place - terms.begin());
}

TileOptimum optimise_tile(const std::set<std::string>& variables, const std::vector<Term>& terms,
                          const Symbols& symbols, WorkBudget& budget) {
  TileOptimum optimum;
  optimum.terms = merged(terms);
  const Cover cover = best_cover(cover_problem(variables, optimum.terms, symbols), budget);
  optimum.weights = cover.weights;
  optimum.sigma = 0;
  for (const Rational& w : cover.weights) optimum.sigma = optimum.sigma + w;
  optimum.constant = constant_of(optimum);
  optimum.closed_form = cover.optimal;
  optimum.exact = cover.optimal && std::none_of(cover.weights.begin(), cover.weights.end(),
                                                [](const Rational& w) { return cln::zerop(w); });
  return optimum;
}

}  // namespace cairn::daap
