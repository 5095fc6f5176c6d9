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

// Whether the memory of two matrices overlaps on this rank.
template <class T, class U>
bool share_memory(const MatrixView<T>& a, const MatrixView<U>& b, int rank) {
  const auto begin = [](const auto& m) { return reinterpret_cast<std::uintptr_t>(m.data); };
  const auto bytes = [rank](const auto& m) {
    return static_cast<std::uintptr_t>(m.layout.memory_elements(rank, m.leading_dimension)) * sizeof(T);
  };
  return bytes(a) > 0 && bytes(b) > 0 && begin(a) < begin(b) + bytes(b) && begin(b) < begin(a) + bytes(a);
}

}  // namespace cairn::layout
