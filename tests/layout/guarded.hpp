// Matrices for tests: values that are exact in every type, memory with guards around what may be written, and
// the words a move must move.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "base/blas.hpp"
#include "layout/dist_matrix.hpp"

namespace cairn::test {

// Small integers, so that everything is exact in every type.
template <Scalar T>
T value(std::uint64_t seed, Index i, Index j) {
  std::uint64_t x = seed + static_cast<std::uint64_t>(i + 1) * 0x9E3779B97F4A7C15U;
  x ^= static_cast<std::uint64_t>(j + 3) * 0xBF58476D1CE4E5B9U;
  x ^= x >> 31;
  const auto small = static_cast<Real<T>>((x >> 20) % 19), other = static_cast<Real<T>>((x >> 40) % 23);
  if constexpr (ScalarTraits<T>::is_complex)
    return T(small, other);
  else
    return small - other;
}

// The local memory of one matrix, with gaps between the lines and room behind, all of it guarded.
template <Scalar T>
struct Guarded {
  static constexpr int guard = 7777;

  Guarded(layout::Layout map, int rank, Index gap) : rank_(rank) {
    const Index ld = map.mesh() == nullptr ? 0 : map.least_leading_dimension(rank) + gap;
    memory.assign(static_cast<std::size_t>(map.memory_elements(rank, ld) + gap), T(guard));
    view = {std::move(map), memory.data(), static_cast<Index>(memory.size()), ld};
  }
  // Elements that belong to nobody still have their guard.
  void expect_guards() const {
    std::vector<bool> used(memory.size(), false);
    layout::for_each_element(view, rank_, [&](Index, Index, const T& x) {
      used[static_cast<std::size_t>(&x - memory.data())] = true;
    });
    for (std::size_t i = 0; i < memory.size(); ++i) {
      if (!used[i]) {
        ASSERT_EQ(memory[i], T(guard)) << "outside the matrix";
      }
    }
  }

  std::vector<T> memory;
  layout::MatrixView<T> view;

 private:
  int rank_;
};

// Words this rank must receive: elements of B here that are not in op(A) here.
inline Index words_needed(const layout::Layout& a, const layout::Layout& b, Op op, int rank) {
  Index words = 0;
  const layout::MatrixView<const char> here{b, nullptr, 0, 0};
  for (const layout::Cell& cell : here.cells(rank))
    for (Index c = 0; c < cell.columns; ++c)
      for (Index r = 0; r < cell.rows; ++r) {
        Index i = b.row_map().global_of(cell.row_part, r), j = b.column_map().global_of(cell.column_part, c);
        if (op != Op::none) std::swap(i, j);
        if (!a.holds(rank, a.row_map().part_of(i), a.column_map().part_of(j))) ++words;
      }
  return words;
}

}  // namespace cairn::test
