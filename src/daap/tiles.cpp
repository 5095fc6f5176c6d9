#include "daap/tiles.hpp"

#include <algorithm>
#include <vector>

namespace cairn::daap {
namespace {

class TileSolver {
 public:
  TileSolver(const std::set<std::string>& variables, const TileOptimum& optimum, const GiNaC::ex& partition,
             const Symbols& symbols, WorkBudget& budget)
      : optimum_(optimum), partition_(partition), symbols_(symbols), budget_(budget) {
    for (const std::string& variable : variables)
      (covered_once(variable) ? grown_ : fixed_).push_back(variable);
  }

  std::map<std::string, GiNaC::ex> run() {
    std::map<std::string, GiNaC::ex> sizes;
    for (const std::string& variable : fixed_) sizes.emplace(variable, 1);
    std::vector<GiNaC::ex> grown = least_squares();
    rebalance(grown);
    for (std::size_t t = 0; t < grown_.size(); ++t) sizes.emplace(grown_[t], grown[t]);
    return sizes;
  }

 private:
  // Complementary slackness: a variable that is covered more than once sits at its bound 1.
  bool covered_once(const std::string& variable) const {
    Rational sum = 0;
    for (std::size_t j = 0; j < optimum_.terms.size(); ++j)
      if (optimum_.terms[j].variables.contains(variable)) sum = sum + optimum_.weights[j];
    return sum == 1;
  }

  RationalVector row(const Term& term) const {
    RationalVector result;
    for (const std::string& variable : grown_) result.push_back(term.variables.contains(variable) ? 1 : 0);
    return result;
  }

  // The number of elements of a term at the optimum: w_j X / (sigma c_j).
  GiNaC::ex elements(std::size_t j) const {
    return exact_power(optimum_.weights[j] / optimum_.sigma, 1) * partition_ *
           factor_power(optimum_.terms[j].factor, -1);
  }

  // The least solution of sum_{t in j} log x_t = log elements(j) over the terms with w_j > 0.
  std::vector<GiNaC::ex> least_squares() const {
    RationalMatrix rows;
    std::vector<GiNaC::ex> sizes;
    for (std::size_t j = 0; j < optimum_.terms.size(); ++j)
      if (!cln::zerop(optimum_.weights[j])) {
        rows.push_back(row(optimum_.terms[j]));
        sizes.push_back(elements(j));
      }
    RationalMatrix basis;
    std::vector<GiNaC::ex> right;
    for (const std::size_t i : independent_rows(rows)) {
      basis.push_back(rows[i]);
      right.push_back(sizes[i]);
    }
    const RationalMatrix turned = transpose(basis);
    const RationalMatrix solve = multiply(turned, inverse(multiply(basis, turned)));
    std::vector<GiNaC::ex> result(grown_.size(), 1);
    for (std::size_t t = 0; t < grown_.size() && t < solve.size(); ++t)
      for (std::size_t i = 0; i < right.size(); ++i) result[t] *= factor_power(right[i], solve[t][i]);
    return result;
  }

  GiNaC::exset scale() const { return {symbols_.memory, symbols_.partition}; }

  // Moves powers of M between the sizes where the least squares solution does not let a size grow, or lets a
  // term of lower order grow as fast as X.
  void rebalance(std::vector<GiNaC::ex>& sizes) const {
    RationalVector powers;
    for (const GiNaC::ex& size : sizes) powers.push_back(growth(size, scale()));
    if (grow(powers) && !outgrown(powers)) return;
    const RationalVector better = balanced_powers();
    if (!cln::plusp(better.back())) return;
    const GiNaC::ex unit =
        partition_.has(symbols_.partition) ? GiNaC::ex(symbols_.partition) : GiNaC::ex(symbols_.memory);
    for (std::size_t t = 0; t < sizes.size(); ++t)
      sizes[t] *= GiNaC::power(unit, number(better[t] - powers[t]));
  }

  static bool grow(const RationalVector& powers) {
    return std::all_of(powers.begin(), powers.end(), [](const Rational& p) { return cln::plusp(p); });
  }

  Rational room(const Term& term) const { return 1 - growth(term.factor, {symbols_.memory}); }

  bool outgrown(const RationalVector& powers) const {
    for (std::size_t j = 0; j < optimum_.terms.size(); ++j) {
      Rational sum = 0;
      for (std::size_t t = 0; t < grown_.size(); ++t)
        if (optimum_.terms[j].variables.contains(grown_[t])) sum = sum + powers[t];
      if (cln::zerop(optimum_.weights[j]) && sum >= room(optimum_.terms[j])) return true;
    }
    return false;
  }

  // Powers eta_t >= s with sum_{t in j} eta_t = room for terms with w_j > 0 and <= room - s for the others,
  // s (the last entry of the result) as large as possible. By strict complementarity of the linear program of
  // the exponents s > 0 exists unless a size is a constant in all optima.
  RationalVector balanced_powers() const {
    const std::size_t s = grown_.size();
    LinearProgram program;
    program.cost = RationalVector(s, 0);
    program.cost.push_back(-1);
    for (std::size_t t = 0; t < s; ++t) {
      program.least.emplace_back(s + 1, 0);
      program.least.back()[t] = 1;
      program.least.back()[s] = -1;
      program.at_least.push_back(0);
    }
    for (std::size_t j = 0; j < optimum_.terms.size(); ++j) add_room(j, program);
    const auto found = minimise(program, budget_);
    return found ? found->x : RationalVector(s + 1, 0);
  }

  void add_room(std::size_t j, LinearProgram& program) const {
    RationalVector factors = row(optimum_.terms[j]);
    const Rational right = room(optimum_.terms[j]);
    if (!cln::zerop(optimum_.weights[j])) {
      factors.push_back(0);
      program.equal.push_back(std::move(factors));
      program.equal_to.push_back(right);
      return;
    }
    factors.push_back(1);
    for (Rational& factor : factors) factor = -factor;
    program.least.push_back(std::move(factors));
    program.at_least.push_back(-right);
  }

  const TileOptimum& optimum_;
  const GiNaC::ex& partition_;
  const Symbols& symbols_;
  WorkBudget& budget_;
  std::vector<std::string> grown_;
  std::vector<std::string> fixed_;
};

}  // namespace

std::map<std::string, GiNaC::ex> tile_sizes(const std::set<std::string>& variables,
                                            const TileOptimum& optimum, const GiNaC::ex& partition,
                                            const Symbols& symbols, WorkBudget& budget) {
  if (!optimum.closed_form) return {};
  return TileSolver(variables, optimum, partition, symbols, budget).run();
}

}  // namespace cairn::daap
