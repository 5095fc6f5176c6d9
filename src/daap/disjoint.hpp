// The disjoint access property (paper "Near-I/O-optimal matrix factorizations", section 2.2): a vertex is
// referenced by only one access function vector of a statement.
#pragma once

#include <vector>

#include "daap/dependence.hpp"
#include "daap/options.hpp"

namespace cairn::daap {

struct Disjointness {
  // For every input, the number of inputs of its group: inputs that may reach a common vertex through
  // different loop variables. 1 where the property is proven.
  std::vector<int> group_sizes;
};

// Throws, pointing at the access, where the model does not apply: when the statement reads what it wrote in
// an earlier iteration through the same loop variables (time stencils, recurrences), and, unless overlaps are
// counted as shared, when two inputs reach a common vertex through the same loop variables (stencils).
Disjointness check_disjoint(const LoopProgram& program, std::size_t statement, const Dependences& dependences,
                            Overlap overlap);

}  // namespace cairn::daap
