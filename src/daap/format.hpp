// Expressions as text and LaTeX. GiNaC prints factors in an order that changes from run to run; here it is
// fixed: numbers, sizes, sums, P, then M and X, negative powers under a fraction bar.
#pragma once

#include "daap/formula.hpp"
#include "daap/symbols.hpp"

namespace cairn::daap {

Formula format(const GiNaC::ex& expression, const Symbols& symbols);

// The summands of the highest total degree in the size parameters.
GiNaC::ex leading(const GiNaC::ex& expression, const Symbols& symbols);

// A polynomial as a product of factors, where that is cheap to find; otherwise expanded.
GiNaC::ex factored(const GiNaC::ex& polynomial);

}  // namespace cairn::daap
