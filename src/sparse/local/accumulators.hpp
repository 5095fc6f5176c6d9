// One row of a result while its terms come in: in a hash table, or in an array with a place for every column that can
// come.
// Both put the row straight to where it belongs.
#pragma once

#include <bit>
#include <cstring>

#include "sparse/local/row_sort.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {

// Columns -> numbers of their own. Open addressing, never more than half full.
class ColumnTable {
 public:
  struct Slot {
    Local column;  // none: -1
    Local place;
  };

  // Empties it and makes room for this many columns.
  void start(Index columns) {
    const auto size = std::bit_ceil(static_cast<std::uint64_t>(2 * columns) | 16);
    if (std::cmp_greater(size, slots_.size())) slots_.resize(static_cast<Index>(size));
    std::memset(slots_.data(), 0xff, size * sizeof(Slot));
    mask_ = static_cast<std::uint32_t>(size - 1);
    shift_ = 32 - std::countr_zero(size);
  }
  // Where the column is, or where it would go.
  Slot& find(Local column) {
    std::uint32_t at = (static_cast<std::uint32_t>(column) * 0x9e3779b1U) >> shift_;
    Slot* const slots = slots_.data();
    while (slots[at].column != column && slots[at].column != -1) at = (at + 1) & mask_;
    return slots[at];
  }

 private:
  Array<Slot> slots_;
  std::uint32_t mask_ = 0;
  int shift_ = 0;
};

// Which columns a row may have.
enum class MaskMode { none, only, except };

template <SemiringType S, MaskMode mode = MaskMode::none>
class HashRow {
 public:
  using T = typename S::Value;

  // At most `bound` columns; the row goes to columns_of and values. With a mask: its row.
  void start(Index bound, Local* columns_of, T* values, std::span<const Local> mask = {}) {
    table_.start(bound + static_cast<Index>(mask.size()));
    columns_of_ = columns_of;
    values_ = values;
    count_ = 0;
    for (const Local column : mask) table_.find(column) = {column, listed};
  }
  void put(Local column, T value) {
    ColumnTable::Slot& slot = table_.find(column);
    if (slot.column == column && slot.place >= 0) [[likely]] {
      values_[slot.place] = S::add(values_[slot.place], value);
      return;
    }
    // A column that is listed is in the table before it has a place.
    if constexpr (mode == MaskMode::only)
      if (slot.column != column) return;
    if constexpr (mode == MaskMode::except)
      if (slot.column == column) return;
    slot = {column, static_cast<Local>(count_)};
    columns_of_[count_] = column;
    values_[count_++] = value;
  }
  // Entries of the row, in the order in which they came.
  Index finish() const { return count_; }

 private:
  static constexpr Local listed = -2;

  ColumnTable table_;
  Local* columns_of_ = nullptr;
  T* values_ = nullptr;
  Index count_ = 0;
};

// Columns first .. end-1.
struct Stretch {
  Index first = 0, end = 0;
  Index size() const { return end - first; }
};

// A place for every column of a stretch.
template <SemiringType S>
class DenseRow {
 public:
  using T = typename S::Value;

  // No other columns come.
  void start(const Stretch& columns, Local* columns_of, T* values) {
    base_ = static_cast<Local>(columns.first / 64 * 64);
    words_ = ceil_div(columns.end - base_, 64);
    if (words_ > filled_.size()) make_room(std::max(words_, 2 * filled_.size()));
    columns_of_ = columns_of;
    values_ = values;
  }
  void put(Local column, T value) {
    const Local at = column - base_;
    sums_[at] = S::add(sums_[at], value);
    filled_[at >> 6] |= std::uint64_t{1} << (at & 63);
  }
  // Sorted; everything is zero() again.
  Index finish() {
    Index count = 0;
    for (Index word = 0; word < words_; ++word) {
      for (std::uint64_t bits = filled_[word]; bits != 0; bits &= bits - 1) {
        const Index at = 64 * word + std::countr_zero(bits);
        columns_of_[count] = base_ + static_cast<Local>(at);
        values_[count++] = std::exchange(sums_[at], S::zero());
      }
      filled_[word] = 0;
    }
    return count;
  }

 private:
  void make_room(Index words) {  // between rows everything is zero()
    sums_.assign(64 * words, S::zero());
    filled_.assign(words, 0);
  }

  Array<T> sums_;
  Array<std::uint64_t> filled_;  // a bit per column
  Local base_ = 0;               // the column of the first place
  Index words_ = 0;              // of `filled_` in this row
  Local* columns_of_ = nullptr;
  T* values_ = nullptr;
};

}  // namespace cairn::sparse
