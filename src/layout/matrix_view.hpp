// A distributed matrix whose memory is somebody else's.
#pragma once

#include <cstdint>
#include <string_view>

#include "layout/layout.hpp"

namespace cairn::layout {

// The local memory of this rank: `elements` of them from `data` on, with a leading dimension (0: the least).
// T may be const.
template <class T>
struct MatrixView {
  Layout layout;
  T* data = nullptr;
  Index elements = 0;
  Index leading_dimension = 0;

  std::vector<Cell> cells(int rank) const { return layout.cells_of(rank, leading_dimension); }
  // NOLINTNEXTLINE(google-explicit-constructor): what may be written may be read
  operator MatrixView<const T>() const { return {layout, data, elements, leading_dimension}; }
};

// Throws ArgumentError unless the memory holds what the layout says this rank has.
template <class T>
void check_memory(const MatrixView<T>& m, int rank, std::string_view name) {
  require(m.leading_dimension >= 0, "leading dimension of {} is {}, expected 0 or more", name,
          m.leading_dimension);
  const Index least = m.layout.least_leading_dimension(rank);
  require(m.leading_dimension == 0 || m.leading_dimension >= least,
          "leading dimension of {} is {} on rank {}, expected at least {}", name, m.leading_dimension, rank,
          least);
  const Index needed = m.layout.memory_elements(rank, m.leading_dimension);
  require(needed == 0 || m.data != nullptr, "memory of {} is null on rank {}, expected {} elements", name,
          rank, needed);
  require(m.elements >= needed, "memory of {} has {} elements on rank {}, expected at least {}", name,
          m.elements, rank, needed);
}

// A line of a cell in memory: addresses begin .. end-1.
struct MemoryLine {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
// All lines of the cells of a rank whose memory starts at `data`.
std::vector<MemoryLine> memory_lines(const Layout& layout, int rank, Index leading_dimension,
                                     std::uintptr_t data, std::size_t element_bytes);
bool meet(std::vector<MemoryLine> x, std::vector<MemoryLine> y);

// Whether two matrices have an element in one place on this rank. Parts of one allocation that lie between
// each other, two blocks of columns or of rows, have not. O(1) unless the memory of the one reaches into that
// of the other, then O(lines log lines).
template <class T, class U>
bool share_memory(const MatrixView<T>& a, const MatrixView<U>& b, int rank) {
  const auto begin = [](const auto& m) { return reinterpret_cast<std::uintptr_t>(m.data); };
  const auto bytes = [rank](const auto& m) {
    return static_cast<std::uintptr_t>(m.layout.memory_elements(rank, m.leading_dimension)) * sizeof(T);
  };
  const bool apart =
      bytes(a) == 0 || bytes(b) == 0 || begin(a) >= begin(b) + bytes(b) || begin(b) >= begin(a) + bytes(a);
  const auto lines = [&](const auto& m) {
    return memory_lines(m.layout, rank, m.leading_dimension, begin(m), sizeof(T));
  };
  return !apart && meet(lines(a), lines(b));
}

}  // namespace cairn::layout
