// How a vector is cut into one block per rank: equal blocks, nearly equal blocks, or any counts.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/size.hpp"

namespace cairn::comm {

class Partition {
 public:
  // `ranks` blocks of `count` each.
  static Partition even(int ranks, Index count) { return Partition(ranks, count, 0, 1); }

  // `total` units cut into `ranks` blocks that differ by at most one unit; the longer ones come first. A unit
  // is `unit` elements: a column of a matrix.
  static Partition balanced(int ranks, Index total, Index unit = 1) {
    return Partition(ranks, total / ranks, total % ranks, unit);
  }

  // Block i has counts[i] elements. O(ranks) memory; the other two are O(1).
  static Partition of_counts(std::span<const Index> counts) {
    Partition p(static_cast<int>(counts.size()), 0, 0, 1);
    p.offsets_.reserve(counts.size() + 1);
    p.offsets_.push_back(0);
    for (const Index c : counts) p.offsets_.push_back(checked_add(p.offsets_.back(), c, "sum of the counts"));
    return p;
  }

  int ranks() const noexcept { return ranks_; }
  Index offset(int block) const {
    if (!offsets_.empty()) return offsets_[static_cast<std::size_t>(block)];
    return (block * count_ + std::min<Index>(block, longer_)) * unit_;
  }
  Index count(int block) const { return offset(block + 1) - offset(block); }
  Index total() const { return offset(ranks_); }
  // The block that holds an element, 0 <= element < total(). For closed forms only.
  int block_of(Index element) const {
    const Index at = element / unit_, in_longer = longer_ * (count_ + 1);
    return static_cast<int>(at < in_longer ? at / (count_ + 1) : longer_ + (at - in_longer) / count_);
  }
  int longer_blocks() const noexcept {
    return static_cast<int>(longer_);
  }  // of a closed form: they come first
  bool is_even() const noexcept { return offsets_.empty() && longer_ == 0; }
  bool has_closed_form() const noexcept { return offsets_.empty(); }  // longer blocks first

  // Elements of the `blocks` blocks from `first` on, counted round the end.
  Index circular_count(int first, int blocks) const {
    const int end = first + blocks;
    if (end <= ranks_) return offset(end) - offset(first);
    return total() - offset(first) + offset(end - ranks_);
  }

 private:
  Partition(int ranks, Index count, Index longer, Index unit)
      : ranks_(ranks), count_(count), longer_(longer), unit_(unit) {}

  int ranks_;
  Index count_;
  Index longer_;
  Index unit_;
  std::vector<Index> offsets_;  // empty where the closed form holds
};

}  // namespace cairn::comm
