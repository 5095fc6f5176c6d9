// What the planner is compared with: plain loops over all grids that share nothing with it.
#pragma once

#include <random>

#include "plan/plan.hpp"

namespace cairn::plan::test {

using gemm::Problem;

inline Problem problem(Index m, Index n, Index k) { return {.m = m, .n = n, .k = k}; }

// Length of part i of n cut into p.
inline Index length(Index n, Index p, Index i) { return n / p + (i < n % p ? 1 : 0); }

template <class F>
void for_each_grid(Index ranks, F&& f) {
  for (Index pm = 1; pm <= ranks; ++pm)
    for (Index pn = 1; pm * pn <= ranks; ++pn)
      for (Index pk = 1; pm * pn * pk <= ranks; ++pk) f(pm, pn, pk);
}

inline double brick(const Problem& p, Index pm, Index pn, Index pk) {
  return static_cast<double>(length(p.m, pm, 0)) * static_cast<double>(length(p.n, pn, 0)) *
         static_cast<double>(length(p.k, pk, 0));
}

inline Settings words_settings(int candidates = 1) {
  Settings s;
  s.objective = Objective::words;
  s.candidates = candidates;
  s.trees = false;
  return s;
}

}  // namespace cairn::plan::test
