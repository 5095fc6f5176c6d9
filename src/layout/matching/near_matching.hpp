// A matching that is near the best, and how near, for more ranks than the exact method is made for.
#pragma once

#include <vector>

#include "layout/matching/benefit_table.hpp"

namespace cairn::layout {

struct NearMatching {
  std::vector<int> rank_of;  // of each position; -1: none
  Index kept = 0;            // words
  Index bound = 0;           // words; no matching keeps more
};

struct NearOptions {
  double tolerance = 0.001;     // stop when kept >= (1 - tolerance) bound
  Index looks_per_entry = 256;  // stop after this many looks per entry
};

void require_valid(const NearOptions& options);

// Rounds of an auction until one of the two, or until kept >= bound - 1: after the last round that is so.
// Where less than half of the bound was reached then, the greedy matching is taken if it keeps more: so it is
// half of the optimum at least, always.
NearMatching match_nearly(const BenefitTable& table, const NearOptions& options = {});

}  // namespace cairn::layout
