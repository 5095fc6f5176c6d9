// What the parts of two index maps of one dimension have in common.
#pragma once

#include <vector>

#include "layout/index_map.hpp"

namespace cairn::layout {

// Common indices whose local positions are two progressions: from + k from_step in the one part,
// to + k to_step in the other, for k = 0 .. count-1. Elemental against block-cyclic is a few of them, not one
// an element.
struct Stretch {
  Index from = 0;
  Index to = 0;
  Index from_step = 1;
  Index to_step = 1;
  Index count = 0;
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

// In the order of the global indices.
class Stretches {
 public:
  // Appends indices that lie side by side in both parts.
  void append(Index from, Index to, Index count);
  const std::vector<Stretch>& all() const noexcept { return all_; }
  Index count() const noexcept { return count_; }
  Stretches reversed() const;  // from <-> to
  Stretches slice(Index first, Index count) const;
  // The same indices in lists of at most this many.
  std::vector<Stretches> split(Index most) const;
  friend bool operator==(const Stretches&, const Stretches&) = default;

 private:
  std::vector<Stretch> all_;
  Index count_ = 0;
};

// What one part of `from` shares with each part of `to` that it shares anything with, in order of the parts.
// O(runs of the part in either map).
struct Shared {
  int part = 0;  // of the other map
  Stretches stretches;
};
std::vector<Shared> shared_by(const IndexMap& from, int part, const IndexMap& to);

// The number of common indices of each pair of parts that has any.
struct SharedCount {
  int from = 0;
  int to = 0;
  Index count = 0;
};
std::vector<SharedCount> shared_counts(const IndexMap& from, const IndexMap& to);

// The same by part of `to`: the parts of `from` that it shares indices with, in order.
struct PartCount {
  int part = 0;
  Index count = 0;
};
using SharedTable = std::vector<std::vector<PartCount>>;
SharedTable shared_table(const IndexMap& from, const IndexMap& to);
// 0 where the parts have nothing in common. O(log parts).
Index shared_with(const std::vector<PartCount>& row, int part);

}  // namespace cairn::layout
