// When each vertex is read by an order: what furthest-next-use eviction asks for.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "model/pebble/cdag.hpp"

namespace cairn::model::pebble {

// The positions of the children of every vertex in an order, in ascending order, with a cursor on the next
// one.
class Uses {
 public:
  static constexpr Index never = std::numeric_limits<Index>::max();

  // `order` has passed require_order. With `owner` (one entry a computed vertex) only the children that
  // `processor` computes count.
  Uses(const Cdag& graph, std::span<const Vertex> order);
  Uses(const Cdag& graph, std::span<const Vertex> order, std::span<const Index> owner, Index processor);

  Index next(Vertex v) const {
    const auto x = cursor_[static_cast<std::size_t>(v)];
    return x < first_[static_cast<std::size_t>(v) + 1] ? position_[x] : never;
  }
  void advance(Vertex v) { ++cursor_[static_cast<std::size_t>(v)]; }

 private:
  template <class Counts>
  void fill(const Cdag& graph, std::span<const Vertex> order, Counts counts);

  std::vector<std::size_t> first_, cursor_;
  std::vector<Index> position_;
};

// Throws unless `order` has each computed vertex of `graph` once and parents before children.
void require_order(const Cdag& graph, std::span<const Vertex> order);

}  // namespace cairn::model::pebble
