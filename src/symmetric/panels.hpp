// Rows of a panel on the positions that need them: a class has several holders, so a panel is filled, or added up,
// by one move a holder.
#pragma once

#include <array>
#include <vector>

#include "symmetric/shape.hpp"

namespace cairn::symmetric {

class Panels {
 public:
  Panels(const Problem& problem, const Shape& shape, Shape::Use use);

  const std::vector<Face>& faces(int position) const { return faces_[static_cast<std::size_t>(position)]; }
  Index rows(int position) const { return Shape::rows_of(faces(position)); }
  // Where the rows of a part begin in the panel of a position; 0 where it has not got them.
  Index first(int position, int map, int part) const;
  // The panel on the i-th holder of each class, for all i of both maps: together every holder of every class, once.
  std::vector<layout::Layout> layouts() const;

 private:
  const Shape& shape_;
  std::vector<std::vector<Face>> faces_;                  // by position
  std::array<std::vector<std::vector<int>>, 2> holders_;  // positions, by map and part
};

}  // namespace cairn::symmetric
