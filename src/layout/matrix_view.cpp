#include "layout/matrix_view.hpp"

#include <algorithm>

namespace cairn::layout {

std::vector<MemoryLine> memory_lines(const Layout& layout, int rank, Index leading_dimension,
                                     std::uintptr_t data, std::size_t element_bytes) {
  std::vector<MemoryLine> lines;
  const bool by_columns = layout.order() == Order::column_major;
  for (const Cell& c : layout.cells_of(rank, leading_dimension))
    for (Index line = 0; line < (by_columns ? c.columns : c.rows); ++line) {
      const Index first = c.offset + line * (by_columns ? c.column_stride : c.row_stride);
      const std::uintptr_t begin = data + static_cast<std::uintptr_t>(first) * element_bytes;
      lines.push_back(
          {begin, begin + static_cast<std::uintptr_t>(by_columns ? c.rows : c.columns) * element_bytes});
    }
  return lines;
}

bool meet(std::vector<MemoryLine> x, std::vector<MemoryLine> y) {
  std::ranges::sort(x, {}, &MemoryLine::begin);
  std::ranges::sort(y, {}, &MemoryLine::begin);
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (x[i].begin < y[j].end && y[j].begin < x[i].end) return true;
    x[i].end <= y[j].end ? ++i : ++j;
  }
  return false;
}

}  // namespace cairn::layout
