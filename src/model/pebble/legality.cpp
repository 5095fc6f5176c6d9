#include "model/pebble/legality.hpp"

#include <algorithm>
#include <set>

namespace cairn::model::pebble {
namespace {

// Sets instead of the player's flags and heap, so that the two share no idea that could be wrong in both.
class Board {
 public:
  Board(const Cdag& graph, Index limit) : graph_(graph), limit_(limit) {}

  // Empty if the move is legal; then it has been made.
  std::string apply(const Move& move) {
    const Vertex v = move.vertex;
    if (v < 0 || v >= graph_.vertices())
      return fmt::format("vertex is {}, expected 0 <= vertex < {}", v, graph_.vertices());
    switch (move.kind) {
      case MoveKind::load:
        if (!is_blue(v)) return fmt::format("load of {}: it has no blue pebble", graph_.name(v));
        return redden(v, "load", tally.loads);
      case MoveKind::store:
        if (!red_.contains(v)) return fmt::format("store of {}: it has no red pebble", graph_.name(v));
        ++tally.stores;
        blue_.insert(v);
        return {};
      case MoveKind::compute:
        return compute(v);
      case MoveKind::drop:
        if (red_.erase(v) == 0) return fmt::format("drop of {}: it has no red pebble", graph_.name(v));
        return {};
    }
    return "unknown kind of move";
  }

  std::string unfinished() const {
    for (Vertex v = 0; v < graph_.vertices(); ++v)
      if (graph_.is_output(v) && !is_blue(v))
        return fmt::format("output {} has no blue pebble at the end", graph_.name(v));
    return {};
  }

  Tally tally;

 private:
  bool is_blue(Vertex v) const { return graph_.is_input(v) || blue_.contains(v); }

  std::string compute(Vertex v) {
    if (graph_.is_input(v)) return fmt::format("compute of {}: it is an input", graph_.name(v));
    for (const Vertex u : graph_.parents(v))
      if (!red_.contains(u))
        return fmt::format("compute of {}: its parent {} has no red pebble", graph_.name(v), graph_.name(u));
    return redden(v, "compute", tally.computes);
  }

  std::string redden(Vertex v, std::string_view what, Index& count) {
    red_.insert(v);
    const auto held = static_cast<Index>(red_.size());
    if (held > limit_)
      return fmt::format("{} of {}: {} red pebbles, at most {} allowed", what, graph_.name(v), held, limit_);
    ++count;
    tally.peak_red = std::max(tally.peak_red, held);
    return {};
  }

  const Cdag& graph_;
  Index limit_;
  std::set<Vertex> red_, blue_;
};

}  // namespace

Verdict verify(const Cdag& graph, Index red, std::span<const Move> moves) {
  Board board(graph, red);
  for (std::size_t x = 0; x < moves.size(); ++x) {
    std::string reason = board.apply(moves[x]);
    if (!reason.empty()) return {false, static_cast<Index>(x), std::move(reason), board.tally};
  }
  std::string reason = board.unfinished();
  if (!reason.empty()) return {false, static_cast<Index>(moves.size()), std::move(reason), board.tally};
  return {true, -1, {}, board.tally};
}

}  // namespace cairn::model::pebble
