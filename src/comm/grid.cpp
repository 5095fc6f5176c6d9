#include "comm/grid.hpp"

#include <algorithm>

#include "comm/agreement.hpp"

namespace cairn::comm {

GridShape::GridShape(std::vector<int> extents) : extents_(std::move(extents)) {
  Index ranks = 1;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    require(extents_[d] >= 1, "extent {} of the grid is {}, expected 1 or more", d, extents_[d]);
    ranks = checked_mul(ranks, extents_[d], "ranks of the grid");
  }
  ranks_ = narrow<int>(ranks, "ranks of the grid");
}

int GridShape::extent(int dimension) const {
  require(dimension >= 0 && dimension < dimensions(), "dimension is {}, expected 0 <= dimension < {}",
          dimension, dimensions());
  return extents_[static_cast<std::size_t>(dimension)];
}

std::vector<int> GridShape::coordinates(int rank) const {
  require(rank >= 0 && rank < ranks_, "rank is {}, expected 0 <= rank < {}", rank, ranks_);
  std::vector<int> result;
  for (const int extent : extents_) {
    result.push_back(rank % extent);
    rank /= extent;
  }
  return result;
}

int GridShape::rank(std::span<const int> coordinates) const {
  require(coordinates.size() == extents_.size(), "{} coordinates, expected {}", coordinates.size(),
          extents_.size());
  int result = 0;
  for (std::size_t d = extents_.size(); d-- > 0;) {
    require(coordinates[d] >= 0 && coordinates[d] < extents_[d], "coordinate {} is {}, expected 0 <= it < {}",
            d, coordinates[d], extents_[d]);
    result = result * extents_[d] + coordinates[d];
  }
  return result;
}

ProcessGrid::ProcessGrid(CommView comm, GridShape shape) : shape_(std::move(shape)) {
  std::vector<Index> extents;
  for (int d = 0; d < shape_.dimensions(); ++d) extents.push_back(shape_.extent(d));
  agree(
      comm, "process grid",
      [&] {
        require(shape_.ranks() <= comm.size(), "the grid has {} ranks, the communicator {}", shape_.ranks(),
                comm.size());
      },
      {{"dimensions", shape_.dimensions()}, {"extents", fingerprint(extents), [&] {
                                               return std::vector<Argument>{{"extents", list_text(extents)}};
                                             }}});
  all_ = comm.split(comm.rank() < shape_.ranks() ? 0 : -1, comm.rank());
  if (!member()) return;
  coordinates_ = shape_.coordinates(comm.rank());
  for (int d = 0; d < shape_.dimensions(); ++d) fibres_.push_back(plane(std::span(&d, 1)));
}

CommView ProcessGrid::fibre(int dimension) const {
  require(member(), "this rank is not in the grid");
  shape_.extent(dimension);  // checks the dimension
  return fibres_[static_cast<std::size_t>(dimension)];
}

int ProcessGrid::coordinate(int dimension) const {
  require(member(), "this rank is not in the grid");
  shape_.extent(dimension);
  return coordinates_[static_cast<std::size_t>(dimension)];
}

Communicator ProcessGrid::plane(std::span<const int> dimensions) const {
  require(member(), "this rank is not in the grid");
  std::vector<int> corner = coordinates_;
  for (const int d : dimensions) {
    shape_.extent(d);
    corner[static_cast<std::size_t>(d)] = 0;
  }
  // All ranks of a plane share its corner; the key keeps them in grid order.
  return all().split(shape_.rank(corner), shape_.rank(coordinates_));
}

}  // namespace cairn::comm
