#include "pebble/parallel.hpp"

#include <algorithm>
#include <limits>

#include "pebble/fast_memory.hpp"
#include "pebble/uses.hpp"

namespace cairn::pebble {
namespace {

class Players {
 public:
  Players(const Cdag& graph, std::span<const Vertex> order, const Assignment& assignment, Index red,
          std::vector<Move>* moves)
      : graph_(graph),
        order_(order),
        assignment_(assignment),
        limit_(red),
        moves_(moves),
        uses_(graph, order, assignment.owner),
        memory_(static_cast<std::size_t>(assignment.processors)),
        accounts_(memory_.size()),
        blue_(static_cast<std::size_t>(graph.vertices()), 0),
        copies_(blue_.size(), 0),
        readers_(blue_.size(), 0) {
    std::fill_n(blue_.begin(), graph.inputs(), std::uint8_t{1});
    for (const Vertex v : order)
      for (const Vertex u : graph.parents(v)) ++readers_[slot(u)];
  }

  void step(Index position) {
    const Vertex v = order_[static_cast<std::size_t>(position)];
    const std::size_t p = owner(v);
    const auto parents = graph_.parents(v);
    for (const Vertex u : parents)
      if (!memory_[p].holds(u)) fetch(p, u, position);
    make_room(p);
    place(p, MoveKind::compute, v, uses_.of_result(position));
    ++accounts_[p].computes;
    for (std::size_t e = 0; e < parents.size(); ++e) {
      --readers_[slot(parents[e])];
      settle(p, parents[e], uses_.of_parent(position, e));
    }
    settle(p, v, uses_.of_result(position));
  }

  std::vector<Account> accounts() && { return std::move(accounts_); }

 private:
  static std::size_t slot(Vertex v) { return static_cast<std::size_t>(v); }
  std::size_t owner(Vertex v) const {
    return slot(static_cast<Vertex>(assignment_.owner[slot(v) - slot(first_computed())]));
  }
  Vertex first_computed() const { return static_cast<Vertex>(graph_.inputs()); }

  void record(std::size_t p, MoveKind kind, Vertex v) {
    if (moves_) moves_->push_back({kind, v, static_cast<std::int32_t>(p)});
  }

  void place(std::size_t p, MoveKind kind, Vertex v, Index next_use) {
    record(p, kind, v);
    memory_[p].hold(v, next_use, blue_[slot(v)] != 0);
    ++copies_[slot(v)];
    accounts_[p].peak_red = std::max(accounts_[p].peak_red, memory_[p].size());
  }

  void fetch(std::size_t p, Vertex v, Index position) {
    make_room(p);
    if (!blue_[slot(v)]) ++accounts_[sender(v)].values_sent;
    ++(graph_.is_input(v) ? accounts_[p].inputs_received : accounts_[p].values_received);
    place(p, MoveKind::load, v, position);
  }

  // Who sends a value that is not blue: the one that computed it, or else the first that still has it.
  std::size_t sender(Vertex v) const {
    std::size_t p = owner(v);
    if (memory_[p].holds(v)) return p;
    for (p = 0; !memory_[p].holds(v);) ++p;
    return p;
  }

  void store(std::size_t p, Vertex v, Index& count) {
    record(p, MoveKind::store, v);
    blue_[slot(v)] = 1;
    ++count;
  }

  void drop(std::size_t p, Vertex v) {
    record(p, MoveKind::drop, v);
    memory_[p].drop(v);
    --copies_[slot(v)];
  }

  // After a step: what nobody reads again leaves; what only others read waits as the first to be evicted.
  void settle(std::size_t p, Vertex v, Index next_use) {
    if (readers_[slot(v)] > 0) return memory_[p].hold(v, next_use, blue_[slot(v)] != 0);
    if (graph_.is_output(v) && !blue_[slot(v)]) store(p, v, accounts_[p].outputs_stored);
    drop(p, v);
  }

  // The operands of the present step are needed now, the least far away, so they are never taken.
  void make_room(std::size_t p) {
    while (memory_[p].size() >= limit_) {
      const Vertex v = memory_[p].furthest();
      const bool last_copy = !blue_[slot(v)] && copies_[slot(v)] == 1;
      // The last copy of a value that is still needed, and not in slow memory yet: outputs were stored by settle.
      if (last_copy && readers_[slot(v)] > 0) store(p, v, accounts_[p].values_stored);
      drop(p, v);
    }
  }

