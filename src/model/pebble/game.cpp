#include "model/pebble/game.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "model/pebble/uses.hpp"

namespace cairn::model::pebble {
namespace {

class Player {
 public:
  Player(const Cdag& graph, std::span<const Vertex> order, Index red, std::vector<Move>* moves)
      : graph_(graph), limit_(red), moves_(moves), uses_(graph, order) {
    red_.assign(static_cast<std::size_t>(graph.vertices()), 0);
    blue_.assign(red_.size(), 0);
    std::fill_n(blue_.begin(), graph.inputs(), std::uint8_t{1});
  }

  void compute(Vertex v) {
    const auto parents = graph_.parents(v);
    for (const Vertex u : parents)
      if (!red_[slot(u)]) load(u);
    make_room();
    place(MoveKind::compute, v);
    ++tally_.computes;
    for (const Vertex u : parents) {
      uses_.advance(u);
      settle(u);
    }
    settle(v);
  }

  const Tally& tally() const { return tally_; }

 private:
  static std::size_t slot(Vertex v) { return static_cast<std::size_t>(v); }

  void record(MoveKind kind, Vertex v) {
    if (moves_) moves_->push_back({kind, v});
  }

  void place(MoveKind kind, Vertex v) {
    record(kind, v);
    red_[slot(v)] = 1;
    tally_.peak_red = std::max(tally_.peak_red, ++held_);
  }

  void load(Vertex v) {
    make_room();
    place(MoveKind::load, v);
    ++tally_.loads;
    remember(v);
  }

  void store(Vertex v) {
    record(MoveKind::store, v);
    blue_[slot(v)] = 1;
    ++tally_.stores;
  }

  void drop(Vertex v) {
    record(MoveKind::drop, v);
    red_[slot(v)] = 0;
    --held_;
  }

  // Of two values that are needed at the same time, the one that slow memory already has goes first.
  void remember(Vertex v) { heap_.push({{uses_.next(v), blue_[slot(v)]}, v}); }

  // After a step: values without further use leave, the others wait for their next use.
  void settle(Vertex v) {
    if (uses_.next(v) != Uses::never) return remember(v);
    if (graph_.is_output(v) && !blue_[slot(v)]) store(v);
    drop(v);
  }

  // The operands of the present step are needed now, the least far away, so they are never taken.
  void make_room() {
    while (held_ >= limit_) {
      const auto [key, v] = heap_.top();
      heap_.pop();
      if (!red_[slot(v)] || key.first != uses_.next(v)) continue;  // moved on since this entry was made
      if (!blue_[slot(v)]) store(v);
      drop(v);
    }
  }

  const Cdag& graph_;
  Index limit_;
  Index held_ = 0;
  std::vector<Move>* moves_;
  Uses uses_;
  std::vector<std::uint8_t> red_, blue_;
  std::priority_queue<std::pair<std::pair<Index, std::uint8_t>, Vertex>> heap_;
  Tally tally_;
};

}  // namespace

Tally play(const Cdag& graph, std::span<const Vertex> order, Index red, std::vector<Move>* moves) {
  require(red > graph.max_parents(),
          "number of red pebbles is {}, expected {} or more: {} parents and their child", red,
          graph.max_parents() + 1, graph.max_parents());
  require_order(graph, order);
  Player player(graph, order, red, moves);
  for (const Vertex v : order) player.compute(v);
  return player.tally();
}

}  // namespace cairn::model::pebble
