#include "layout/mesh.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "comm/agreement.hpp"

namespace cairn::layout {

Mesh::Mesh(std::vector<int> extents, MeshOrder order) : extents_(std::move(extents)), order_(order) {
  Index positions = 1;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    require(extents_[d] >= 1, "extent {} of a mesh is {}, expected 1 or more", d, extents_[d]);
    positions = checked_mul(positions, extents_[d], "positions of a mesh");
  }
  positions_ = narrow<int>(positions, "positions of a mesh");
  last_rank_ = positions_ - 1;
}

Mesh Mesh::on_ranks(std::vector<int> ranks) const {
  require(std::cmp_equal(ranks.size(), positions_), "{} ranks for the {} positions of a mesh", ranks.size(),
          positions_);
  Table table;
  for (std::size_t q = 0; q < ranks.size(); ++q) {
    require(ranks[q] >= 0, "rank of position {} is {}, expected 0 or more", q, ranks[q]);
    table.positions.emplace_back(ranks[q], static_cast<int>(q));
  }
  std::ranges::sort(table.positions);
  for (std::size_t i = 1; i < table.positions.size(); ++i)
    require(table.positions[i].first != table.positions[i - 1].first, "rank {} sits at positions {} and {}",
            table.positions[i].first, table.positions[i - 1].second, table.positions[i].second);
  Mesh mesh = *this;
  mesh.last_rank_ = table.positions.back().first;
  table.ranks = std::move(ranks);
  mesh.table_ = std::make_shared<const Table>(std::move(table));
  return mesh;
}

int Mesh::coordinate(int position, int dimension) const {
  int stride = 1;
  for (int d = 0; d < dimension; ++d) stride *= extent(d);
  const int outside = stride == 1 ? position : position / stride;
  return dimension + 1 == dimensions() ? outside : outside % extent(dimension);
}

int Mesh::in_order(int position) const {
  if (order_ == MeshOrder::column_major) return position;
  int number = 0;
  for (int d = 0; d < dimensions(); ++d) number = number * extent(d) + coordinate(position, d);
  return number;
}

int Mesh::rank_at(int position) const {
  require(position >= 0 && position < positions_, "position is {}, expected 0 <= position < {}", position,
          positions_);
  return table_ != nullptr ? table_->ranks[static_cast<std::size_t>(position)] : in_order(position);
}

std::optional<int> Mesh::position_of(int rank) const {
  if (table_ != nullptr) {
    const auto found = std::ranges::lower_bound(table_->positions, std::pair(rank, 0));
    if (found == table_->positions.end() || found->first != rank) return std::nullopt;
    return found->second;
  }
  if (rank < 0 || rank >= positions_) return std::nullopt;
  if (order_ == MeshOrder::column_major) return rank;
  int position = 0, stride = positions_;
  for (int d = dimensions() - 1; d >= 0; --d) {
    stride /= extent(d);
    position += rank % extent(d) * stride;
    rank /= extent(d);
  }
  return position;
}

std::string Mesh::text() const {
  std::string shape = fmt::format("{}", fmt::join(extents_, "x"));
  if (table_ != nullptr) return shape + fmt::format(" on ranks {}", fmt::join(table_->ranks, ","));
  return order_ == MeshOrder::row_major ? shape + " row-major" : shape;
}

Index Mesh::fingerprint() const {
  std::vector<Index> values(extents_.begin(), extents_.end());
  values.push_back(static_cast<Index>(order_));
  if (table_ != nullptr) values.insert(values.end(), table_->ranks.begin(), table_->ranks.end());
  return comm::fingerprint(values);
}

bool operator==(const Mesh& a, const Mesh& b) {
  if (a.extents_ != b.extents_) return false;
  for (int q = 0; q < a.positions_; ++q)
    if (a.rank_at(q) != b.rank_at(q)) return false;
  return true;
}

}  // namespace cairn::layout
