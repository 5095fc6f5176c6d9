// The optimisation problem of section 3.2, solved exactly: how many vertices a subcomputation can hold whose
// dominator set has at most X vertices,
//     chi(X) = max prod_t |D^t|   subject to   sum_j c_j prod_{t in phi_j} |D^t| <= X,   |D^t| >= 1.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "daap/simplex.hpp"
#include "daap/symbols.hpp"

namespace cairn::daap {

// One input access: its variables and c_j, the part of its elements that must be in a dominator set.
struct Term {
  std::set<std::string> variables;
  GiNaC::ex factor = 1;
};

struct TileOptimum {
  std::vector<Term> terms;  // accesses with equal variables merged; their factors are added
  RationalVector weights;   // w_j of each term: it takes w_j / sigma of X; 0 for terms of lower order
  Rational sigma = 1;       // chi(X) = constant X^sigma
  GiNaC::ex constant = 1;
  // The formula is an upper bound of the maximum for every X. `exact`: it is the maximum as soon as the tiles
  // are >= 1. Not exact: terms of lower order were left out (it is the leading term), or weights are rounded.
  bool exact = true;
  bool closed_form = true;  // false: weights are rounded

  std::size_t term_of(const std::set<std::string>& variables) const;  // index into terms
};

// `variables` are all tile variables; each must occur in a term. Terms must have positive factors.
TileOptimum optimise_tile(const std::set<std::string>& variables, const std::vector<Term>& terms,
                          const Symbols& symbols, WorkBudget& budget);

}  // namespace cairn::daap
