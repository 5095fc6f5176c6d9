// Ranks of a communicator that do something together, in an order of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::program {

// The ranks first, first + stride, ...: a fibre of a grid in O(1); or any list.
class Group {
 public:
  Group() = default;  // of rank 0 alone
  static Group strided(int first, int stride, int count) { return Group(first, stride, count); }
  static Group of(std::vector<int> ranks) {
    Group g(0, 1, static_cast<int>(ranks.size()));
    g.list_ = std::make_shared<const std::vector<int>>(std::move(ranks));
    return g;
  }

  int size() const noexcept { return count_; }
  int rank_at(int position) const {
    return list_ ? (*list_)[static_cast<std::size_t>(position)] : first_ + position * stride_;
  }
  std::optional<int> position_of(int rank) const;
  friend bool operator==(const Group& a, const Group& b);

 private:
  Group(int first, int stride, int count) : first_(first), stride_(stride), count_(count) {}

  int first_ = 0, stride_ = 1, count_ = 1;
  std::shared_ptr<const std::vector<int>> list_;
};

}  // namespace cairn::program
