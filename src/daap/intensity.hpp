// From chi(X) to the maximal computational intensity (Lemmas 1 and 2).
#pragma once

#include "daap/optimise.hpp"

namespace cairn::daap {

struct Intensity {
  GiNaC::ex rho;           // chi(X0) / (X0 - M)
  GiNaC::ex partition;     // X0; the symbol X when the least ratio is only approached as X grows
  bool unbounded = false;  // X0 is infinite
};

// X0 minimises chi(X) / (X - M) = K X^sigma / (X - M). For sigma > 1 the derivative vanishes at
// X0 = sigma M / (sigma - 1), and rho = (M / (sigma - 1))^(sigma - 1) prod_j (w_j / c_j)^w_j.
// For sigma = 1 the ratio falls towards K.
Intensity intensity(const TileOptimum& optimum, const Symbols& symbols);

}  // namespace cairn::daap
