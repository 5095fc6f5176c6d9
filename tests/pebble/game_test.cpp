#include "pebble/game.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "pebble/legality.hpp"
#include "pebble/orders.hpp"

namespace cairn::pebble {
namespace {

// The fewest loads for a fixed order, by trying every choice of what to keep. Stores do not matter: whatever
// left fast memory can be had again for one load.
Index fewest_loads(const Cdag& graph, const Order& order, Index red) {
  std::map<std::uint64_t, Index> best{{0, 0}};
  const auto bit = [](Vertex v) { return std::uint64_t{1} << v; };
  for (const Vertex v : order) {
    std::uint64_t parents = 0;
    for (const Vertex u : graph.parents(v)) parents |= bit(u);
    std::map<std::uint64_t, Index> next;
    for (const auto& [held, loads] : best) {
      const std::uint64_t others = held & ~parents;
      for (std::uint64_t kept = others;; kept = (kept - 1) & others) {  // every subset
        if (std::popcount(kept | parents | bit(v)) <= red) {
          const Index cost = loads + std::popcount(parents & ~held);
          const auto [place, fresh] = next.try_emplace(kept | parents | bit(v), cost);
          if (!fresh) place->second = std::min(place->second, cost);
        }
        if (kept == 0) break;
      }
    }
    best = std::move(next);
  }
  Index least = best.begin()->second;
  for (const auto& [held, loads] : best) least = std::min(least, loads);
  return least;
}

TEST(Game, DotProductCountedByHand) {
  const Problem problem = multiply_problem(1, 1, 3);
  std::vector<Move> moves;
  const Tally tally = play(problem.graph, loop_order(problem, "ijk"), 4, &moves);
  EXPECT_EQ(tally, (Tally{.loads = 6, .stores = 1, .computes = 3, .peak_red = 4}));
  EXPECT_EQ(moves.front(), (Move{MoveKind::load, 0}));
}

// 2 x 2 outer product, 3 pebbles, row by row: a0 b0 b1 | a1 and b0 again, as b1 or b0 has to go each time.
TEST(Game, OuterProductCountedByHand) {
  const Problem problem = multiply_problem(2, 2, 1);
  const Tally tally = play(problem.graph, loop_order(problem, "ijk"), 3);
  EXPECT_EQ(tally.loads, 6);
  EXPECT_EQ(tally.stores, 4);
  EXPECT_EQ(play(problem.graph, loop_order(problem, "ijk"), 4).loads, 4);
}

TEST(Game, EvictionMakesTheFewestLoads) {
  const Problem problems[] = {multiply_problem(2, 2, 2), multiply_problem(3, 2, 1), lu_problem(3),
                              cholesky_problem(3)};
  for (const Problem& problem : problems)
    for (std::uint64_t seed = 0; seed < 6; ++seed)
      for (Index red = problem.graph.max_parents() + 1; red <= 7; ++red) {
        const Order order = random_order(problem.graph, seed);
        EXPECT_EQ(play(problem.graph, order, red).loads, fewest_loads(problem.graph, order, red))
            << to_string(problem.kernel) << " seed " << seed << " red " << red;
      }
}

TEST(Game, EveryGameIsLegalAndCountsAgree) {
  const Problem problems[] = {multiply_problem(5, 7, 6), multiply_problem(4, 4, 9, true), lu_problem(9),
                              cholesky_problem(10)};
  for (const Problem& problem : problems)
    for (const std::string name : {"ijk", "kij", "jki", "blocked:3", "random:1", "random:2"})
      for (const Index red : {4, 5, 8, 20, 1000}) {
        std::vector<Move> moves;
        const Tally tally = play(problem.graph, named_order(problem, name, red), red, &moves);
        const Verdict verdict = verify(problem.graph, red, moves);
        EXPECT_TRUE(verdict.legal) << verdict.reason;
        EXPECT_EQ(verdict.tally, tally);
        EXPECT_EQ(tally.computes, problem.graph.computed());
        EXPECT_LE(tally.peak_red, red);
      }
}

TEST(Game, EnoughPebblesMoveOnlyInputsAndOutputs) {
  for (const Problem& problem : {multiply_problem(5, 6, 7), lu_problem(8), cholesky_problem(8)}) {
    const Tally tally = play(problem.graph, random_order(problem.graph, 3), problem.graph.vertices());
    EXPECT_EQ(tally.loads, problem.graph.inputs_read());
    EXPECT_EQ(tally.stores, problem.graph.computed_outputs());
  }
}

TEST(Game, HundredsOfThousandsOfVertices) {
  const Problem problem = cholesky_problem(110);
  ASSERT_GT(problem.graph.vertices(), 220'000);
  std::vector<Move> moves;
  const Tally tally = play(problem.graph, named_order(problem, "blocked", 300), 300, &moves);
  const Verdict verdict = verify(problem.graph, 300, moves);
  EXPECT_TRUE(verdict.legal) << verdict.reason;
  EXPECT_EQ(verdict.tally, tally);
}

TEST(Game, ErrorsNameTheVertex) {
  const Problem problem = multiply_problem(2, 2, 2);
  Order order = loop_order(problem, "ijk");
  EXPECT_THROW(play(problem.graph, order, 3), ArgumentError);
  std::swap(order[0], order[1]);
  try {
    play(problem.graph, order, 4);
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "order computes C(0,0) after step 1 before its parent C(0,0) after step 0");
  }
  order[0] = order[1];
  EXPECT_THROW(play(problem.graph, order, 4), ArgumentError);
  order.pop_back();
  EXPECT_THROW(play(problem.graph, order, 4), ArgumentError);
}

// Each way to cheat, and what the checker says to it.
class Legality : public testing::Test {
 protected:
  void SetUp() override { play(problem.graph, loop_order(problem, "kij"), 4, &moves); }
  std::string reason(Index red = 4) const { return verify(problem.graph, red, moves).reason; }
  std::size_t first(MoveKind kind) const {
    std::size_t x = 0;
    while (moves[x].kind != kind) ++x;
    return x;
  }
  void erase(std::size_t x) { moves.erase(moves.begin() + static_cast<std::ptrdiff_t>(x)); }

