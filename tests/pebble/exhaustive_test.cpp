#include "pebble/exhaustive.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <map>
#include <random>
#include <utility>

#include "bounds/sequential.hpp"
#include "pebble/bounds.hpp"
#include "pebble/legality.hpp"
#include "pebble/orders.hpp"

namespace cairn::pebble {
namespace {

namespace sequential = bounds::sequential;

// All single moves, no shortcuts: loads and stores cost 1, the rest 0.
Index least_cost_by_single_moves(const Cdag& graph, Index red) {
  using State = std::pair<unsigned, unsigned>;  // red, blue
  unsigned outputs = 0;
  std::vector<unsigned> parents;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    parents.push_back(0);
    for (const Vertex u : graph.parents(v)) parents.back() |= 1u << u;
    if (graph.is_output(v)) outputs |= 1u << v;
  }
  std::map<State, Index> done;
  std::deque<std::pair<State, Index>> queue{{{0u, (1u << graph.inputs()) - 1}, 0}};
  while (!queue.empty()) {
    const auto [state, cost] = queue.front();
    queue.pop_front();
    if (!done.try_emplace(state, cost).second) continue;
    const auto [r, b] = state;
    if ((outputs & ~b) == 0) return cost;
    for (Vertex v = 0; v < graph.vertices(); ++v) {
      const unsigned bit = 1u << v;
      const bool room = std::popcount(r | bit) <= red;
      if (r & bit) queue.push_front({{r & ~bit, b}, cost});
      if ((b & bit) && room) queue.push_back({{r | bit, b}, cost + 1});
      if (r & bit) queue.push_back({{r, b | bit}, cost + 1});
      if (!graph.is_input(v) && (parents[static_cast<std::size_t>(v)] & ~r) == 0 && room)
        queue.push_front({{r | bit, b}, cost});
    }
  }
  return -1;
}

// A graph of 4 inputs and 5 computed vertices with one to three parents each.
Cdag random_graph(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Cdag graph(4);
  for (int x = 0; x < 5; ++x) {
    const auto parent = [&] {
      return static_cast<Vertex>(random() % static_cast<std::uint64_t>(graph.vertices()));
    };
    const Vertex a = parent(), b = parent(), c = parent();
    graph.add({a, b, c});
    if (random() % 2 == 0) graph.mark_output(static_cast<Vertex>(graph.vertices() - 1));
  }
  graph.mark_output(static_cast<Vertex>(graph.vertices() - 1));
  return graph;
}

TEST(Exhaustive, AgreesWithASearchOverSingleMoves) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const Cdag graph = random_graph(seed);
    for (Index red = graph.max_parents() + 1; red <= 6; ++red)
      EXPECT_EQ(optimal_pebbling(graph, red).cost, least_cost_by_single_moves(graph, red))
          << seed << " " << red;
  }
}

TEST(Exhaustive, ItsGameIsLegalAndCostsWhatItSays) {
  for (const Problem& problem : {multiply_problem(2, 2, 2), lu_problem(3), cholesky_problem(3)})
    for (Index red = 4; red <= 8; ++red) {
      const Optimum optimum = optimal_pebbling(problem.graph, red);
      const Verdict verdict = verify(problem.graph, red, optimum.moves);
      EXPECT_TRUE(verdict.legal) << verdict.reason;
      EXPECT_EQ(verdict.tally.cost(), optimum.cost);
    }
}

// bound <= optimum <= every schedule.
TEST(Exhaustive, LiesBetweenTheBoundAndEverySchedule) {
  const Problem problems[] = {multiply_problem(2, 2, 2),
                              multiply_problem(3, 3, 1),
                              multiply_problem(1, 2, 4),
                              multiply_problem(2, 2, 2, true),
                              lu_problem(3),
                              cholesky_problem(3),
                              syrk_problem(3, 2)};
  for (const Problem& problem : problems)
    for (Index red = problem.graph.max_parents() + 1; red <= 9; ++red) {
      const Index least = optimal_pebbling(problem.graph, red).cost;
      EXPECT_GE(static_cast<double>(least), finite_bound(problem, red) - 1e-9);
      for (std::uint64_t seed = 0; seed < 40; ++seed)
        EXPECT_LE(least, play(problem.graph, random_order(problem.graph, seed), red).cost());
    }
}

// Known by hand: with 4 pebbles, the 2 x 2 x 2 multiply cannot keep a sum while it fetches four operands for
// others.
TEST(Exhaustive, SmallMultiplies) {
  const Problem problem = multiply_problem(2, 2, 2);
  EXPECT_EQ(optimal_pebbling(problem.graph, 4).cost, 17);
  EXPECT_EQ(optimal_pebbling(problem.graph, 7).cost, 12);  // each input loaded once, each output stored once
}

// Theorem 1 of paper 000 asks for 2mnk / sqrt(S) + mn = 18 words here.
TEST(Exhaustive, TheOptimumBeatsTheoremOneForAnOuterProduct) {
  const Problem problem = multiply_problem(3, 3, 1);
  const Index least = optimal_pebbling(problem.graph, 4).cost;
  EXPECT_EQ(least, 17);
  EXPECT_LT(static_cast<double>(least), sequential::theorem1({3, 3, 1}, 4));
}

TEST(Exhaustive, LimitsAreErrors) {
  EXPECT_THROW(optimal_pebbling(multiply_problem(3, 3, 3).graph, 8), ArgumentError);
  EXPECT_THROW(optimal_pebbling(multiply_problem(2, 2, 2).graph, 3), ArgumentError);
  EXPECT_THROW(optimal_pebbling(multiply_problem(2, 2, 2).graph, 4, {.states = 10}), MemoryError);
}

}  // namespace
}  // namespace cairn::pebble
