// The optimisation problem and the choice of X0 solved together, with all terms of lower order.
//
// At X0 the tile is stationary for both: prod x / (sum_j c_j |A_j| - M) is stationary in every x_t > 1. So
//     sum over the accesses j without t of c_j |A_j|  =  M,   for every tile variable t.
// For a product this is I J = I K = J K = M; for I J + I + J <= X (matrix-vector) it is I = J = M. Where each
// equation has one term the system is linear in logarithms and has a closed form.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "daap/optimise.hpp"

namespace cairn::daap {

struct StationaryTile {
  std::map<std::string, GiNaC::ex> tiles;
  std::vector<GiNaC::ex> sizes;  // c_j |A_j| of every term
  GiNaC::ex volume;              // prod x = chi(X0): for a fixed X the problem is convex in log x
  GiNaC::ex surface;             // sum of the sizes = X0
};

// Nothing if an equation has not exactly one term, the system is singular, or a size falls below 1.
std::optional<StationaryTile> stationary_tile(const std::set<std::string>& variables,
                                              const std::vector<Term>& terms, const Symbols& symbols);

}  // namespace cairn::daap
