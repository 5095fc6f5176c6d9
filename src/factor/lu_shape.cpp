#include "factor/lu_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::factor {

LuShape::LuShape(Index rows, Index columns, Index step, LuPattern pattern, int layers, Index row_block)
    : m_(rows),
      n_(columns),
      v_(step),
      k_(std::min(rows, columns)),
      pattern_(std::move(pattern)),
      layers_(layers),
      row_block_(row_block),
      steps_(static_cast<int>(ceil_div(k_, step))),
      tiles_(steps_ + static_cast<int>(ceil_div(columns - k_, step))) {
  const int classes = pattern_.column_classes();
  before_.reserve(static_cast<std::size_t>(positions()) * static_cast<std::size_t>(classes + 1));
  for (int q = 0; q < positions(); ++q) {
    const std::vector<int>& mine = pattern_.columns_of(q);
    int before = 0;
    for (int b = 0; b <= classes; ++b) {
      before_.push_back(before);
      if (std::ranges::binary_search(mine, b)) ++before;
    }
  }
}

Index LuShape::local_column(int q, int tile) const {
  const int classes = pattern_.column_classes(), last = tiles_ - 1;
  Index columns =
      v_ * (Index{tile / classes} * classes_before(q, classes) + classes_before(q, tile % classes));
  if (steps_ > 0 && tile >= steps_) columns -= lacking(q, steps_ - 1);
  if (tile > last && last >= steps_) columns -= lacking(q, last);
  return columns;
}

std::vector<int> LuShape::contributors(int step) const {
  std::vector<int> seen = {0};
  for (int t = 0; t < step && std::ssize(seen) < layers_; ++t)
    if (std::ranges::find(seen, layer(t)) == seen.end()) seen.push_back(layer(t));
  std::erase(seen, layer(step));
  std::ranges::sort(seen);
  return seen;
}

Index LuShape::columns_in_class_from(int b, int tile) const {
  Index sum = 0;
  const int classes = pattern_.column_classes();
  for (int j = tile + (b - tile % classes + classes) % classes; j < tiles(); j += classes) sum += width(j);
  return sum;
}

Index LuShape::local_rows(int q) const {
  Index sum = 0;
  for (const int a : pattern_.rows_of(q)) sum += rows_in_class(a);
  return sum;
}

bool LuShape::has_row_class(int q, int a) const { return std::ranges::binary_search(pattern_.rows_of(q), a); }

std::string LuShape::text() const {
  return fmt::format("{} on {} layers, step {}", pattern_.text(), layers_, v_);
}

layout::Layout lu_layout_of_rows(const LuShape& s, layout::IndexMap rows) {
  if (s.rows() == 0 || s.columns() == 0) return {};
  std::vector<Index> cuts;
  for (int j = 0; j <= s.tiles(); ++j) cuts.push_back(s.start(j));
  std::vector<layout::PartCell> cells;
  for (int j = 0; j < s.tiles(); ++j)
    for (int a = 0; a < s.pattern().row_classes(); ++a) {
      const int q = s.pattern().at(a, s.column_class(j));
      Index row = 0;
      for (const int other : s.pattern().rows_of(q)) row += other < a ? s.rows_in_class(other) : 0;
      const Index ld = s.leading_dimension(q);
      cells.push_back({q, row + s.local_column(q, j) * ld, ld});
    }
  return layout::Layout::of_parts(std::move(rows), layout::IndexMap::of_cuts(cuts), cells);
}

layout::Layout lu_layout(const LuShape& s) { return lu_layout_of_rows(s, s.row_map()); }

}  // namespace cairn::factor
