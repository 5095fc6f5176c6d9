#include "layout/strided_lines.hpp"

#include <algorithm>

namespace cairn::layout {
namespace {

Index floor_div(Index a, Index b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

bool ranges_meet(Index a, Index a_end, Index b, Index b_end) { return a < b_end && b < a_end; }

// Line j of y starts `shift` behind a line of x, namely line j + q, or `step - shift` before the one after that.
bool share_with_equal_steps(const StridedLines& x, const StridedLines& y) {
  const Index q = floor_div(y.first - x.first, x.step), shift = y.first - x.first - q * x.step;
  const bool behind = shift < x.length && ranges_meet(q, q + y.count, 0, x.count);
  const bool before = shift + y.length > x.step && ranges_meet(q + 1, q + 1 + y.count, 0, x.count);
  return behind || before;
}

// Whether [first, end) meets a line of x.
bool meets(const StridedLines& x, Index first, Index end) {
  const Index line = std::clamp<Index>(floor_div(end - 1 - x.first, x.step), -1, x.count - 1);
  return line >= 0 && first < x.first + line * x.step + x.length;
}

}  // namespace

bool share_elements(const StridedLines& x, const StridedLines& y) {
  if (x.empty() || y.empty() || !ranges_meet(x.first, x.end(), y.first, y.end())) return false;
  if (x.step == y.step) return share_with_equal_steps(x, y);
  if (x.count < y.count) return share_elements(y, x);
  for (Index j = 0; j < y.count; ++j)
    if (meets(x, y.first + j * y.step, y.first + j * y.step + y.length)) return true;
  return false;
}

}  // namespace cairn::layout
