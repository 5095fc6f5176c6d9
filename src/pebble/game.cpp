#include "pebble/game.hpp"

#include "pebble/parallel.hpp"

namespace cairn::pebble {

Tally play(const Cdag& graph, std::span<const Vertex> order, Index red, std::vector<Move>* moves) {
  const Assignment alone{1, std::vector<Index>(static_cast<std::size_t>(graph.computed()), 0)};
  const Account account = play_parallel(graph, order, alone, red, moves).front();
  return {account.received(), account.sent(), account.computes, account.peak_red};
}

}  // namespace cairn::pebble
