#include "gemm/placed_count.hpp"

#include <algorithm>

#include "layout/exchange/exchange_count.hpp"

namespace cairn::gemm {
namespace {

class PlacedCounter {
 public:
  PlacedCounter(const Schedule& s, int ranks)
      : s_(s), ranks_(ranks), counters_(static_cast<std::size_t>(ranks)) {}

  std::vector<comm::Counters> count() && {
    if (s_.problem.multiplies())
      for (Index round = 0; round < s_.rounds.count; ++round) add_round(round);
    return std::move(counters_);
  }

 private:
  void add_round(Index round) {
    add(gathers_of_round(s_, round), layout::PassOn::allowed);
    const std::vector<layout::Move> combines = combines_of_round(s_, round);
    if (sums_first(s_) && !combines.empty()) add_sums(round);
    add(combines, pass_on_in(combines));
  }

  void add(const std::vector<layout::Move>& moves, layout::PassOn pass_on) {
    if (moves.empty()) return;
    const Index element = bytes(s_.problem.type);
    const std::vector<comm::Counters> moved =
        layout::count_all(moves, ranks_, s_.placement->exchange.piece_words(element), element, pass_on);
    for (std::size_t rank = 0; rank < moved.size(); ++rank) counters_[rank] += moved[rank];
  }

  // Fibres along k whose faces are alike move alike.
  void add_sums(Index round) {
    const layout::Layout faces = faces_of_round(s_, Matrix::c, round);
    for (std::size_t q = 0; q < s_.placement->ranks.size(); ++q) {
      const Coordinates at = coordinates(s_.grid, static_cast<int>(q));
      const comm::Partition slices =
          slices_of_sum(s_, faces.row_map().count(at[Dim::m]), faces.column_map().count(at[Dim::n]));
      if (slices.total() == 0) continue;
      counters_[static_cast<std::size_t>(s_.placement->ranks[q])] +=
          comm::closed_count(collective_of(s_, Matrix::c, slices), at[Dim::k]);
    }
  }

  const Schedule& s_;
  int ranks_;
  std::vector<comm::Counters> counters_;
};

}  // namespace

std::vector<comm::Counters> count_placed(const Schedule& s, int ranks) {
  return PlacedCounter(s, ranks).count();
}

Totals totals_of_placed(const Schedule& s, int ranks) {
  Totals t{.ranks = ranks};
  for (const comm::Counters& moved : count_placed(s, ranks)) {
    t.words_total += moved.received.words;
    t.words_received = std::max(t.words_received, moved.received.words);
    t.words_sent = std::max(t.words_sent, moved.sent.words);
    t.messages_received = std::max(t.messages_received, moved.received.messages);
    t.messages_sent = std::max(t.messages_sent, moved.sent.messages);
  }
  return t;
}

}  // namespace cairn::gemm
