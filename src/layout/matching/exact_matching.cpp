#include "layout/matching/exact_matching.hpp"

#include <limits>

#include "layout/matching/auction.hpp"
#include "layout/matching/augmenting_path.hpp"

namespace cairn::layout {
namespace {

template <class Worth>
class Matcher {
 public:
  explicit Matcher(const BenefitTable& table)
      : positions_(position_side<Worth>(table)),
        ranks_(table.ranks()),
        most_worth_(most_worth<Worth>(table)) {}

  ExactMatching<Worth> run(const ExactEffort& effort) {
    const Index edges = static_cast<Index>(positions_.edges.size());
    start_from_prices();
    if (!match_waiting(positions_, ranks_, effort.before_auction * edges)) {
      start_from_auction(effort.in_auction * edges);
      match_waiting(positions_, ranks_, no_limit);
      match_waiting(ranks_, positions_, no_limit);
    }
    return {std::move(positions_.mate), std::move(positions_.price), std::move(ranks_.price)};
  }

 private:
  static constexpr Index no_limit = std::numeric_limits<Index>::max();

  // The least prices of the positions that go with those of the ranks, and a matching of tight pairs: the
  // diagonal before all others.
  void start_from_prices() {
    unmatch_all(positions_);
    unmatch_all(ranks_);
    for (int p = 0; p < positions_.count(); ++p) {
      positions_.price[at_index(p)] = least_price(positions_, p, ranks_);
      match_if_tight(p, [p](int r) { return r == p; });
    }
    for (int p = 0; p < positions_.count(); ++p)
      if (positions_.is_waiting(p)) match_if_tight(p, [](int) { return true; });
  }

  // With the first free rank that `wanted` accepts.
  template <class F>
  void match_if_tight(int p, F&& wanted) {
    for (const auto& edge : positions_.edges_of(p)) {
      const int r = edge.other;
      if (!wanted(r) || ranks_.mate[at_index(r)] != unmatched) continue;
      if (edge.worth - ranks_.price[at_index(r)] == positions_.price[at_index(p)])
        return match(positions_, p, ranks_, r);
    }
  }

  void start_from_auction(Index most_looks) {
    mirror_edges(positions_, ranks_);
    std::fill(ranks_.price.begin(), ranks_.price.end(), Worth{0});
    Auction<Worth> auction(positions_, ranks_, most_worth_, most_looks);
    while (auction.next_round()) {
    }
    start_from_prices();
  }

  // Until nobody on `side` waits, or `most_looks` edges were looked at. Whether nobody waits.
  static bool match_waiting(PricedSide<Worth>& side, PricedSide<Worth>& other, Index most_looks) {
    AugmentingPath<Worth> path(side, other);
    for (int i = 0; i < side.count(); ++i) {
      if (!side.is_waiting(i)) continue;
      if (most_looks <= 0) return false;
      most_looks -= path.augment(i);
    }
    return true;
  }

  PricedSide<Worth> positions_;
  PricedSide<Worth> ranks_;  // has edges only after start_from_auction
  Worth most_worth_;
};

}  // namespace

template <class Worth>
ExactMatching<Worth> match_exactly(const BenefitTable& table, const ExactEffort& effort) {
  return Matcher<Worth>(table).run(effort);
}

template ExactMatching<Index> match_exactly(const BenefitTable&, const ExactEffort&);
template ExactMatching<Wide> match_exactly(const BenefitTable&, const ExactEffort&);

}  // namespace cairn::layout
