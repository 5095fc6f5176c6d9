#include "layout/exchange/relay.hpp"

#include <algorithm>

#include "layout/overlap.hpp"

namespace cairn::layout {
namespace {

Index most_copies(const Layout& to) {
  if (to.mesh() != nullptr) return to.copies(0, 0);
  Index most = 0;
  for (int column = 0; column < to.column_map().parts(); ++column)
    for (int row = 0; row < to.row_map().parts(); ++row) most = std::max<Index>(most, to.copies(row, column));
  return most;
}

// What a rank owns of a move times the copies that are wanted of it.
double copies_of_own(const Move& move, int rank) {
  const Layout from = as_operand(move.from, move.op);
  double sent = 0;
  for (const Cell& cell : from.cells_of(rank)) {
    const std::vector<Shared> rows = shared_by(from.row_map(), cell.row_part, move.to.row_map()),
                              columns = shared_by(from.column_map(), cell.column_part, move.to.column_map());
    for (const Shared& c : columns)
      for (const Shared& r : rows)
        sent += static_cast<double>(r.stretches.count()) * static_cast<double>(c.stretches.count()) *
                move.to.copies(r.part, c.part);
  }
  return sent;
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
  const double most = 1.5 * std::max(own, need);
  if (sent <= most) return false;
  // Cells on no mesh have different numbers of copies.
  sent = 0;
  for (std::size_t i = 0; i < moves_.size(); ++i)
    sent += moves_[i].to.mesh() != nullptr ? static_cast<double>(moves_[i].from.elements(rank) * copies_[i])
                                           : copies_of_own(moves_[i], rank);
  return sent > most;
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