  Problem problem = multiply_problem(2, 2, 2);
  std::vector<Move> moves;
};

TEST_F(Legality, TooManyRedPebbles) {
  EXPECT_EQ(reason(4), "");
  EXPECT_NE(reason(3).find("4 red pebbles, at most 3 allowed"), std::string::npos);
  erase(first(MoveKind::drop));
  EXPECT_NE(reason().find("5 red pebbles, at most 4 allowed"), std::string::npos);
}

TEST_F(Legality, ComputeWithoutAParent) {
  erase(0);
  EXPECT_EQ(reason(), "compute of C(0,0) after step 0: its parent A(0,0) has no red pebble");
}

TEST_F(Legality, LoadOfWhatWasNeverStored) {
  erase(first(MoveKind::store));
  EXPECT_NE(reason().find("it has no blue pebble"), std::string::npos);
}

TEST_F(Legality, OutputNotStoredAtTheEnd) {
  std::size_t x = moves.size();
  while (moves[--x].kind != MoveKind::store) {
  }
  erase(x);
  EXPECT_NE(reason().find("has no blue pebble at the end"), std::string::npos);
  EXPECT_EQ(verify(problem.graph, 4, moves).move, static_cast<Index>(moves.size()));
}

TEST_F(Legality, MovesThatMakeNoSense) {
  moves = {{MoveKind::store, 0}};
  EXPECT_EQ(reason(), "store of A(0,0): it has no red pebble");
  moves = {{MoveKind::drop, 4}};
  EXPECT_EQ(reason(), "drop of B(0,0): it has no red pebble");
  moves = {{MoveKind::compute, 1}};
  EXPECT_EQ(reason(), "compute of A(0,1): it is an input");
  moves = {{MoveKind::load, 99}};
  EXPECT_EQ(reason(), "vertex is 99, expected 0 <= vertex < 16");
}

}  // namespace
}  // namespace cairn::pebble
