// The red pebbles of one processor.
#pragma once

#include <cstdint>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pebble/uses.hpp"

namespace cairn::pebble {

class FastMemory {
 public:
  bool holds(Vertex v) const { return next_use_.contains(v); }
  Index size() const { return static_cast<Index>(next_use_.size()); }

  // Puts a pebble on `v`, or notes its new next use. Of two values that are needed at the same time, the one
  // that slow memory already has (`blue`) is the first to go.
  void hold(Vertex v, Index next_use, bool blue) {
    next_use_[v] = next_use;
    heap_.push({next_use, blue, v});
  }

  void drop(Vertex v) { next_use_.erase(v); }

  // The value whose next use is furthest away; there must be one. Entries of the heap that are out of date
  // go.
  Vertex furthest() {
    while (true) {
      const Entry& top = heap_.top();
      const auto place = next_use_.find(top.vertex);
      if (place != next_use_.end() && place->second == top.next_use) return top.vertex;
      heap_.pop();
    }
  }

 private:
  struct Entry {
    Index next_use;
    bool blue;
    Vertex vertex;
    bool operator<(const Entry& x) const {
      return std::tie(next_use, blue, vertex) < std::tie(x.next_use, x.blue, x.vertex);
    }
  };
  std::unordered_map<Vertex, Index> next_use_;
  std::priority_queue<Entry> heap_;
};

}  // namespace cairn::pebble
