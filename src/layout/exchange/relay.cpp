#include "layout/exchange/relay.hpp"

#include <algorithm>

namespace cairn::layout {
namespace {

Index most_copies(const Layout& to) {
  if (to.mesh() != nullptr) return to.copies(0, 0);
  Index most = 0;
  for (int column = 0; column < to.column_map().parts(); ++column)
    for (int row = 0; row < to.row_map().parts(); ++row) most = std::max<Index>(most, to.copies(row, column));
  return most;
}

}  // namespace

Layout as_operand(const Layout& from, Op op) { return op == Op::none ? from : from.transposed(); }

int giver(const Layout& from, int row_part, int column_part, int receiver) {
  if (from.holds(receiver, row_part, column_part)) return receiver;
  return from.owner(row_part, column_part, receiver % from.copies(row_part, column_part));
}

Relays::Relays(std::span<const Move> moves, PassOn pass_on) : moves_(moves) {
  for (const Move& m : moves) copies_.push_back(most_copies(m.to));
  possible_ = pass_on == PassOn::allowed && std::ranges::any_of(copies_, [](Index c) { return c > 1; });
}

bool Relays::gives_once(int rank) const {
  if (!possible_) return false;
  double own = 0, need = 0, sent = 0;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const auto mine = static_cast<double>(moves_[i].from.elements(rank));
    own += mine;
    need += static_cast<double>(moves_[i].to.elements(rank));
    sent += mine * static_cast<double>(copies_[i]);
  }
  return sent > 1.5 * std::max(own, need);
}

bool Relays::any(int ranks) const {
  for (int rank = 0; possible_ && rank < ranks; ++rank)
    if (gives_once(rank)) return true;
  return false;
}

std::vector<int> takers_from(int from_rank, const Layout& from, int from_row, int from_column,
                             const Layout& to, int to_row, int to_column) {
  std::vector<int> takers;
  for (int copy = 0; copy < to.copies(to_row, to_column); ++copy) {
    const int taker = to.owner(to_row, to_column, copy);
    if (taker != from_rank && giver(from, from_row, from_column, taker) == from_rank) takers.push_back(taker);
  }
  return takers;
}

}  // namespace cairn::layout
