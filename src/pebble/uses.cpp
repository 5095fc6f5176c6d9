#include "pebble/uses.hpp"

#include <cstdint>
#include <unordered_map>
#include <utility>

namespace cairn::pebble {
namespace {

// The next use of a value by a processor, while the order is walked backwards.
class Upcoming {
 public:
  explicit Upcoming(Index vertices) : vertices_(vertices) {}
  Index& operator()(Vertex v, Index processor) {
    return next_.try_emplace(processor * vertices_ + v, NextUses::never).first->second;
  }

 private:
  Index vertices_;
  std::unordered_map<Index, Index> next_;
};

}  // namespace

NextUses::NextUses(const Cdag& graph, std::span<const Vertex> order, std::span<const Index> owner)
    : first_{0}, of_result_(order.size(), never) {
  for (const Vertex v : order) first_.push_back(first_.back() + graph.parents(v).size());
  of_parent_.resize(first_.back());
  Upcoming upcoming(graph.vertices());
  for (std::size_t x = order.size(); x-- > 0;) {
    const Vertex v = order[x];
    const Index processor = owner[static_cast<std::size_t>(v - graph.inputs())];
    of_result_[x] = upcoming(v, processor);
    const auto parents = graph.parents(v);
    for (std::size_t e = 0; e < parents.size(); ++e)
      of_parent_[first_[x] + e] = std::exchange(upcoming(parents[e], processor), static_cast<Index>(x));
  }
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

}  // namespace cairn::pebble
