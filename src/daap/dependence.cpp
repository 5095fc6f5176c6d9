#include "daap/dependence.hpp"

#include <map>

namespace cairn::daap {
namespace {

using Names = std::map<std::string, std::string>;

// The second execution has its own copy of every loop variable.
Names primed(const Statement& statement) {
  Names names;
  for (const Loop& loop : statement.loops) names.emplace(loop.variable, loop.variable + "'");
  return names;
}

std::vector<Loop> renamed(std::vector<Loop> loops, const Names& names) {
  for (Loop& loop : loops) {
    loop.variable = names.at(loop.variable);
    loop.lower = loop.lower.renamed(names);
    loop.upper = loop.upper.renamed(names);
  }
  return loops;
}

std::size_t common_loops(const Statement& s, const Statement& t) {
  std::size_t common = 0;
  while (common < s.loops.size() && common < t.loops.size() &&
         s.loops[common].offset == t.loops[common].offset)
    ++common;
  return common;
}

Constraints same_element(const Statement& s, const Access& a, const Statement& t, const Access& b,
                         const std::vector<std::string>& parameters) {
  const Names names = primed(t);
  Constraints constraints = domain_constraints(s.loops, parameters);
  for (const Constraint& c : domain_constraints(renamed(t.loops, names), {})) constraints.push_back(c);
  for (std::size_t i = 0; i < a.indices.size(); ++i)
    constraints.push_back(equal(a.indices[i], b.indices[i].renamed(names)));
  return constraints;
}

}  // namespace

bool Dependences::meet(std::size_t s, const Access& a, std::size_t t, const Access& b, Order order) const {
  if (a.array != b.array) return false;
  const Statement& first = program_.statements[s];
  const Statement& second = program_.statements[t];
  Constraints constraints = same_element(first, a, second, b, program_.parameters);
  if (!maybe_feasible(constraints, budget_)) return false;
  if (order == Order::any) return true;
  // Lexicographic order on the common loops, one case a loop; ties are broken by the place in the text.
  const std::size_t common = common_loops(first, second);
  for (std::size_t level = 0; level < common; ++level) {
    const Affine mine = Affine::name(first.loops[level].variable);
    const Affine theirs = Affine::name(first.loops[level].variable + "'");
    constraints.push_back(less(mine, theirs));
    if (maybe_feasible(constraints, budget_)) return true;
    constraints.back() = equal(mine, theirs);
  }
  const bool tie_counts = s < t || (s == t && order == Order::not_after);
  return tie_counts && maybe_feasible(constraints, budget_);
}

}  // namespace cairn::daap
