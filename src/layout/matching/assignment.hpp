// Relabelling: which rank takes which position of a grid, so that most words are already where they are
// needed.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "layout/matching/near_matching.hpp"

namespace cairn::layout {

enum class AssignmentMethod { exact, near };

std::string_view name(AssignmentMethod method);  // "exact", "near"

struct AssignmentOptions {
  // Beyond either limit an assignment that is near the best will do.
  Index exact_positions = 16'384;
  Index exact_entries = Index{1} << 23;  // pairs (position, rank) with words in common
  NearOptions near;
};

struct Assignment {
  std::vector<int> rank_of;    // of each position, all different
  Index kept = 0;              // words that stay at home
  Index kept_by_identity = 0;  // if position p went to rank p
  Index bound = 0;             // no assignment keeps more; equal to `kept` when exact
  AssignmentMethod method = AssignmentMethod::exact;

  Index saved() const noexcept { return kept - kept_by_identity; }
};

// Pure, and a function of its arguments alone: every rank that calls it gets the same result.
//
// Benefits of the same pair add up, so those of several matrices are simply put one after another, in any
// order. Needs ranks >= positions; ranks may stay without a position. Exact: no assignment keeps more words,
// and of those that keep as many none leaves more positions with the rank of their own number. Near: within
// the tolerance, or a word, of `bound` unless it was stopped early; half of the optimum at least, and never
// less than the identity. Positions without any word to keep take the free ranks in ascending order.
//
// Memory: 64 bytes a benefit besides the list. Time: see docs/internals/relabelling.md.
//   const Assignment a = assign_positions(grid.ranks(), comm.size(), benefits);  // a.rank_of[position]
Assignment assign_positions(int positions, int ranks, std::span<const Benefit> benefits,
                            const AssignmentOptions& options = {});
Assignment assign_positions(const BenefitTable& table, const AssignmentOptions& options = {});

}  // namespace cairn::layout
