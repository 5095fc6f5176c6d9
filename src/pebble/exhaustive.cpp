#include "pebble/exhaustive.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace cairn::pebble {
namespace {

using Set = std::uint32_t;

Set only(Vertex v) { return Set{1} << v; }

// A state: who is red, who is blue (inputs always are).
struct State {
  Set red = 0, blue = 0;
  std::uint64_t key() const { return (std::uint64_t{red} << 32) | blue; }
  static State of(std::uint64_t key) { return {static_cast<Set>(key >> 32), static_cast<Set>(key)}; }
};

struct Mixed {
  std::size_t operator()(std::uint64_t x) const {
    x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15ull;
    return static_cast<std::size_t>(x ^ (x >> 29));
  }
};

struct Known {
  std::int32_t cost = 0;
  bool settled = false;
  std::uint64_t from = 0;
};

class Search {
 public:
  Search(const Cdag& graph, Index red, const SearchLimits& limits)
      : graph_(graph), red_(static_cast<int>(std::min<Index>(red, 32))), limits_(limits) {
    for (Vertex v = 0; v < graph.vertices(); ++v) {
      Set parents = 0;
      for (const Vertex u : graph.parents(v)) parents |= only(u);
      parents_.push_back(parents);
      if (graph.is_input(v)) inputs_ |= only(v);
      if (graph.is_output(v)) outputs_ |= only(v);
    }
  }

  Optimum run() {
    const State start{0, inputs_};
    relax(start, 0, start.key());
    for (std::size_t cost = 0;; ++cost) {  // buckets by cost so far + least cost to go
      require(cost < buckets_.size(), "no pebbling with {} red pebbles", red_);
      while (!buckets_[cost].empty()) {
        const std::uint64_t key = buckets_[cost].back();
        buckets_[cost].pop_back();
        Known& known = known_.at(key);
        if (known.settled) continue;
        known.settled = true;
        count_state();
        if (finished(State::of(key))) return answer(key, static_cast<Index>(cost));
        expand(State::of(key), known.cost);
      }
    }
  }

 private:
  // All outputs are somewhere; those that are only red are stored at the end, which `to_go` has counted.
  bool finished(const State& s) const { return (outputs_ & ~(s.red | s.blue)) == 0; }

  // Every output that is not blue costs a store. A value that is nowhere and is needed must be computed, so
  // its parents are needed; an input that is needed and not red costs a load. No move lowers the sum by more
  // than it costs, so the first time that a state is settled its cost is the least.
  int to_go(const State& s) const {
    Set todo = outputs_ & ~(s.red | s.blue), seen = todo, loads = 0;
    while (todo != 0) {
      const Set missing = parents_[static_cast<std::size_t>(std::countr_zero(todo))] & ~s.red;
      todo &= todo - 1;
      loads |= missing & inputs_;
      const Set more = missing & ~s.blue & ~seen;
      seen |= more;
      todo |= more;
    }
    return std::popcount(loads) + std::popcount(outputs_ & ~s.blue);
  }

  void relax(const State& s, int cost, std::uint64_t from) {
    const auto [place, fresh] = known_.try_emplace(s.key(), Known{cost, false, from});
    Known& known = place->second;
    if (!fresh && (known.settled || known.cost <= cost)) return;
    known = {cost, false, from};
    const int least = cost + to_go(s);
    const auto bucket = static_cast<std::size_t>(least);
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back(s.key());
  }

  void count_state() {
    ++settled_;
    require<MemoryError>(settled_ <= limits_.states, "the search looked at {} states, the limit is {}",
                         settled_, limits_.states);
  }

  void expand(const State& s, int cost) {
    for (Vertex v = 0; v < graph_.vertices(); ++v) {
      if (s.red & only(v)) continue;
      if (s.blue & only(v)) put(s, v, 0, cost + 1);
      const Set parents = parents_[static_cast<std::size_t>(v)];
      if (!graph_.is_input(v) && (parents & ~s.red) == 0) put(s, v, parents, cost);
    }
  }

  // A red pebble on `v`; if none is free, one that `keep` does not need is taken, with or without a store.
  void put(const State& s, Vertex v, Set keep, int cost) {
    if (std::popcount(s.red) < red_) return relax({s.red | only(v), s.blue}, cost, s.key());
    for (Set rest = s.red & ~keep; rest != 0; rest &= rest - 1) {
      const Set gone = rest & (~rest + 1);
      relax({(s.red & ~gone) | only(v), s.blue}, cost, s.key());
      if ((s.blue & gone) == 0) relax({(s.red & ~gone) | only(v), s.blue | gone}, cost + 1, s.key());
    }
  }

  Optimum answer(std::uint64_t key, Index cost) const {
    std::vector<std::uint64_t> path{key};
    while (known_.at(path.back()).from != path.back()) path.push_back(known_.at(path.back()).from);
    std::reverse(path.begin(), path.end());
    Optimum optimum{cost, settled_, {}};
    for (std::size_t x = 1; x < path.size(); ++x)
      append_moves(State::of(path[x - 1]), State::of(path[x]), optimum.moves);
    const State last = State::of(key);
    for_each(outputs_ & ~last.blue, [&](Vertex v) { optimum.moves.push_back({MoveKind::store, v}); });
    return optimum;
  }

  // Loading is free to be told from computing: a vertex that could be computed is never loaded at a cost.
  void append_moves(const State& from, const State& to, std::vector<Move>& moves) const {
    for_each(to.blue & ~from.blue, [&](Vertex v) { moves.push_back({MoveKind::store, v}); });
    for_each(from.red & ~to.red, [&](Vertex v) { moves.push_back({MoveKind::drop, v}); });
    for_each(to.red & ~from.red, [&](Vertex v) {
      const Set parents = parents_[static_cast<std::size_t>(v)];
      const bool computed = !graph_.is_input(v) && (parents & ~(from.red & to.red)) == 0;
      moves.push_back({computed ? MoveKind::compute : MoveKind::load, v});
    });
  }

  template <class Visit>
  static void for_each(Set set, Visit visit) {
    for (; set != 0; set &= set - 1) visit(static_cast<Vertex>(std::countr_zero(set)));
  }

  const Cdag& graph_;
  int red_;
  SearchLimits limits_;
  Set inputs_ = 0, outputs_ = 0;
  std::vector<Set> parents_;
  std::unordered_map<std::uint64_t, Known, Mixed> known_;
  std::vector<std::vector<std::uint64_t>> buckets_;
  Index settled_ = 0;
};

}  // namespace

Optimum optimal_pebbling(const Cdag& graph, Index red, const SearchLimits& limits) {
  require(graph.vertices() <= 32, "cDAG has {} vertices, an exhaustive search takes at most 32",
          graph.vertices());
  require(red > graph.max_parents(),
          "number of red pebbles is {}, expected {} or more: {} parents and their child", red,
          graph.max_parents() + 1, graph.max_parents());
  return Search(graph, red, limits).run();
}

}  // namespace cairn::pebble
