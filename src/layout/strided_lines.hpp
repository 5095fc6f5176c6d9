// Lines of elements in memory, one after the other at equal distances: what a rectangle of a matrix occupies there.
#pragma once

#include "base/size.hpp"

namespace cairn::layout {

struct StridedLines {
  Index first = 0;   // element of memory
  Index length = 0;  // of a line
  Index count = 0;   // of lines
  Index step = 1;    // from one line to the next, at least `length`

  bool empty() const { return length == 0 || count == 0; }
  Index end() const { return empty() ? first : first + (count - 1) * step + length; }
};

// Whether they have an element in common. O(1) for equal steps, otherwise O(lines of the one with fewer).
bool share_elements(const StridedLines& x, const StridedLines& y);

}  // namespace cairn::layout
