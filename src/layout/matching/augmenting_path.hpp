// One step towards the best matching: a member that waits is matched, or another gives up its place and its
// price falls to 0, along the cheapest alternating path (Dijkstra on price + price - worth, which is never
// negative).
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "layout/matching/priced_side.hpp"

namespace cairn::layout {

template <class Worth>
class AugmentingPath {
 public:
  // Paths from `side` over the edges of `side`. Keeps: prices feasible and >= 0, matched pairs tight.
  AugmentingPath(PricedSide<Worth>& side, PricedSide<Worth>& other)
      : side_(side),
        other_(other),
        distance_(at_index(other.count()), unreached),
        from_(at_index(other.count()), unmatched) {}

  // `start` is waiting, and is not afterwards. Nobody else begins to wait. Returns the number of edges looked
  // at.
  Index augment(int start) {
    looked_ = 0;
    shortest_ = unreached;
    visit(start, 0);
    for (int j = nearest(); j != unmatched; j = nearest())
      visit(other_.mate[at_index(j)], distance_[at_index(j)]);
    move_prices();
    flip();
    forget();
    return looked_;
  }

 private:
  static constexpr Index looks_per_push = 8;  // in time
  static constexpr Worth unreached = Worth{1} << (8 * sizeof(Worth) - 2);

  struct Visit {
    int member;
    Worth distance;
  };

  // The path may end here, with this member giving up, or go on along an edge.
  void visit(int i, Worth distance) {
    visited_.push_back({i, distance});
    const Worth base = distance + side_.price[at_index(i)];
    if (base < shortest_) end_at(base, i, unmatched);
    for (const auto& edge : side_.edges_of(i)) {
      const Worth reached = base + other_.price[at_index(edge.other)] - edge.worth;
      if (reached < shortest_ && reached < distance_[at_index(edge.other)])
        reach(edge.other, i, reached, distance);
    }
    looked_ += static_cast<Index>(side_.edges_of(i).size());
  }

  void reach(int j, int from, Worth distance, Worth visited_distance) {
    if (distance_[at_index(j)] == unreached) reached_.push_back(j);
    distance_[at_index(j)] = distance;
    from_[at_index(j)] = from;
    if (other_.mate[at_index(j)] == unmatched) return end_at(distance, from, j);
    if (distance == visited_distance) return level_.push_back(j);  // ties are many, and need no heap
    looked_ += looks_per_push;
    heap_.push_back({distance, j});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  void end_at(Worth distance, int member, int partner) {
    shortest_ = distance;
    last_member_ = member;
    last_partner_ = partner;
  }

  // The nearest member of the other side that was reached and not passed, if it is nearer than the end.
  int nearest() {
    if (!level_.empty() && distance_[at_index(level_.back())] < shortest_) return take_last(level_);
    level_.clear();
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const auto [distance, j] = take_last(heap_);
      if (distance >= shortest_) break;
      if (distance == distance_[at_index(j)]) return j;  // otherwise it was reached on a shorter way since
    }
    return unmatched;
  }

  template <class T>
  static T take_last(std::vector<T>& values) {
    const T last = values.back();
    values.pop_back();
    return last;
  }

  // Along the path all pairs become tight, and no edge from a visited member becomes infeasible.
  void move_prices() {
    for (const auto& [i, distance] : visited_) {
      side_.price[at_index(i)] -= shortest_ - distance;
      const int j = side_.mate[at_index(i)];
      if (j != unmatched) other_.price[at_index(j)] += shortest_ - distance;
    }
  }

  void flip() {
    int j = last_partner_ != unmatched ? last_partner_
                                       : std::exchange(side_.mate[at_index(last_member_)], unmatched);
    while (j != unmatched) {
      const int i = from_[at_index(j)];
      const int given_up = side_.mate[at_index(i)];
      match(side_, i, other_, j);
      j = given_up;
    }
  }

  void forget() {
    for (const int j : reached_) distance_[at_index(j)] = unreached;
    reached_.clear();
    visited_.clear();
    level_.clear();
    heap_.clear();
  }

  PricedSide<Worth>& side_;
  PricedSide<Worth>& other_;
  std::vector<Worth> distance_;  // of the members of the other side
  std::vector<int> from_;        // the member of this side that reached them
  std::vector<int> reached_;
  std::vector<Visit> visited_;
  std::vector<int> level_;                   // reached at the distance that is being visited
  std::vector<std::pair<Worth, int>> heap_;  // reached farther away
  Worth shortest_ = unreached;               // to the nearest end known
  int last_member_ = unmatched;
  int last_partner_ = unmatched;
  Index looked_ = 0;
};

}  // namespace cairn::layout