  const Cdag& graph_;
  std::span<const Vertex> order_;
  const Assignment& assignment_;
  Index limit_;
  std::vector<Move>* moves_;
  NextUses uses_;
  std::vector<FastMemory> memory_;
  std::vector<Account> accounts_;
  std::vector<std::uint8_t> blue_;
  std::vector<Index> copies_, readers_;  // pebbles of any colour on a vertex; uses that are still to come
};

void require_assignment(const Cdag& graph, const Assignment& assignment) {
  require(assignment.processors >= 1, "number of processors is {}, expected 1 or more",
          assignment.processors);
  require(static_cast<Index>(assignment.owner.size()) == graph.computed(),
          "assignment has {} owners, expected one for each of the {} computed vertices",
          assignment.owner.size(), graph.computed());
  for (const Index p : assignment.owner)
    require(p >= 0 && p < assignment.processors, "owner is {}, expected 0 <= owner < {}", p,
            assignment.processors);
}

template <class Owner>
Assignment assign(const Problem& problem, Index processors, Owner owner) {
  Assignment assignment{processors, {}};
  for (const Coordinate& c : problem.coordinates) assignment.owner.push_back(owner(c));
  return assignment;
}

}  // namespace

Assignment brick_assignment(const Problem& problem, const std::array<Index, 3>& grid) {
  require(problem.kernel == Kernel::multiply, "bricks are for multiply, the problem is {}",
          to_string(problem.kernel));
  for (std::size_t d = 0; d < 3; ++d)
    require(grid[d] >= 1 && grid[d] <= problem.size[d], "grid extent is {}, expected 1 <= extent <= {}",
            grid[d], problem.size[d]);
  const auto& s = problem.size;
  return assign(problem, grid[0] * grid[1] * grid[2], [&](const Coordinate& c) {
    const Index x = c.i * grid[0] / s[0], y = c.j * grid[1] / s[1], z = c.k * grid[2] / s[2];
    return (x * grid[1] + y) * grid[2] + z;
  });
}

std::array<Index, 3> best_bricks(const Problem& multiply, Index processors) {
  const auto& s = multiply.size;
  std::array<Index, 3> best{};
  Index least = std::numeric_limits<Index>::max();
  const auto consider = [&](Index x, Index y, Index z) {
    if (y > s[1] || z > s[2]) return;
    const Index m = ceil_div(s[0], x), n = ceil_div(s[1], y), k = ceil_div(s[2], z);
    if (m * k + k * n + m * n >= least) return;
    least = m * k + k * n + m * n;
    best = {x, y, z};
  };
  for (Index x = 1; x <= std::min(s[0], processors); ++x)
    for (Index y = 1; processors % x == 0 && y <= processors / x; ++y)
      if (processors / x % y == 0) consider(x, y, processors / x / y);
  require(best[0] > 0, "ranks is {}, expected a product of three numbers of at most {}, {} and {}",
          processors, s[0], s[1], s[2]);
  return best;
}

Assignment cyclic_assignment(const Problem& problem, Index b, Index rows, Index columns) {
  require(b >= 1 && rows >= 1 && columns >= 1, "block, rows, columns are {}, {}, {}, expected 1 or more", b,
          rows, columns);
  return assign(problem, rows * columns,
                [&](const Coordinate& c) { return c.i / b % rows * columns + c.j / b % columns; });
}

std::vector<Account> play_parallel(const Cdag& graph, std::span<const Vertex> order,
                                   const Assignment& assignment, Index red, std::vector<Move>* moves) {
  require(red > graph.max_parents(),
          "number of red pebbles is {}, expected {} or more: {} parents and their child", red,
          graph.max_parents() + 1, graph.max_parents());
  require_assignment(graph, assignment);
  require_order(graph, order);
  Players players(graph, order, assignment, red, moves);
  for (Index x = 0; x < graph.computed(); ++x) players.step(x);
  return std::move(players).accounts();
}

}  // namespace cairn::pebble
