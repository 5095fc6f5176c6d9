#include "program/group.hpp"

namespace cairn::program {

std::optional<int> Group::position_of(int rank) const {
  if (list_) {
    const auto at = std::ranges::find(*list_, rank);
    if (at == list_->end()) return {};
    return static_cast<int>(at - list_->begin());
  }
  const int away = rank - first_;
  if (stride_ == 0 || away % stride_ != 0) return away == 0 ? std::optional(0) : std::nullopt;
  const int position = away / stride_;
  if (position < 0 || position >= count_) return {};
  return position;
}

bool operator==(const Group& a, const Group& b) {
  if (a.count_ != b.count_) return false;
  for (int i = 0; i < a.count_; ++i)
    if (a.rank_at(i) != b.rank_at(i)) return false;
  return true;
}

}  // namespace cairn::program
