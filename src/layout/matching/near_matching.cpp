#include "layout/matching/near_matching.hpp"

#include "layout/matching/auction.hpp"
#include "layout/matching/greedy_matching.hpp"
#include "layout/matching/worth.hpp"

namespace cairn::layout {
namespace {

// In words: the sum of the prices, after those of the positions have been raised until they are feasible.
template <class Worth>
Index bound_by_prices(const BenefitTable& table, const PricedSide<Worth>& positions,
                      const PricedSide<Worth>& ranks) {
  Wide sum = 0;
  for (const Worth price : ranks.price) sum += price;
  for (int p = 0; p < positions.count(); ++p) sum += least_price(positions, p, ranks);
  const Wide words = sum / worth_of_word<Wide>(table);
  return static_cast<Index>(std::min(words, Wide{std::numeric_limits<Index>::max()}));
}

void keep_best(const BenefitTable& table, const std::vector<int>& rank_of, NearMatching& best) {
  const Index kept = words_kept(table, rank_of);
  if (kept <= best.kept) return;
  best.kept = kept;
  best.rank_of = rank_of;
}

template <class Worth>
NearMatching auction_off(const BenefitTable& table, const NearOptions& options) {
  PricedSide<Worth> positions = position_side<Worth>(table);
  PricedSide<Worth> ranks(table.ranks());
  mirror_edges(positions, ranks);
  const Index looks = checked_mul(options.looks_per_entry, table.entries(), "looks of an auction");
  NearMatching best{positions.mate, 0, bound_by_prices(table, positions, ranks)};
  Auction<Worth> auction(positions, ranks, most_worth<Worth>(table), looks);
  const auto is_near = [&] {
    return static_cast<double>(best.kept) >= (1 - options.tolerance) * static_cast<double>(best.bound);
  };
  while (!is_near() && auction.next_round()) {
    keep_best(table, positions.mate, best);
    best.bound = std::min(best.bound, bound_by_prices(table, positions, ranks));
  }
  return best;
}

}  // namespace

void require_valid(const NearOptions& options) {
  require(options.tolerance >= 0 && options.tolerance < 1, "tolerance is {}, expected 0 <= tolerance < 1",
          options.tolerance);
  require_not_negative(options.looks_per_entry, "looks_per_entry");
}

NearMatching match_nearly(const BenefitTable& table, const NearOptions& options) {
  require_valid(options);
  NearMatching best =
      fits_index(table) ? auction_off<Index>(table, options) : auction_off<Wide>(table, options);
  if (best.bound - best.kept > best.kept) keep_best(table, match_greedily(table), best);
  return best;
}

}  // namespace cairn::layout
