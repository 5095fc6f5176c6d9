#include "pebble/legality.hpp"

#include <algorithm>
#include <set>

namespace cairn::pebble {
namespace {

// Sets instead of the player's flags and heap, so that the two share no idea that could be wrong in both.
class Board {
 public:
  Board(const Cdag& graph, Index limit, Index processors)
      : graph_(graph), limit_(limit), red_(static_cast<std::size_t>(processors)) {}

  // Empty if the move is legal; then it has been made.
  std::string apply(const Move& move) {
    const Vertex v = move.vertex;
    if (v < 0 || v >= graph_.vertices())
      return fmt::format("vertex is {}, expected 0 <= vertex < {}", v, graph_.vertices());
    const auto p = static_cast<std::size_t>(move.processor);
    if (move.processor < 0 || p >= red_.size())
      return fmt::format("processor is {}, expected 0 <= processor < {}", move.processor, red_.size());
    switch (move.kind) {
      case MoveKind::load:
        return load(p, v);
      case MoveKind::store:
        return store(p, v);
      case MoveKind::compute:
        return compute(p, v);
      case MoveKind::drop:
        return red_[p].erase(v) == 1 ? "" : no_pebble("drop", v);
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

  std::string no_pebble(std::string_view what, Vertex v) const {
    return fmt::format("{} of {}: it has no red pebble", what, graph_.name(v));
  }

  std::string load(std::size_t p, Vertex v) {
    const bool elsewhere =
        std::any_of(red_.begin(), red_.end(), [&](const auto& r) { return r.contains(v); });
    if (!is_blue(v) && (!elsewhere || red_[p].contains(v)))
      return fmt::format("load of {}: it has no blue pebble{}", graph_.name(v),
                         red_.size() > 1 ? " and none of another colour" : "");
    return redden(p, v, "load", tally.loads);
  }

  std::string store(std::size_t p, Vertex v) {
    if (!red_[p].contains(v)) return no_pebble("store", v);
    ++tally.stores;
    blue_.insert(v);
    return {};
  }

  std::string compute(std::size_t p, Vertex v) {
    if (graph_.is_input(v)) return fmt::format("compute of {}: it is an input", graph_.name(v));
    for (const Vertex u : graph_.parents(v))
      if (!red_[p].contains(u))
        return fmt::format("compute of {}: its parent {} has no red pebble", graph_.name(v), graph_.name(u));
    return redden(p, v, "compute", tally.computes);
  }

  std::string redden(std::size_t p, Vertex v, std::string_view what, Index& count) {
    red_[p].insert(v);
    const auto held = static_cast<Index>(red_[p].size());
    if (held > limit_)
      return fmt::format("{} of {}: {} red pebbles, at most {} allowed", what, graph_.name(v), held, limit_);
    ++count;
    tally.peak_red = std::max(tally.peak_red, held);
    return {};
  }

  const Cdag& graph_;
  Index limit_;
  std::vector<std::set<Vertex>> red_;  // one set a colour
  std::set<Vertex> blue_;
};

}  // namespace

Verdict verify(const Cdag& graph, Index red, std::span<const Move> moves, Index processors) {
  require(processors >= 1, "number of processors is {}, expected 1 or more", processors);
  Board board(graph, red, processors);
  for (std::size_t x = 0; x < moves.size(); ++x) {
    std::string reason = board.apply(moves[x]);
    if (!reason.empty()) return {false, static_cast<Index>(x), std::move(reason), board.tally};
  }
  std::string reason = board.unfinished();
  if (!reason.empty()) return {false, static_cast<Index>(moves.size()), std::move(reason), board.tally};
  return {true, -1, {}, board.tally};
}

}  // namespace cairn::pebble
