// Process grids of any dimension.
#pragma once

#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace cairn::comm {

// The shape of a grid: rank <-> coordinates, the first coordinate running fastest. A pure value.
class GridShape {
 public:
  explicit GridShape(std::vector<int> extents);  // all >= 1

  int dimensions() const noexcept { return static_cast<int>(extents_.size()); }
  int extent(int dimension) const;
  int ranks() const noexcept { return ranks_; }  // the product of the extents
  std::vector<int> coordinates(int rank) const;
  int rank(std::span<const int> coordinates) const;

 private:
  std::vector<int> extents_;
  int ranks_ = 1;
};

// A grid over the first ranks of a communicator, with one communicator for each fibre through this rank: the
// ranks that differ from it in one coordinate only, in order of that coordinate.
class ProcessGrid {
 public:
  // Collective over `comm`. Ranks beyond the shape stay idle: member() is false there.
  ProcessGrid(CommView comm, GridShape shape);

  const GridShape& shape() const noexcept { return shape_; }
  bool member() const noexcept { return static_cast<bool>(all_); }
  CommView all() const { return all_; }  // the ranks of the grid
  CommView fibre(int dimension) const;   // the ranks along one dimension
  int coordinate(int dimension) const;   // of this rank
  // Collective over the grid. The ranks that agree with this one in all dimensions but the named ones.
  Communicator plane(std::span<const int> dimensions) const;

 private:
  GridShape shape_;
  std::vector<int> coordinates_;
  Communicator all_;
  std::vector<Communicator> fibres_;
};

}  // namespace cairn::comm
