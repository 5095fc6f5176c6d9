// The matching that keeps the most words, and its proof. docs/internals/relabelling.md derives the method.
#pragma once

#include <vector>

#include "layout/matching/worth.hpp"

namespace cairn::layout {

// Prices >= 0 with position_price[p] + rank_price[r] >= worth(p, r) for every entry, equal for matched pairs,
// and 0 for whoever is unmatched. Hence no matching is worth more than the sum of all prices, and this one is
// worth that.
template <class Worth>
struct ExactMatching {
  std::vector<int> rank_of;  // of each position; -1: nothing that is worth anything is left for it
  std::vector<Worth> position_price;
  std::vector<Worth> rank_price;
};

// Looks at entries, as a multiple of their number. They bound time only: the result is exact whatever they
// are.
struct ExactEffort {
  Index before_auction = 32;  // this many, and an instance counts as hard: prices are prepared by an auction
  Index in_auction = 512;     // at most
};

// Worth is Index if fits_index(table), or Wide. O((positions + ranks) E log E) time for E entries at most,
// and seldom more than that of looking at each entry a hundred times; O(E + ranks) memory.
template <class Worth>
ExactMatching<Worth> match_exactly(const BenefitTable& table, const ExactEffort& effort = {});

extern template ExactMatching<Index> match_exactly(const BenefitTable&, const ExactEffort&);
extern template ExactMatching<Wide> match_exactly(const BenefitTable&, const ExactEffort&);

}  // namespace cairn::layout
