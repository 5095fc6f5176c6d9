// The red-blue pebble game of Hong and Kung, played by a fixed order (paper 000 "Red-Blue Pebbling
// Revisited", section 2.2), and its form with P processors (paper 002 "Near-I/O-optimal matrix
// factorizations", section 5).
//
// At most S vertices are red (in fast memory). A blue vertex is in slow memory; inputs are blue at the start
// and all outputs must be blue at the end. Moves: load (blue -> also red), store (red -> also blue), compute
// (red if all parents are red; the pebble is a new one, it does not slide from a parent) and drop (take the
// red pebble off). The cost is the number of loads and stores.
//
// With P processors each has S pebbles of its own colour. It computes a vertex only if all parents have its
// colour, and it may load a vertex that has a pebble of any colour or a blue one. Blue stands for "somewhere
// else": the paper has no slow memory, values lie in the fast memories of others; here a value can always be
// put aside for one word. That only adds games, so a lower bound for this game holds for the paper's. Inputs
// are nobody's at the start, so loading them counts, as it does in the bounds of paper 002.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pebble/cdag.hpp"

namespace cairn::pebble {

enum class MoveKind : std::uint8_t { load, store, compute, drop };

struct Move {
  MoveKind kind = MoveKind::load;
  Vertex vertex = 0;
  std::int32_t processor = 0;
  friend bool operator==(const Move&, const Move&) = default;
};

struct Tally {
  Index loads = 0;
  Index stores = 0;
  Index computes = 0;
  Index peak_red = 0;
  Index cost() const { return loads + stores; }
  friend bool operator==(const Tally&, const Tally&) = default;
};

// Plays `order` (all computed vertices, each once, parents before children) with `red` pebbles. When a pebble
// is missing, the value whose next use lies furthest away loses its red one (Belady), and is stored first if
// slow memory does not have it. A value without further use is dropped at once, an output is stored before.
// Belady's rule makes the fewest loads for this order; it does not weigh the stores, so loads + stores can be
// a little above the least that the order allows. O(log) steps an edge. `moves`, if given, receives the game.
Tally play(const Cdag& graph, std::span<const Vertex> order, Index red, std::vector<Move>* moves = nullptr);

}  // namespace cairn::pebble
