#include "layout/matching/greedy_matching.hpp"

#include <algorithm>
#include <tuple>

#include "layout/matching/priced_side.hpp"

namespace cairn::layout {
namespace {

std::vector<Benefit> sorted_pairs(const BenefitTable& table) {
  std::vector<Benefit> pairs;
  pairs.reserve(static_cast<std::size_t>(table.entries()));
  for (int p = 0; p < table.positions(); ++p)
    for (const BenefitTable::Entry& e : table.row(p)) pairs.push_back({p, e.rank, e.words});
  std::ranges::sort(pairs, {}, [](const Benefit& b) {
    return std::tuple(-b.words, b.position != b.rank, b.position, b.rank);
  });
  return pairs;
}

}  // namespace

std::vector<int> match_greedily(const BenefitTable& table) {
  std::vector<int> rank_of(at_index(table.positions()), unmatched);
  std::vector<char> taken(at_index(table.ranks()));
  for (const Benefit& b : sorted_pairs(table)) {
    if (rank_of[at_index(b.position)] != unmatched || taken[at_index(b.rank)] != 0) continue;
    rank_of[at_index(b.position)] = b.rank;
    taken[at_index(b.rank)] = 1;
  }
  return rank_of;
}

}  // namespace cairn::layout
