// What one rank sends and receives in a named move: pure, for any rank of the mesh.
#pragma once

#include <vector>

#include "layout/moves/moves.hpp"
#include "layout/overlap.hpp"

namespace cairn::layout {

// The elements that one rank's cell of `from` and another's cell of `to` have in common, in the order of
// their global indices, column by column: positions `from` in the one cell, `to` in the other.
struct Common {
  Stretches rows;
  Stretches columns;
  Index words() const { return rows.count() * columns.count(); }
};

class MovePlan {
 public:
  // For `rank` of the mesh, which both layouts are on. Throws ArgumentError unless they are what the move
  // says, of the same size, and aligned: whatever a rank needs is on its fibre.
  MovePlan(const NamedMove& move, const Layout& from, const Layout& to, int rank);

  MoveKind collective() const noexcept { return move_.collective; }
  const NamedMove& move() const noexcept { return move_; }
  int rank() const noexcept { return rank_; }
  // The ranks of the mesh that take part, in the order of the fibre's communicator, and this one and the root
  // (of a collective that has one) among them. A permutation has one peer each way.
  const std::vector<int>& peers() const noexcept { return peers_; }
  int me() const noexcept { return me_; }
  int root() const noexcept { return root_; }
  int sends_to() const noexcept { return sends_to_; }
  int receives_from() const noexcept { return receives_from_; }

  // For every peer: what it takes of the giver's cell, where the giver is this rank (all-to-all,
  // permutation, reductions) or the root (scatter, broadcast). Self: what stays.
  const std::vector<Common>& outgoing() const noexcept { return outgoing_; }
  // For every peer: what it gives to the taker's cell, where the taker is this rank (all-to-all, permutation,
  // allgather) or the root (gather).
  const std::vector<Common>& incoming() const noexcept { return incoming_; }

 private:
  void check(const Layout& layout, const Distribution& expected, std::string_view name) const;
  void find_peers();
  int root_along() const;
  void plan();
  void plan_permutation();
  void check_complete() const;
  Index arriving() const;
  std::vector<Common> given_by(int giver) const;
  std::vector<Common> taken_by(int taker) const;

  NamedMove move_;
  Layout from_, to_;
  int rank_;
  std::vector<int> peers_;
  int me_ = 0, root_ = 0;
  int sends_to_ = 0, receives_from_ = 0;
  std::vector<Common> outgoing_, incoming_;
};

}  // namespace cairn::layout
