// A matching and prices that are nearly the best, by auction with a bid increment that shrinks from round to
// round.
#pragma once

#include <algorithm>

#include "layout/matching/priced_side.hpp"

namespace cairn::layout {

template <class Worth>
class Auction {
 public:
  // Both sides have their edges, and the ranks the price 0. Looks at about `most_looks` edges and stops there
  // wherever it is: then the matching lacks pairs and the prices are further off, but not wrong
  // (docs/internals/relabelling.md).
  Auction(PricedSide<Worth>& positions, PricedSide<Worth>& ranks, Worth most_worth, Index most_looks)
      : positions_(positions), ranks_(ranks), increment_(most_worth / 4 + 1), looks_left_(most_looks) {}

  // From the prices of the ranks alone: all positions bid; then ranks that have a price and nobody who pays
  // it lower it and bid for positions. False, and nothing is done, if the round before was the last.
  bool next_round() {
    if (increment_ == 0 || looks_left_ <= 0) return false;
    unmatch_all(positions_);
    unmatch_all(ranks_);
    for (int p = 0; p < positions_.count(); ++p) bid(positions_, p, ranks_);
    for (int r = 0; r < ranks_.count(); ++r)
      if (ranks_.is_waiting(r)) bid(ranks_, r, positions_);
    increment_ = increment_ > 1 ? std::max<Worth>(increment_ / 6, 1) : 0;
    return true;
  }

 private:
  // Member i offers so much for its best partner that the second best would be as good to it, and the
  // increment; who was outbid goes on, until somebody takes a free one or gives up.
  void bid(PricedSide<Worth>& side, int i, PricedSide<Worth>& other) {
    while (i != unmatched && looks_left_ > 0) {
      const Offer offer = best_offer(side, i, other);
      side.price[at_index(i)] = std::max<Worth>(offer.second - increment_, 0);
      if (offer.partner == unmatched) return;
      other.price[at_index(offer.partner)] = offer.worth - side.price[at_index(i)];
      const int outbid = other.mate[at_index(offer.partner)];
      match(side, i, other, offer.partner);
      if (outbid != unmatched) side.mate[at_index(outbid)] = unmatched;
      i = outbid;
    }
  }

  struct Offer {
    int partner = unmatched;
    Worth worth = 0;   // of the pair
    Worth best = 0;    // worth - price of the partner
    Worth second = 0;  // of the next best; to stay alone is worth 0
  };

  Offer best_offer(const PricedSide<Worth>& side, int i, const PricedSide<Worth>& other) {
    Offer offer;
    for (const auto& edge : side.edges_of(i)) {
      const Worth profit = edge.worth - other.price[at_index(edge.other)];
      if (profit > offer.best)
        offer = {edge.other, edge.worth, profit, offer.best};
      else
        offer.second = std::max(offer.second, profit);
    }
    looks_left_ -= static_cast<Index>(side.edges_of(i).size());
    return offer;
  }

  PricedSide<Worth>& positions_;
  PricedSide<Worth>& ranks_;
  Worth increment_;
  Index looks_left_;
};

}  // namespace cairn::layout
