// One side of a matching with prices: the positions, or the ranks. Everything that is done to a matching is
// the same seen from either side, so it is written once, for a side and the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "base/size.hpp"

namespace cairn::layout {

constexpr int unmatched = -1;

template <class Worth>
struct PricedSide {
  struct Edge {
    int other;
    Worth worth;
  };

  explicit PricedSide(int count)
      : first(at_index(count) + 1), price(at_index(count)), mate(at_index(count), unmatched) {}

  int count() const { return static_cast<int>(mate.size()); }
  std::span<const Edge> edges_of(int i) const {
    return std::span(edges).subspan(first[at_index(i)], first[at_index(i) + 1] - first[at_index(i)]);
  }
  // Unmatched though it has a price: what keeps a matching from being the best.
  bool is_waiting(int i) const { return mate[at_index(i)] == unmatched && price[at_index(i)] > 0; }

  std::vector<std::size_t> first;  // edge of each member, and one past the end
  std::vector<Edge> edges;
  std::vector<Worth> price;
  std::vector<int> mate;  // on the other side
};

template <class Worth>
void match(PricedSide<Worth>& side, int i, PricedSide<Worth>& other, int j) {
  side.mate[at_index(i)] = j;
  other.mate[at_index(j)] = i;
}

template <class Worth>
void unmatch_all(PricedSide<Worth>& side) {
  std::fill(side.mate.begin(), side.mate.end(), unmatched);
}

// Gives `to` the edges of `from`, seen from the other end.
template <class Worth>
void mirror_edges(const PricedSide<Worth>& from, PricedSide<Worth>& to) {
  std::vector<std::size_t> next(to.first.size());
  for (const auto& edge : from.edges) ++next[at_index(edge.other)];
  std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
  to.first = next;
  to.edges.resize(from.edges.size());
  for (int i = 0; i < from.count(); ++i)
    for (const auto& edge : from.edges_of(i)) to.edges[next[at_index(edge.other)]++] = {i, edge.worth};
}

}  // namespace cairn::layout
