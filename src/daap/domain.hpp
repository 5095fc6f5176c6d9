// |V|: how many vertices a statement computes, as a polynomial in the size parameters.
#pragma once

#include "daap/polyhedron.hpp"
#include "daap/symbols.hpp"

namespace cairn::daap {

struct Domain {
  std::vector<Loop> loops;  // narrowed so that no range inside is ever shorter than empty
  GiNaC::ex vertices;
  std::vector<Affine> conditions;  // on the parameters: each must be >= 0 for the polynomial to hold
};

// Sums 1 over the nested half-open ranges (Faulhaber's formula, exact). A range whose upper end may lie below
// its lower end would count negatively: the loop around it is narrowed where that is an affine bound, and an
// error points at the range where it is not.
Domain count_domain(const LoopProgram& program, const Statement& statement, const Symbols& symbols,
                    WorkBudget& budget);

// How many values the loop variable takes at most: the range over the smallest box that holds the domain.
GiNaC::ex extent(const std::vector<Loop>& loops, const std::string& variable, const Symbols& symbols);

}  // namespace cairn::daap
