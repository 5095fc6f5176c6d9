#include "model/pebble/uses.hpp"

#include <cstdint>

namespace cairn::model::pebble {

template <class Counts>
void Uses::fill(const Cdag& graph, std::span<const Vertex> order, Counts counts) {
  first_.assign(static_cast<std::size_t>(graph.vertices()) + 1, 0);
  const auto visit = [&](auto&& use) {
    for (std::size_t x = 0; x < order.size(); ++x)
      if (counts(order[x]))
        for (const Vertex u : graph.parents(order[x]))
          use(static_cast<std::size_t>(u), static_cast<Index>(x));
  };
  visit([&](std::size_t u, Index) { ++first_[u + 1]; });
  for (std::size_t x = 1; x < first_.size(); ++x) first_[x] += first_[x - 1];
  position_.resize(first_.back());
  cursor_.assign(first_.begin(), first_.end() - 1);
  visit([&](std::size_t u, Index x) { position_[cursor_[u]++] = x; });
  cursor_.assign(first_.begin(), first_.end() - 1);
}

Uses::Uses(const Cdag& graph, std::span<const Vertex> order) {
  fill(graph, order, [](Vertex) { return true; });
}

Uses::Uses(const Cdag& graph, std::span<const Vertex> order, std::span<const Index> owner, Index processor) {
  fill(graph, order,
       [&](Vertex v) { return owner[static_cast<std::size_t>(v - graph.inputs())] == processor; });
}

// Names are made only when something is wrong: they cost more than all the checks.
void require_order(const Cdag& graph, std::span<const Vertex> order) {
  require(static_cast<Index>(order.size()) == graph.computed(),
          "order has {} vertices, expected the {} computed vertices of the cDAG", order.size(),
          graph.computed());
  std::vector<std::uint8_t> done(static_cast<std::size_t>(graph.vertices()), 0);
  for (const Vertex v : order) {
    require(v >= graph.inputs() && v < graph.vertices(), "order has vertex {}, expected {} <= vertex < {}", v,
            graph.inputs(), graph.vertices());
    if (done[static_cast<std::size_t>(v)]) fail("order computes {} twice", graph.name(v));
    for (const Vertex u : graph.parents(v))
      if (!graph.is_input(u) && !done[static_cast<std::size_t>(u)])
        fail("order computes {} before its parent {}", graph.name(v), graph.name(u));
    done[static_cast<std::size_t>(v)] = 1;
  }
}

}  // namespace cairn::model::pebble
