// The least cost of any pebbling of a tiny cDAG, by search over all states of the game.
#pragma once

#include <vector>

#include "pebble/game.hpp"

namespace cairn::pebble {

struct SearchLimits {
  Index states = 20'000'000;  // a MemoryError when more would be looked at
};

struct Optimum {
  Index cost = 0;
  Index states = 0;         // states that the search settled
  std::vector<Move> moves;  // one game of that cost
};

// A* over the states (set of red vertices, set of computed vertices that are blue). All legal games count,
// recomputation included. At most 32 vertices. Without loss of generality a pebble is dropped only when its
// place is needed, a value is stored only when it is dropped or at the end, and no blue pebble is taken away.
Optimum optimal_pebbling(const Cdag& graph, Index red, const SearchLimits& limits = {});

}  // namespace cairn::pebble
