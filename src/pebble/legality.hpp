// Replays a list of moves by the rules of the red-blue pebble game alone: knows no order and no eviction
// rule.
#pragma once

#include <span>
#include <string>

#include "pebble/game.hpp"

namespace cairn::pebble {

struct Verdict {
  bool legal = true;
  Index move = -1;     // the first illegal move; the number of moves if the end is at fault
  std::string reason;  // empty if legal
  Tally tally;         // of the moves before the fault
};

// `red` pebbles for each of `processors`. The tally adds up all of them; its peak is that of the busiest.
Verdict verify(const Cdag& graph, Index red, std::span<const Move> moves, Index processors = 1);

}  // namespace cairn::pebble
