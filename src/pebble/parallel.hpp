// The pebble game with P colours (paper 002, section 5): who computes what decides who must fetch what.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "pebble/game.hpp"
#include "pebble/problems.hpp"

namespace cairn::pebble {

// The processor that computes each computed vertex, in the order of their numbers.
struct Assignment {
  Index processors = 1;
  std::vector<Index> owner;
};

// The m x n x k box of a multiply cut into bricks by a grid [pm, pn, pk]; brick (x, y, z) goes to processor
// (x * pn + y) * pk + z. Bricks are equal when the grid divides the sizes, otherwise they differ by one
// layer.
Assignment brick_assignment(const Problem& problem, const std::array<Index, 3>& grid);

// The grid of that many bricks, none empty, whose largest brick has the fewest words on its faces.
std::array<Index, 3> best_bricks(const Problem& multiply, Index processors);

// The element (i, j) that a vertex writes decides, block-cyclic with blocks of b x b on a grid of rows x
// columns.
Assignment cyclic_assignment(const Problem& problem, Index b, Index rows, Index columns);

// The words of one processor, every word once on each side.
struct Account {
  Index inputs_received = 0;  // no rank has the inputs at the start
  Index values_received = 0;  // computed values, from another processor or from where they were put aside
  Index values_sent = 0;      // straight to another processor
  Index values_stored = 0;    // put aside for later, as the pebble was needed
  Index outputs_stored = 0;
  Index computes = 0;
  Index peak_red = 0;
  Index received() const { return inputs_received + values_received; }
  Index sent() const { return values_sent + values_stored + outputs_stored; }
  Index words() const { return received() + sent(); }
};

// Plays `order`, each vertex on its processor, `red` pebbles each, furthest-next-use eviction by each
// processor for its own uses. A value that others still need is kept while there is room. The answer has an
// entry a processor.
std::vector<Account> play_parallel(const Cdag& graph, std::span<const Vertex> order,
                                   const Assignment& assignment, Index red,
                                   std::vector<Move>* moves = nullptr);

}  // namespace cairn::pebble
