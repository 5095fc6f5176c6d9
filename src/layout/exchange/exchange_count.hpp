// What every rank of an exchange moves, without the plans of the ranks: a planner asks it for many exchanges on
// thousands of ranks.
#pragma once

#include "layout/exchange/exchange_plan.hpp"

namespace cairn::layout {

// ExchangePlan(moves, rank, ranks, pass_on).count(piece_words, element_bytes) of every rank. O(pairs of ranks that
// exchange something): a pair of cells is two numbers, what their rows and their columns have in common. For whole
// matrices, not for triangles.
std::vector<comm::Counters> count_all(std::span<const Move> moves, int ranks, Index piece_words,
                                      Index element_bytes, PassOn pass_on = PassOn::allowed);

// Into how many pieces a message is cut: ExchangePlan::pieces, box by box, without making them.
class PieceCounter {
 public:
  explicit PieceCounter(Index piece_words) : piece_words_(piece_words) {}

  void add(Index line_words, Index lines);
  Index words() const { return words_; }
  Index pieces() const { return full_ + (filled_ > 0 ? 1 : 0); }

 private:
  Index piece_words_;
  Index filled_ = 0;  // of the last piece
  Index full_ = 0;
  Index words_ = 0;
};

}  // namespace cairn::layout
