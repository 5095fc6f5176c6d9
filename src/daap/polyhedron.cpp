#include "daap/polyhedron.hpp"

#include <map>
#include <numeric>

namespace cairn::daap {
namespace {

bool divisible(const Affine& form) {
  Index divisor = 0;
  for (const auto& term : form.coefficients()) divisor = std::gcd(divisor, term.second);
  return divisor == 0 ? form.constant() == 0 : form.constant() % divisor == 0;
}

// A variable with coefficient +-1 in an equation is replaced everywhere, which keeps integrality and makes
// the linear program small. Returns false when nothing was replaced.
bool substitute_once(Constraints& constraints) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].relation != Relation::equal_zero) continue;
    for (const auto& [variable, factor] : constraints[i].form.coefficients()) {
      if (factor != 1 && factor != -1) continue;
      const std::string name = variable;
      const Affine form = constraints[i].form.times(factor);  // name + rest = 0
      constraints.erase(constraints.begin() + static_cast<std::ptrdiff_t>(i));
      for (Constraint& other : constraints)
        other.form = other.form - form.times(other.form.coefficient(name));
      return true;
    }
  }
  return false;
}

// Drops constraints without variables; false if one of them does not hold.
bool drop_constants(Constraints& constraints) {
  for (const Constraint& c : constraints) {
    if (c.relation == Relation::equal_zero && !divisible(c.form)) return false;
    if (c.form.is_constant() && c.form.constant() < 0) return false;
  }
  std::erase_if(constraints, [](const Constraint& c) { return c.form.is_constant(); });
  return true;
}

// Free variables become differences of two that are not negative.
LinearProgram to_program(const Constraints& constraints) {
  std::map<std::string, std::size_t> columns;
  for (const Constraint& c : constraints)
    for (const auto& term : c.form.coefficients()) columns.emplace(term.first, columns.size());
  LinearProgram program;
  program.cost = RationalVector(2 * columns.size(), 0);
  for (const Constraint& c : constraints) {
    RationalVector row(2 * columns.size(), 0);
    for (const auto& [variable, factor] : c.form.coefficients()) {
      row[2 * columns[variable]] = static_cast<long>(factor);
      row[2 * columns[variable] + 1] = static_cast<long>(-factor);
    }
    const bool equation = c.relation == Relation::equal_zero;
    (equation ? program.equal : program.least).push_back(std::move(row));
    (equation ? program.equal_to : program.at_least).push_back(static_cast<long>(-c.form.constant()));
  }
  return program;
}

}  // namespace

bool maybe_feasible(const Constraints& constraints, WorkBudget& budget) {
  constexpr std::size_t setup_cost = 200;  // copying and substituting, in entries of a tableau
  budget.spend(setup_cost);
  Constraints left = constraints;
  try {
    do {
      if (!drop_constants(left)) return false;
    } while (substitute_once(left));
  } catch (const OverflowError&) {
    left = constraints;  // coefficients grew too large; the rational program has no such limit
  }
  return left.empty() || minimise(to_program(left), budget).has_value();
}

Constraints domain_constraints(const std::vector<Loop>& loops, const std::vector<std::string>& parameters) {
  Constraints constraints;
  for (const std::string& parameter : parameters)
    constraints.push_back(at_least(Affine::name(parameter), Affine(1)));
  for (const Loop& loop : loops) {
    constraints.push_back(at_least(Affine::name(loop.variable), loop.lower));
    constraints.push_back(less(Affine::name(loop.variable), loop.upper));
  }
  return constraints;
}

}  // namespace cairn::daap
