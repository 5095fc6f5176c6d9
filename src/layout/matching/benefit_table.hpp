// The benefits of an assignment as a sparse matrix: rows are grid positions, columns are ranks.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/size.hpp"

namespace cairn::layout {

// If `position` goes to `rank`, `words` words are already there.
struct Benefit {
  int position = 0;
  int rank = 0;
  Index words = 0;
};

// Rows sorted by rank, benefits of the same pair added up, pairs without words left out - except the
// diagonal: every row has its own rank, be it with 0 words, because the identity is what ties are broken for.
class BenefitTable {
 public:
  struct Entry {
    int rank;
    Index words;
  };

  // An ArgumentError names a benefit that is out of range or negative, an OverflowError is raised where all
  // words together exceed 64 bits.
  BenefitTable(int positions, int ranks, std::span<const Benefit> benefits);

  // The benefits of one position, added up by rank.
  class Row {
   public:
    explicit Row(int ranks) : words_(static_cast<std::size_t>(ranks), 0) {}
    void add(int rank, Index words);

   private:
    friend class BenefitTable;
    std::vector<Index> words_;  // by rank
    std::vector<int> named_;    // those with any
  };
  // fill(position, row) adds the benefits of a position. Needs no list of all of them, which may be much longer than
  // the table.
  BenefitTable(int positions, int ranks, const std::function<void(int, Row&)>& fill);

  int positions() const noexcept { return static_cast<int>(first_.size()) - 1; }
  int ranks() const noexcept { return ranks_; }
  Index entries() const noexcept { return static_cast<Index>(entries_.size()); }
  Index most_words() const noexcept { return most_words_; }  // of one entry

  std::span<const Entry> row(int position) const {
    const auto p = static_cast<std::size_t>(position);
    return std::span(entries_).subspan(first_[p], first_[p + 1] - first_[p]);
  }
  // 0 where the pair has no entry. O(log of the row).
  Index words(int position, int rank) const;

 private:
  void append(int position, Row& row);

  int ranks_;
  std::vector<std::size_t> first_;  // entry of each row, and one past the end
  std::vector<Entry> entries_;
  Index most_words_ = 0;
  Index all_words_ = 0;
};

// By the assignment of rank_of[p] to each position p, or of none where it is negative.
Index words_kept(const BenefitTable& table, std::span<const int> rank_of);

}  // namespace cairn::layout
