// Words and the wish for the identity as one number.
#pragma once

#include <limits>

#include "layout/matching/benefit_table.hpp"
#include "layout/matching/priced_side.hpp"

namespace cairn::layout {

__extension__ typedef __int128 Wide;

// One word. With P positions at most P pairs are on the diagonal, so a word has to weigh P + 1.
template <class Worth>
Worth worth_of_word(const BenefitTable& table) {
  return Worth{table.positions()} + 1;
}

// What a pair is worth: its words first, and among equals the diagonal.
template <class Worth>
Worth worth(const BenefitTable& table, int position, const BenefitTable::Entry& entry) {
  return worth_of_word<Worth>(table) * Worth{entry.words} + (position == entry.rank ? 1 : 0);
}

// Of one pair, at most.
template <class Worth>
Worth most_worth(const BenefitTable& table) {
  return worth_of_word<Worth>(table) * Worth{table.most_words()} + 1;
}

// Whether 64 bits hold sums of four worths; no price or distance that a matching forms is more. Wide always
// does.
inline bool fits_index(const BenefitTable& table) {
  return 4 * most_worth<Wide>(table) <= Wide{std::numeric_limits<Index>::max()};
}

// The positions with the entries of the table as edges, unmatched, at the price 0.
template <class Worth>
PricedSide<Worth> position_side(const BenefitTable& table) {
  PricedSide<Worth> side(table.positions());
  side.edges.reserve(static_cast<std::size_t>(table.entries()));
  for (int p = 0; p < table.positions(); ++p) {
    for (const BenefitTable::Entry& e : table.row(p))
      side.edges.push_back({e.rank, worth<Worth>(table, p, e)});
    side.first[at_index(p) + 1] = side.edges.size();
  }
  return side;
}

// The least price of position p at which none of its edges is worth more than its two ends cost.
template <class Worth>
Worth least_price(const PricedSide<Worth>& positions, int p, const PricedSide<Worth>& ranks) {
  Worth best = 0;
  for (const auto& edge : positions.edges_of(p))
    best = std::max(best, edge.worth - ranks.price[at_index(edge.other)]);
  return best;
}

}  // namespace cairn::layout
