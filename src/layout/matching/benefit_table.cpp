#include "layout/matching/benefit_table.hpp"

#include <algorithm>
#include <numeric>

namespace cairn::layout {
namespace {

void require_valid(int positions, int ranks) {
  require_not_negative(positions, "number of grid positions");
  require(ranks >= positions, "{} grid positions for {} ranks, expected a rank for each position", positions,
          ranks);
}

void require_valid(int positions, int ranks, std::span<const Benefit> benefits) {
  require_valid(positions, ranks);
  for (std::size_t i = 0; i < benefits.size(); ++i) {
    const Benefit& b = benefits[i];
    require(b.position >= 0 && b.position < positions,
            "position of benefit {} is {}, expected 0 <= position < {}", i, b.position, positions);
    require(b.rank >= 0 && b.rank < ranks, "rank of benefit {} is {}, expected 0 <= rank < {}", i, b.rank,
            ranks);
    require(b.words >= 0, "words of benefit {} are {}, expected 0 or more", i, b.words);
  }
}

// Which benefits belong to each position, one position after the other.
class ByPosition {
 public:
  ByPosition(int positions, std::span<const Benefit> benefits)
      : first_(static_cast<std::size_t>(positions) + 1, 0), sorted_(benefits.size()) {
    for (const Benefit& b : benefits) ++first_[static_cast<std::size_t>(b.position)];
    std::exclusive_scan(first_.begin(), first_.end(), first_.begin(), std::size_t{0});
    std::vector<std::size_t> next = first_;
    for (const Benefit& b : benefits) sorted_[next[static_cast<std::size_t>(b.position)]++] = b;
  }
  std::span<const Benefit> of(int position) const {
    const auto p = static_cast<std::size_t>(position);
    return std::span(sorted_).subspan(first_[p], first_[p + 1] - first_[p]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Benefit> sorted_;
};

}  // namespace

void BenefitTable::Row::add(int rank, Index words) {
  if (words == 0) return;
  Index& sum = words_[static_cast<std::size_t>(rank)];
  if (sum == 0) named_.push_back(rank);
  sum = checked_add(sum, words, "words of all benefits");
}

BenefitTable::BenefitTable(int positions, int ranks, const std::function<void(int, Row&)>& fill)
    : ranks_(ranks), first_{0} {
  require_valid(positions, ranks);
  Row row(ranks);
  for (int p = 0; p < positions; ++p) {
    fill(p, row);
    append(p, row);
  }
}

BenefitTable::BenefitTable(int positions, int ranks, std::span<const Benefit> benefits)
    : ranks_(ranks), first_{0} {
  require_valid(positions, ranks, benefits);
  const ByPosition by_position(positions, benefits);
  Row row(ranks);
  for (int p = 0; p < positions; ++p) {
    for (const Benefit& b : by_position.of(p)) row.add(b.rank, b.words);
    append(p, row);
  }
}

// Where many ranks have a benefit, looking at all of them is cheaper than sorting those.
void BenefitTable::append(int position, Row& row) {
  constexpr std::size_t many = 8;  // one in so many
  const auto add = [&](int rank) {
    Index& words = row.words_[static_cast<std::size_t>(rank)];
    if (words == 0 && rank != position) return;
    entries_.push_back({rank, words});
    most_words_ = std::max(most_words_, words);
    all_words_ = checked_add(all_words_, words, "words of all benefits");
    words = 0;
  };
  if (row.named_.size() * many > row.words_.size()) {
    for (int rank = 0; rank < ranks_; ++rank) add(rank);
  } else {
    row.named_.push_back(position);  // the diagonal, if need be with 0 words
    std::ranges::sort(row.named_);
    row.named_.erase(std::unique(row.named_.begin(), row.named_.end()), row.named_.end());
    std::ranges::for_each(row.named_, add);
  }
  row.named_.clear();
  first_.push_back(entries_.size());
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
