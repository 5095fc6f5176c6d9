// Which rank takes which position of a mesh, so that most words are already at home: for several matrices
// that share the mesh together. Pure.
#pragma once

#include <span>

#include "layout/exchange/exchange_plan.hpp"
#include "layout/matching/assignment.hpp"

namespace cairn::layout {

// What the ranks and the positions of the relabelled meshes have in common. Each move goes between a layout
// that stays as it is and one that may be relabelled; the second kind all have the same number of mesh
// positions. O(P) entries where rectangles meet rectangles, up to O(P^2) where blocks are dealt round.
struct RelabelledMove {
  Layout fixed;
  Layout relabelled;  // its present ranks are ignored: position q is the mesh's q
  Op op = Op::none;   // relabelled := op(fixed), or fixed := op(relabelled): the words are the same
  Index weight = 1;   // bytes of an element, say, where the types differ
};

// The best assignment for all moves together; relabelled layouts follow with Layout::on_ranks(rank_of).
Assignment relabel(std::span<const RelabelledMove> moves, int ranks, const AssignmentOptions& options = {});

// Words that change hands in a move, over all ranks.
Index words_moved(const Layout& from, const Layout& to, Op op);

}  // namespace cairn::layout
