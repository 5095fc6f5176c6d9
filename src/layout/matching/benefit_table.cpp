#include "layout/matching/benefit_table.hpp"

#include <algorithm>
#include <numeric>

namespace cairn::layout {
namespace {

void require_valid(int positions, int ranks, std::span<const Benefit> benefits) {
  require_not_negative(positions, "number of grid positions");
  require(ranks >= positions, "{} grid positions for {} ranks, expected a rank for each position", positions,
          ranks);
  Index total = 0;
  for (std::size_t i = 0; i < benefits.size(); ++i) {
    const Benefit& b = benefits[i];
    require(b.position >= 0 && b.position < positions,
            "position of benefit {} is {}, expected 0 <= position < {}", i, b.position, positions);
    require(b.rank >= 0 && b.rank < ranks, "rank of benefit {} is {}, expected 0 <= rank < {}", i, b.rank,
            ranks);
    require(b.words >= 0, "words of benefit {} are {}, expected 0 or more", i, b.words);
    total = checked_add(total, b.words, "words of all benefits");
  }
}

using Entry = BenefitTable::Entry;

bool is_before(const Entry& a, const Entry& b) { return a.rank < b.rank; }

// A row whose first entry is its diagonal is brought in the order of ranks: cheaply if the rest of it is.
void sort_row(Entry* first, Entry* last) {
  if (std::is_sorted(first + 1, last, is_before))
    std::rotate(first, first + 1, std::lower_bound(first + 1, last, *first, is_before));
  else
    std::sort(first, last, is_before);
}

// Adds up the entries of the same rank. Returns the new end.
Entry* merge_row(Entry* first, Entry* last) {
  Entry* merged = first;
  for (Entry* e = first + 1; e < last; ++e) {
    if (e->rank == merged->rank)
      merged->words += e->words;  // at most the sum of all, which was checked
    else
      *++merged = *e;
  }
  return merged + 1;
}

}  // namespace

BenefitTable::BenefitTable(int positions, int ranks, std::span<const Benefit> benefits) : ranks_(ranks) {
  require_valid(positions, ranks, benefits);
  scatter(positions, benefits);
  Entry* end = entries_.data();
  for (std::size_t p = 0; p + 1 < first_.size(); ++p) {
    Entry* const row = entries_.data() + first_[p];
    Entry* const unmerged_end = entries_.data() + first_[p + 1];
    sort_row(row, unmerged_end);
    Entry* const row_end = merge_row(row, unmerged_end);
    first_[p] = static_cast<std::size_t>(end - entries_.data());
    for (const Entry* e = row; e != row_end; ++e) most_words_ = std::max(most_words_, e->words);
    end = std::copy(row, row_end, end);
  }
  entries_.resize(static_cast<std::size_t>(end - entries_.data()));
  first_.back() = entries_.size();
}

void BenefitTable::scatter(int positions, std::span<const Benefit> benefits) {
  first_.assign(static_cast<std::size_t>(positions) + 1, 1);  // one for the diagonal
  for (const Benefit& b : benefits)
    if (b.words > 0) ++first_[static_cast<std::size_t>(b.position)];
  std::exclusive_scan(first_.begin(), first_.end(), first_.begin(), std::size_t{0});
  entries_.resize(first_.back());
  std::vector<std::size_t> next = first_;
  for (int p = 0; p < positions; ++p) entries_[next[static_cast<std::size_t>(p)]++] = {p, 0};
  for (const Benefit& b : benefits)
    if (b.words > 0) entries_[next[static_cast<std::size_t>(b.position)]++] = {b.rank, b.words};
}

Index BenefitTable::words(int position, int rank) const {
  const std::span<const Entry> entries = row(position);
  const auto found = std::ranges::lower_bound(entries, rank, {}, &Entry::rank);
  return found != entries.end() && found->rank == rank ? found->words : 0;
}

Index words_kept(const BenefitTable& table, std::span<const int> rank_of) {
  Index words = 0;  // at most the sum of all benefits, which was checked
  for (int p = 0; p < table.positions(); ++p) {
    const int rank = rank_of[static_cast<std::size_t>(p)];
    if (rank >= 0) words += table.words(p, rank);
  }
  return words;
}

}  // namespace cairn::layout
