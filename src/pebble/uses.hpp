// When a processor reads each value next, for a given order: what furthest-next-use eviction asks for.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "pebble/cdag.hpp"

namespace cairn::pebble {

class NextUses {
 public:
  static constexpr Index never = std::numeric_limits<Index>::max();

  // `order` has passed require_order; `owner` has the processor of each computed vertex. O(edges).
  NextUses(const Cdag& graph, std::span<const Vertex> order, std::span<const Index> owner);

  // The position at which the processor that computes order[position] reads the result first.
  Index of_result(Index position) const { return of_result_[static_cast<std::size_t>(position)]; }
  // The position at which the same processor reads parent number `parent` of order[position] next.
  Index of_parent(Index position, std::size_t parent) const {
    return of_parent_[first_[static_cast<std::size_t>(position)] + parent];
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Index> of_result_, of_parent_;
};

// Throws unless `order` has each computed vertex of `graph` once and parents before children.
void require_order(const Cdag& graph, std::span<const Vertex> order);

}  // namespace cairn::pebble
