#include "pebble/report.hpp"

#include <algorithm>

#include "pebble/bounds.hpp"
#include "pebble/exhaustive.hpp"
#include "pebble/legality.hpp"
#include "pebble/orders.hpp"

namespace cairn::pebble {
namespace {

std::string size_text(Kernel kernel, const std::array<Index, 3>& size) {
  std::string text = fmt::format("n = {}", size[1]);
  if (kernel == Kernel::multiply) text = fmt::format("m = {}, ", size[0]) + text;
  if (kernel == Kernel::multiply || kernel == Kernel::syrk) text += fmt::format(", k = {}", size[2]);
  return text;
}

// The two factors of `ranks` that are nearest to each other, the smaller one first.
std::vector<Index> near_square(Index ranks) {
  Index rows = 1;
  for (Index x = 1; x * x <= ranks; ++x)
    if (ranks % x == 0) rows = x;
  return {rows, ranks / rows};
}

std::vector<Index> grid_of(const Problem& problem, Index ranks, const Deal& deal) {
  const bool bricks = problem.kernel == Kernel::multiply;
  if (deal.grid.empty() && !bricks) return near_square(ranks);
  if (deal.grid.empty()) {
    const auto best = best_bricks(problem, ranks);
    return {best.begin(), best.end()};
  }
  require(deal.grid.size() == (bricks ? 3u : 2u), "grid is {}, expected {} extents for {}",
          fmt::join(deal.grid, "x"), bricks ? 3 : 2, to_string(problem.kernel));
  Index product = 1;
  for (const Index extent : deal.grid)
    product = checked_mul(product, extent, "product of the grid's extents");
  require(product == ranks, "grid is {}, expected extents whose product is {}", fmt::join(deal.grid, "x"),
          ranks);
  return deal.grid;
}

// A game that costs least among all, those that compute a value again included.
Tally play_optimal(const Cdag& graph, Index red, std::vector<Move>* moves) {
  const Optimum optimum = optimal_pebbling(graph, red);
  if (moves) *moves = optimum.moves;
  return verify(graph, red, optimum.moves).tally;
}

}  // namespace

Report play_named(const Problem& problem, std::string_view order, Index red, std::vector<Move>* moves) {
  return {.kernel = problem.kernel,
          .size = problem.size,
          .order = std::string(order),
          .red = red,
          .vertices = problem.graph.vertices(),
          .tally = order == "optimal" ? play_optimal(problem.graph, red, moves)
                                      : play(problem.graph, named_order(problem, order, red), red, moves),
          .finite_bound = finite_bound(problem, red),
          .paper_bound = paper_bound(problem, red)};
}

std::string to_text(const Report& r) {
  return fmt::format(
      "{} {}, {} vertices, {} red pebbles, order {}\n"
      "  loads   {:>12}\n"
      "  stores  {:>12}\n"
      "  moved   {:>12}\n"
      "  bound   {:>12.1f}   moved / bound {:.4f}\n"
      "  paper   {:>12.1f}   moved / paper {:.4f}\n",
      to_string(r.kernel), size_text(r.kernel, r.size), r.vertices, r.red, r.order, r.tally.loads,
      r.tally.stores, r.tally.cost(), r.finite_bound, r.ratio(), r.paper_bound, r.paper_ratio());
}

Index ParallelReport::busiest() const {
  Index most = 0;
  for (const Account& account : accounts) most = std::max(most, account.words());
  return most;
}

double ParallelReport::mean() const {
  Index sum = 0;
  for (const Account& account : accounts) sum += account.words();
  return static_cast<double>(sum) / static_cast<double>(accounts.size());
}

ParallelReport play_named(const Problem& problem, std::string_view order, Index red, Index ranks,
                          const Deal& deal) {
  const std::vector<Index> grid = grid_of(problem, ranks, deal);
  const Assignment assignment = problem.kernel == Kernel::multiply
                                    ? brick_assignment(problem, {grid[0], grid[1], grid[2]})
                                    : cyclic_assignment(problem, deal.block, grid[0], grid[1]);
  return {.kernel = problem.kernel,
          .size = problem.size,
          .order = std::string(order),
          .grid = fmt::format("{}", fmt::join(grid, "x")),
          .red = red,
          .vertices = problem.graph.vertices(),
          .accounts = play_parallel(problem.graph, named_order(problem, order, red), assignment, red),
          .finite_bound = busiest_bound(problem, ranks, red),
          .paper_bound = paper_bound(problem, red, ranks)};
}

std::string to_text(const ParallelReport& r) {
  return fmt::format(
      "{} {}, {} vertices, {} ranks as {} with {} red pebbles each, order {}\n"
      "  busiest {:>12}\n"
      "  mean    {:>12.1f}\n"
      "  bound   {:>12.1f}   busiest / bound {:.4f}\n"
      "  paper   {:>12.1f}   busiest / paper {:.4f}\n",
      to_string(r.kernel), size_text(r.kernel, r.size), r.vertices, r.accounts.size(), r.grid, r.red, r.order,
      r.busiest(), r.mean(), r.finite_bound, r.ratio(), r.paper_bound, r.paper_ratio());
}

}  // namespace cairn::pebble
