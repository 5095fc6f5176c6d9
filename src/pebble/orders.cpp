#include "pebble/orders.hpp"

#include <algorithm>
#include <charconv>
#include <queue>
#include <random>
#include <utility>

#include "bounds/sequential.hpp"

namespace cairn::pebble {
namespace {

namespace sequential = bounds::sequential;

std::size_t slot(Vertex v) { return static_cast<std::size_t>(v); }

// Who waits for whom: children in compressed form, and how many computed parents each vertex still waits for.
class Readiness {
 public:
  explicit Readiness(const Cdag& graph) : waiting_(slot(static_cast<Vertex>(graph.vertices())), 0) {
    first_child_.assign(waiting_.size() + 1, 0);
    for_each_edge(graph, [&](Vertex u, Vertex v) {
      ++first_child_[slot(u) + 1];
      ++waiting_[slot(v)];
    });
    for (std::size_t x = 1; x < first_child_.size(); ++x) first_child_[x] += first_child_[x - 1];
    child_.resize(first_child_.back());
    std::vector<std::size_t> next(first_child_.begin(), first_child_.end() - 1);
    for_each_edge(graph, [&](Vertex u, Vertex v) { child_[next[slot(u)]++] = v; });
  }
  bool ready(Vertex v) const { return waiting_[slot(v)] == 0; }

  // `found(child)` for each vertex that becomes ready because `v` is done.
  template <class Found>
  void done(Vertex v, Found found) {
    for (std::size_t x = first_child_[slot(v)]; x < first_child_[slot(v) + 1]; ++x)
      if (--waiting_[slot(child_[x])] == 0) found(child_[x]);
  }

 private:
  template <class Visit>
  static void for_each_edge(const Cdag& graph, Visit visit) {
    for (Vertex v = static_cast<Vertex>(graph.inputs()); v < graph.vertices(); ++v)
      for (const Vertex u : graph.parents(v))
        if (!graph.is_input(u)) visit(u, v);
  }
  std::vector<Index> waiting_;
  std::vector<std::size_t> first_child_;
  std::vector<Vertex> child_;
};

std::array<int, 3> parse_loops(std::string_view loops) {
  std::string sorted(loops);
  std::sort(sorted.begin(), sorted.end());
  require(sorted == "ijk", "loop order is '{}', expected a permutation of 'ijk'", loops);
  return {loops[0] - 'i', loops[1] - 'i', loops[2] - 'i'};
}

std::array<Index, 3> as_array(const Coordinate& c) { return {c.i, c.j, c.k}; }

void require_kernel(const Problem& problem, bool multiply, std::string_view order) {
  require((problem.kernel == Kernel::multiply) == multiply, "order {} is for {}, the problem is {}", order,
          multiply ? "multiply" : "LU, Cholesky or syrk", to_string(problem.kernel));
}

void require_pebbles(Index red) {
  require(red >= 4, "number of red pebbles is {}, expected 4 or more (three parents and their child)", red);
}

Index parse_number(std::string_view text, std::string_view name) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && end == text.data() + text.size(),
          "order is '{}', expected a number after ':'", name);
  return value;
}

// Rows of A that stay red beside a column of B, the running sum and its next version.
Index stationary_rows(const Problem& problem, Index red) {
  const Index k = problem.size[2];
  return std::clamp<Index>((red - k - 2) / k, 1, problem.size[0]);
}

Order numbered_order(const Problem& problem, std::string_view name, Index red) {
  const auto colon = name.find(':');
  const std::string_view kind = name.substr(0, colon);
  const bool given = colon != std::string_view::npos;
  const Index number = given ? parse_number(name.substr(colon + 1), name) : 0;
  if (kind == "random") return random_order(problem.graph, static_cast<std::uint64_t>(number));
  const Index b = given ? number : listing1_tile(red).rows;
  if (kind == "blocked" && problem.kernel == Kernel::multiply)
    return tiled_order(problem, {.tile = {b, b, b}, .outer = "ijk", .inner = "ijk"});
  if (kind == "blocked") return blocked_factor_order(problem, b);
  fail(
      "order is '{}', expected ijk (or another permutation), listing1, best-tile, fitted-tile, stationary-a, "
      "blocked[:B] "
      "or random[:SEED]",
      name);
}

}  // namespace

Order order_by_key(const Problem& problem, const std::function<Key(const Coordinate&)>& key) {
  using Entry = std::pair<Key, Vertex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  const Cdag& graph = problem.graph;
  Readiness readiness(graph);
  const auto push = [&](Vertex v) { heap.push({key(problem.coordinate(v)), v}); };
  for (Vertex v = static_cast<Vertex>(graph.inputs()); v < graph.vertices(); ++v)
    if (readiness.ready(v)) push(v);
  Order order;
  order.reserve(static_cast<std::size_t>(graph.computed()));
  while (!heap.empty()) {
    order.push_back(heap.top().second);
    heap.pop();
    readiness.done(order.back(), push);
  }
  return order;
}

