// Sorting the entries of one row by column.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sparse/local/csr.hpp"

namespace cairn::sparse {

// rank[p] = how many of the columns are less than columns[p], for p < n. O(n^2), without a branch. Both arrays
// have a multiple of rank_lanes elements; what stands in `columns` from n on does not matter.
inline constexpr Index rank_lanes = 16;
void rank_columns(const Local* columns, Index n, Local* rank);

// (column, place) pairs by column, which is below 2^bits; `keys` and `spare` have n elements each, the result
// is in the one returned.
std::uint64_t* sort_pairs(std::uint64_t* keys, std::uint64_t* spare, Index n, int bits);

// Sorts rows, one after another. Keeps its work memory.
template <class T>
class RowSorter {
 public:
  // `columns`: of the matrix.
  explicit RowSorter(Index columns)
      : bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<Index>(1, columns) - 1)))) {
  }

  // No column stands twice.
  void sort(Local* columns_of, T* values, Index n) {
    if (n < 2) return;
    old_values_.resize(n);
    std::copy_n(values, n, old_values_.data());
    if (n <= few)
      by_rank(columns_of, values, n);
    else
      by_pairs(columns_of, values, n);
  }
  // Columns that stand twice keep their order.
  void sort_stably(Local* columns_of, T* values, Index n) {
    if (n < 2) return;
    if (n <= few) return by_insertion(columns_of, values, n);
    old_values_.resize(n);
    std::copy_n(values, n, old_values_.data());
    by_pairs(columns_of, values, n);
  }

 private:
  static constexpr Index few =
      96;  // up to here counting ranks is faster than sorting; a multiple of rank_lanes
  static_assert(few % rank_lanes == 0);

  void by_rank(Local* columns_of, T* values, Index n) {
    old_columns_.resize(few);
    rank_.resize(few);
    std::copy_n(columns_of, n, old_columns_.data());
    rank_columns(old_columns_.data(), n, rank_.data());
    for (Index p = 0; p < n; ++p) {
      columns_of[rank_[p]] = old_columns_[p];
      values[rank_[p]] = old_values_[p];
    }
  }

  static void by_insertion(Local* columns_of, T* values, Index n) {
    for (Index p = 1; p < n; ++p) {
      const Local column = columns_of[p];
      const T value = values[p];
      Index q = p;
      for (; q > 0 && columns_of[q - 1] > column; --q) {
        columns_of[q] = columns_of[q - 1];
        values[q] = values[q - 1];
      }
      columns_of[q] = column;
      values[q] = value;
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
