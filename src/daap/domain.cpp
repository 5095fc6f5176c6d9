#include "daap/domain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "daap/limits.hpp"

namespace cairn::daap {
namespace {

constexpr int most_narrowings = 64;

class Narrower {
 public:
  Narrower(const LoopProgram& program, const Statement& statement, WorkBudget& budget)
      : program_(program), loops_(statement.loops), budget_(budget) {
    for (const Loop& loop : loops_) variables_.insert(loop.variable);
  }

  // Visits the loops from outside; after a narrowing it begins again, since the narrowed range must be
  // checked too.
  void run() {
    for (int round = 0; round < most_narrowings; ++round) {
      conditions_.clear();
      if (pass()) return;
    }
    program_.source.fail_at(loops_.back().offset, "the ranges of the loops around this cannot be ordered");
  }

  std::vector<Loop> loops_after() const { return loops_; }
  std::vector<Affine> conditions() const { return conditions_; }

 private:
  bool pass() {
    for (std::size_t depth = 0; depth < loops_.size(); ++depth) {
      const Affine length = loops_[depth].upper - loops_[depth].lower;
      if (never(known(depth), at_least(length, Affine(1))))
        fail(depth, "is empty for all sizes, so the statement is never executed");
      if (never(known(depth), less(length, Affine(0)))) continue;
      if (length.uses_any(variables_)) {
        narrow(depth, length);
        return false;
      }
      conditions_.push_back(length);
    }
    return true;
  }

  // What holds inside the first `depth` loops.
  Constraints known(std::size_t depth) const {
    Constraints constraints = domain_constraints(
        {loops_.begin(), loops_.begin() + static_cast<std::ptrdiff_t>(depth)}, program_.parameters);
    for (const Affine& condition : conditions_) constraints.push_back({condition, Relation::not_negative});
    return constraints;
  }

  bool never(Constraints constraints, Constraint added) const {
    constraints.push_back(std::move(added));
    return !maybe_feasible(constraints, budget_);
  }

  // length >= 0 bounds the innermost loop variable in it: from above (coefficient -1) or below (+1).
  void narrow(std::size_t depth, const Affine& length) {
    std::size_t outer = depth;
    while (outer > 0 && length.coefficient(loops_[outer - 1].variable) == 0) --outer;
    Loop& loop = loops_[--outer];
    const Index factor = length.coefficient(loop.variable);
    const Affine rest = length - Affine::name(loop.variable).times(factor);
    const Affine upper = factor == -1 ? rest + 1 : loop.upper;
    const Affine lower = factor == 1 ? rest.times(-1) : loop.lower;
    const bool tightens = (factor == -1 && never(known(outer), less(loop.upper, upper))) ||
                          (factor == 1 && never(known(outer), less(lower, loop.lower)));
    if (!tightens)
      fail(depth,
           "is empty in some iterations of the outer loops, and no bound on a single outer variable says "
           "which");
    loop.upper = upper;
    loop.lower = lower;
  }

  [[noreturn]] void fail(std::size_t depth, std::string_view what) const {
    const Loop& loop = loops_[depth];
    program_.source.fail_at(loop.offset,
                            fmt::format("the range {} of {} {}", loop.range(), loop.variable, what));
  }

  const LoopProgram& program_;
  std::vector<Loop> loops_;
  std::set<std::string> variables_;
  std::vector<Affine> conditions_;
  WorkBudget& budget_;
};

// 0^p + 1^p + ... + (n-1)^p as a polynomial in n.
GiNaC::ex power_sum(int p, const GiNaC::ex& n) {
  GiNaC::ex sum = 0;
  for (int k = 0; k <= p; ++k)
    sum += GiNaC::binomial(GiNaC::numeric(p + 1), GiNaC::numeric(k)) * GiNaC::bernoulli(GiNaC::numeric(k)) *
           GiNaC::pow(n, p + 1 - k);
  return sum / (p + 1);
}

using SymbolMap = std::map<std::string, GiNaC::symbol>;

GiNaC::ex to_expression(const Affine& form, const SymbolMap& variables, const Symbols& symbols) {
  GiNaC::ex sum = GiNaC::numeric(static_cast<long>(form.constant()));
  for (const auto& [name, factor] : form.coefficients()) {
    const auto place = variables.find(name);
    const GiNaC::ex symbol =
        place == variables.end() ? GiNaC::ex(symbols.parameter(name)) : GiNaC::ex(place->second);
    sum += GiNaC::numeric(static_cast<long>(factor)) * symbol;
  }
  return sum;
}

GiNaC::ex sum_over(const GiNaC::ex& summand, const GiNaC::symbol& variable, const GiNaC::ex& lower,
                   const GiNaC::ex& upper) {
  GiNaC::ex sum = 0;
  for (int p = 0; p <= summand.degree(variable); ++p)
    sum += summand.coeff(variable, p) * (power_sum(p, upper) - power_sum(p, lower));
  return sum.expand();
}

GiNaC::ex count(const LoopProgram& program, const std::vector<Loop>& loops, const Symbols& symbols) {
  SymbolMap variables;
  for (const Loop& loop : loops) variables.emplace(loop.variable, GiNaC::symbol(loop.variable));
  GiNaC::ex vertices = 1;
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    vertices =
        sum_over(vertices, variables.at(loop->variable), to_expression(loop->lower, variables, symbols),
                 to_expression(loop->upper, variables, symbols));
    if (vertices.nops() > most_terms)
      program.source.fail_at(loop->offset, fmt::format("counting the iterations of this loop needs a "
                                                       "polynomial of more than {} terms",
                                                       most_terms));
  }
  return vertices;
}

// The largest (sign +1) or smallest (-1) value of a form, every loop variable at the end that favours it.
Affine extreme(Affine form, const std::vector<Loop>& loops, int sign) {
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    const Index factor = form.coefficient(loop->variable);
    const Affine end = sign * factor > 0 ? loop->upper + (-1) : loop->lower;
    form = form + (end - Affine::name(loop->variable)).times(factor);
  }
  return form;
}

}  // namespace

Domain count_domain(const LoopProgram& program, const Statement& statement, const Symbols& symbols,
                    WorkBudget& budget) {
  if (statement.loops.empty()) return {{}, 1, {}};
  Narrower narrower(program, statement, budget);
  narrower.run();
  const std::vector<Loop> loops = narrower.loops_after();
  return {loops, count(program, loops, symbols), narrower.conditions()};
}

GiNaC::ex extent(const std::vector<Loop>& loops, const std::string& variable, const Symbols& symbols) {
  const auto place =
      std::find_if(loops.begin(), loops.end(), [&](const Loop& loop) { return loop.variable == variable; });
  const std::vector<Loop> outer(loops.begin(), place);
  return symbols.expression(extreme(place->upper, outer, 1) - extreme(place->lower, outer, -1));
}

}  // namespace cairn::daap
