#include "factor/local_rows.hpp"

#include <algorithm>

namespace cairn::factor {

LocalRows::LocalRows(const LuShape& shape, int position)
    : classes_(shape.pattern().row_classes()),
      block_(shape.row_block()),
      first_(static_cast<std::size_t>(classes_), -1) {
  for (const int a : shape.pattern().rows_of(position)) {
    first_[static_cast<std::size_t>(a)] = count();
    for (Index begin = a * block_; begin < shape.rows(); begin += classes_ * block_)
      for (Index row = begin; row < std::min(begin + block_, shape.rows()); ++row) row_.push_back(row);
  }
  position_.resize(row_.size());
  std::iota(position_.begin(), position_.end(), Index{0});
}

Swaps LocalRows::take(std::span<const Index> pivots) {
  Swaps swaps;
  for (const Index pivot : pivots) {
    if (!has(pivot)) continue;
    const Index from = position(pivot), other = row(taken_);
    std::swap(row_[static_cast<std::size_t>(from)], row_[static_cast<std::size_t>(taken_)]);
    position_[home(other)] = from;
    position_[home(pivot)] = taken_;
    if (from != taken_) swaps.emplace_back(taken_, from);
    ++taken_;
  }
  return swaps;
}

std::vector<Index> LocalRows::left_in(std::span<const int> classes) const {
  std::vector<bool> wanted(static_cast<std::size_t>(classes_), false);
  for (const int a : classes) wanted[static_cast<std::size_t>(a)] = true;
  std::vector<Index> positions;
  for (Index p = taken_; p < count(); ++p)
    if (wanted[class_of(row(p))]) positions.push_back(p);
  std::ranges::sort(positions, {}, [&](Index p) { return row(p); });
  return positions;
}

}  // namespace cairn::factor
