// One dimension of a matrix cut into cells; each cell lies at one of several places. A place of the rows and
// a place of the columns together are a rank. A pure value: O(cells) memory, no data.
#pragma once

#include <cstdint>
#include <vector>

#include "base/size.hpp"

namespace cairn::sparse {

class Cut {
 public:
  Cut() = default;
  // Cell c is [ends[c - 1], ends[c]) and lies at place_of_cell[c]; place p adds offsets[p] to the rank.
  Cut(std::vector<Index> ends, std::vector<int> place_of_cell, std::vector<int> offsets);

  // Contiguous ranges that differ by at most one index, range p at place p.
  static Cut ranges(Index length, std::vector<int> offsets);
  // Contiguous ranges with the given ends, range p at place p.
  static Cut at_ends(std::vector<Index> ends, std::vector<int> offsets);

  Index length() const { return ends_.empty() ? 0 : ends_.back(); }
  int places() const { return static_cast<int>(offsets_.size()); }
  int cells() const { return static_cast<int>(ends_.size()); }
  int offset(int place) const { return offsets_[static_cast<std::size_t>(place)]; }
  Index size(int place) const { return sizes_[static_cast<std::size_t>(place)]; }
  Index longest() const;  // size of the largest place

  // The cells of a place follow each other in its local numbering, in ascending order.
  int place_of(Index global) const;
  Index local_of(Index global) const;
  Index global_of(int place, Index local) const;
  std::vector<Index> globals(int place) const;  // all indices of a place, ascending

  Index cell_begin(int cell) const { return cell == 0 ? 0 : ends_[static_cast<std::size_t>(cell) - 1]; }
  Index cell_end(int cell) const { return ends_[static_cast<std::size_t>(cell)]; }
  int cell_place(int cell) const { return place_of_cell_[static_cast<std::size_t>(cell)]; }
  int cell_of(Index global) const;
  Index fingerprint() const;

  friend bool operator==(const Cut&, const Cut&) = default;

 private:
  std::vector<Index> ends_;
  std::vector<int> place_of_cell_;
  std::vector<Index> first_local_;  // of a cell, in its place
  std::vector<int> offsets_;
  std::vector<Index> sizes_;
};

// Ends of `outer` nearly equal ranges, each cut into `inner` nearly equal ones.
std::vector<Index> nested_ends(Index length, int outer, int inner);
// Every one of `outer` (ends of ranges) cut into `inner` nearly equal ranges.
std::vector<Index> refine_ends(const std::vector<Index>& outer, int inner);

// How the indices of one place of a cut are spread over the places of another cut of the same dimension.
struct Correspondence {
  std::vector<int> place;                        // by local index: where the other cut has it
  std::vector<std::int32_t> nth;                 // by local index: its number among those of the same place
  std::vector<std::vector<std::int32_t>> among;  // by place of the other: the local indices there, ascending
};
Correspondence correspond(const Cut& mine, int place, const Cut& other);

// How many indices a place of one cut and a place of another have in common. O(cells).
Index common_size(const Cut& a, int place_a, const Cut& b, int place_b);

}  // namespace cairn::sparse
