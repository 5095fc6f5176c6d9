#include "symmetric/panels.hpp"

#include <algorithm>

namespace cairn::symmetric {
namespace {}  // namespace

Panels::Panels(const Problem& problem, const Shape& shape, Shape::Use use) : shape_(shape) {
  for (int m = 0; m < shape.maps(); ++m) holders_[at_index(m)].resize(at_index(shape.map(m).parts()));
  for (int q = 0; q < shape.positions(); ++q) {
    faces_.push_back(shape.faces(problem, q, use));
    for (const Face& f : faces_.back())
      if (f.rows > 0) holders_[at_index(f.map)][at_index(f.part)].push_back(q);
  }
}

Index Panels::first(int position, int map, int part) const {
  for (const Face& f : faces(position))
    if (f.map == map && f.part == part) return f.first;
  return 0;
}

std::vector<layout::Layout> Panels::layouts() const {
  std::vector<layout::Layout> all;
  for (int m = 0; m < shape_.maps(); ++m) {
    const auto& holders = holders_[at_index(m)];
    std::size_t most = 0;
    for (const auto& list : holders) most = std::max(most, list.size());
    for (std::size_t i = 0; i < most; ++i) {
      std::vector<layout::PartCell> cells;
      for (int part = 0; part < shape_.parts(); ++part)
        for (int a = 0; a < shape_.map(m).parts(); ++a) {
          const auto& list = holders[at_index(a)];
          if (i < list.size())
            cells.push_back(
                {shape_.rank(list[i], part), first(list[i], m, a), std::max<Index>(1, rows(list[i]))});
          else
            cells.emplace_back();
        }
      all.push_back(layout::Layout::of_parts(shape_.map(m), shape_.part_map(), cells));
    }
  }
  return all;
}

}  // namespace cairn::symmetric
