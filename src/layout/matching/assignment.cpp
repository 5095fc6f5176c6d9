#include "layout/matching/assignment.hpp"

#include <numeric>

#include "layout/matching/exact_matching.hpp"

namespace cairn::layout {
namespace {

void require_valid(const AssignmentOptions& options) {
  require_not_negative(options.exact_positions, "exact_positions");
  require_not_negative(options.exact_entries, "exact_entries");
  require_valid(options.near);
}

bool is_within_limits(const BenefitTable& table, const AssignmentOptions& options) {
  return table.positions() <= options.exact_positions && table.entries() <= options.exact_entries;
}

// Free ranks in ascending order to positions without one.
void complete(std::vector<int>& rank_of, int ranks) {
  std::vector<char> taken(at_index(ranks));
  for (const int r : rank_of)
    if (r != unmatched) taken[at_index(r)] = 1;
  int next = 0;
  for (int& r : rank_of) {
    if (r != unmatched) continue;
    while (taken[at_index(next)] != 0) ++next;
    r = next++;
  }
}

std::vector<int> match_exactly_in_least_width(const BenefitTable& table) {
  return fits_index(table) ? match_exactly<Index>(table).rank_of : match_exactly<Wide>(table).rank_of;
}

void take_identity_if_as_good(Assignment& a, const BenefitTable& table) {
  std::vector<int> identity(a.rank_of.size());
  std::iota(identity.begin(), identity.end(), 0);
  a.kept_by_identity = words_kept(table, identity);
  if (a.kept > a.kept_by_identity) return;
  a.kept = a.kept_by_identity;
  a.rank_of = std::move(identity);
}

}  // namespace

std::string_view name(AssignmentMethod method) {
  return method == AssignmentMethod::exact ? "exact" : "near";
}

Assignment assign_positions(int positions, int ranks, std::span<const Benefit> benefits,
                            const AssignmentOptions& options) {
  require_valid(options);
  return assign_positions(BenefitTable(positions, ranks, benefits), options);
}

Assignment assign_positions(const BenefitTable& table, const AssignmentOptions& options) {
  require_valid(options);
  Assignment result;
  if (is_within_limits(table, options)) {
    result.rank_of = match_exactly_in_least_width(table);
  } else {
    NearMatching near = match_nearly(table, options.near);
    result.rank_of = std::move(near.rank_of);
    result.bound = near.bound;
    result.method = AssignmentMethod::near;
  }
  complete(result.rank_of, table.ranks());
  result.kept = words_kept(table, result.rank_of);
  take_identity_if_as_good(result, table);
  if (result.method == AssignmentMethod::exact) result.bound = result.kept;
  return result;
}

}  // namespace cairn::layout