Order loop_order(const Problem& problem, std::string_view loops) {
  return tiled_order(problem, {.tile = {1, 1, 1}, .outer = std::string(loops), .inner = "ijk"});
}

Order tiled_order(const Problem& problem, const Tiling& tiling) {
  const auto outer = parse_loops(tiling.outer), inner = parse_loops(tiling.inner);
  for (const Index extent : tiling.tile)
    require(extent >= 1, "tile extent is {}, expected 1 or more", extent);
  return order_by_key(problem, [&](const Coordinate& c) {
    const auto x = as_array(c);
    Key key{};
    for (std::size_t d = 0; d < 3; ++d) {
      const auto o = static_cast<std::size_t>(outer[d]), n = static_cast<std::size_t>(inner[d]);
      key[d] = x[o] / tiling.tile[o];
      key[d + 3] = x[n];
    }
    return key;
  });
}

Tile listing1_tile(Index red) {
  require_pebbles(red);
  const Index a = sequential::listing1_tile(red);
  return {a, a};
}

Tile best_tile(Index red) {
  require_pebbles(red);
  Tile best{1, 1};
  for (Index a = 1; a * a + a + 2 <= red; ++a) {
    const Index b = (red - 2) / a - 1;
    if (a * b * (best.rows + best.columns) > best.rows * best.columns * (a + b)) best = {a, b};
  }
  return best;
}

// For a number of rows the most columns are best, so one loop over the rows sees every candidate; then the
// tile is shrunk to what that many tiles need, which leaves pebbles over.
Tile fitted_tile(Index red, Index m, Index n) {
  require_pebbles(red);
  require(m >= 1 && n >= 1, "m, n are {}, {}, expected 1 or more", m, n);
  Tile best{1, 1};
  const auto loads = [&](const Tile& t) { return ceil_div(n, t.columns) * m + ceil_div(m, t.rows) * n; };
  for (Index a = 1; a <= std::min(m, red - 3); ++a) {
    // a <= b: ab + a + 2 <= S. a >= b: ab + b + 2 <= S.
    const Index longer = (red - 2) / a - 1, shorter = std::min(a, (red - 2) / (a + 1));
    const Index b = std::clamp<Index>(std::max(longer, shorter), 1, n);
    const Tile tile{ceil_div(m, ceil_div(m, a)), ceil_div(n, ceil_div(n, b))};
    if (loads(tile) < loads(best)) best = tile;
  }
  return best;
}

Order listing1_order(const Problem& multiply, Tile tile) {
  require_kernel(multiply, true, "listing1");
  // Within an outer product the shorter vector stays red and the elements of the other come one by one.
  const char* inner = tile.rows <= tile.columns ? "kji" : "kij";
  return tiled_order(multiply, {.tile = {tile.rows, tile.columns, 1}, .outer = "ijk", .inner = inner});
}

Order stationary_a_order(const Problem& multiply, Index rows) {
  require_kernel(multiply, true, "stationary-a");
  return tiled_order(multiply, {.tile = {rows, 1, multiply.size[2]}, .outer = "ijk", .inner = "jik"});
}

Order blocked_factor_order(const Problem& factorization, Index b) {
  require_kernel(factorization, false, "blocked");
  require(b >= 1, "block size is {}, expected 1 or more", b);
  return order_by_key(factorization, [b](const Coordinate& c) {
    const Index row = c.i / b, column = c.j / b;
    return Key{std::min(row, column), row, column, c.k, c.i, c.j};
  });
}

Order random_order(const Cdag& graph, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Readiness readiness(graph);
  Order ready, order;
  for (Vertex v = static_cast<Vertex>(graph.inputs()); v < graph.vertices(); ++v)
    if (readiness.ready(v)) ready.push_back(v);
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    order.push_back(ready.back());
    ready.pop_back();
    readiness.done(order.back(), [&](Vertex v) { ready.push_back(v); });
  }
  return order;
}

Order named_order(const Problem& problem, std::string_view name, Index red) {
  if (name.size() == 3) return loop_order(problem, name);
  if (name == "listing1") return listing1_order(problem, listing1_tile(red));
  if (name == "best-tile") return listing1_order(problem, best_tile(red));
  if (name == "fitted-tile" && problem.kernel == Kernel::multiply)
    return listing1_order(problem, fitted_tile(red, problem.size[0], problem.size[1]));
  if (name == "stationary-a") return stationary_a_order(problem, stationary_rows(problem, red));
  return numbered_order(problem, name, red);
}

}  // namespace cairn::pebble
