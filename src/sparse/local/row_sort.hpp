// Sorting the entries of one row by column.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sparse/local/csr.hpp"

namespace cairn::sparse {

// rank[p] = where columns[p] stands when they are sorted; equal ones keep their order. O(n^2), without a branch.
void rank_columns(const Local* columns, Index n, Local* rank);

// (column, place) pairs by column, which is below 2^bits; `keys` and `spare` have n elements each, the result
// is in the one returned.
std::uint64_t* sort_pairs(std::uint64_t* keys, std::uint64_t* spare, Index n, int bits);

// Sorts rows, one after another; equal columns keep their order. Keeps its work memory.
template <class T>
class RowSorter {
 public:
  // `columns`: of the matrix.
  explicit RowSorter(Index columns)
      : bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<Index>(1, columns) - 1)))) {
  }

  void sort(Local* columns_of, T* values, Index n) {
    if (n < 2) return;
    old_values_.resize(n);
    std::copy_n(values, n, old_values_.data());
    if (n <= few)
      by_rank(columns_of, values, n);
    else
      by_pairs(columns_of, values, n);
  }

 private:
  static constexpr Index few = 96;  // up to here counting ranks is faster than sorting

  void by_rank(Local* columns_of, T* values, Index n) {
    old_columns_.resize(n);
    rank_.resize(n);
    std::copy_n(columns_of, n, old_columns_.data());
    rank_columns(old_columns_.data(), n, rank_.data());
    for (Index p = 0; p < n; ++p) {
      columns_of[rank_[p]] = old_columns_[p];
      values[rank_[p]] = old_values_[p];
    }
  }

  void by_pairs(Local* columns_of, T* values, Index n) {
    keys_.resize(n);
    spare_.resize(n);
    for (Index p = 0; p < n; ++p)
      keys_[p] = static_cast<std::uint64_t>(columns_of[p]) << 32 | static_cast<std::uint64_t>(p);
    const std::uint64_t* const sorted = sort_pairs(keys_.data(), spare_.data(), n, bits_);
    for (Index p = 0; p < n; ++p) {
      columns_of[p] = static_cast<Local>(sorted[p] >> 32);
      values[p] = old_values_[static_cast<Index>(sorted[p] & 0xffffffff)];
    }
  }

  int bits_;
  Array<T> old_values_;
  Array<Local> old_columns_, rank_;
  Array<std::uint64_t> keys_, spare_;
};

}  // namespace cairn::sparse
