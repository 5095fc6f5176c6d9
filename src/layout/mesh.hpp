// A mesh of processes d0 x d1 x ... (paper 003, section 3): positions (s0, s1, ...) and the ranks that sit
// there. A position is also a number, the first coordinate running fastest.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/size.hpp"

namespace cairn::layout {

enum class MeshOrder {
  column_major,
  row_major
};  // which coordinate runs fastest over the ranks: first, last

class Mesh {
 public:
  // Position -> rank in the given order, O(1) memory.
  explicit Mesh(std::vector<int> extents, MeshOrder order = MeshOrder::column_major);
  // The same shape on other ranks: position q sits on ranks[q]. Distinct, none negative.
  Mesh on_ranks(std::vector<int> ranks) const;

  int dimensions() const noexcept { return static_cast<int>(extents_.size()); }
  int extent(int dimension) const { return extents_[static_cast<std::size_t>(dimension)]; }
  std::span<const int> extents() const noexcept { return extents_; }
  int positions() const noexcept { return positions_; }
  int coordinate(int position, int dimension) const;

  int rank_at(int position) const;
  std::optional<int> position_of(int rank) const;
  int last_rank() const noexcept { return last_rank_; }

  std::string text() const;  // "2x3", "2x3 row-major", "2x1 on ranks 3,5"
  Index fingerprint() const;
  friend bool operator==(const Mesh& a, const Mesh& b);

 private:
  struct Table {
    std::vector<int> ranks;                      // by position
    std::vector<std::pair<int, int>> positions;  // (rank, position), sorted
  };
  int in_order(int position) const;  // the number of a position when counted in `order_`

  std::vector<int> extents_;
  MeshOrder order_;
  int positions_ = 1;
  int last_rank_ = 0;
  std::shared_ptr<const Table> table_;
};

}  // namespace cairn::layout
