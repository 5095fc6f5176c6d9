#include "pebble/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "bounds/factor.hpp"
#include "bounds/phases.hpp"
#include "pebble/bounds.hpp"
#include "pebble/legality.hpp"
#include "pebble/orders.hpp"

namespace cairn::pebble {
namespace {

using bounds::least_events;
using bounds::Operands;
namespace factor = bounds::factor;

Assignment random_assignment(const Problem& problem, Index processors, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Assignment assignment{processors, {}};
  for (Index x = 0; x < problem.graph.computed(); ++x)
    assignment.owner.push_back(static_cast<Index>(random() % static_cast<std::uint64_t>(processors)));
  return assignment;
}

Index busiest(const std::vector<Account>& accounts) {
  Index most = 0;
  for (const Account& a : accounts) most = std::max(most, a.words());
  return most;
}

// What a processor does that the bounds ask for: its updates, and the events among them that are no loads.
struct Work {
  Index updates = 0, starts = 0, finishes = 0;
};

std::vector<Work> work_of(const Problem& problem, const Assignment& assignment) {
  std::vector<Work> work(static_cast<std::size_t>(assignment.processors));
  for (std::size_t x = 0; x < problem.coordinates.size(); ++x) {
    const Coordinate& c = problem.coordinates[x];
    Work& w = work[static_cast<std::size_t>(assignment.owner[x])];
    const bool multiply = problem.kernel == Kernel::multiply, symmetric = problem.kernel == Kernel::cholesky;
    if (multiply || (c.j > c.k && !(symmetric && c.i == c.j))) ++w.updates;
    if (multiply && c.k == 0) ++w.starts;
    const auto v = static_cast<Vertex>(problem.graph.inputs() + static_cast<Index>(x));
    if (!multiply && problem.graph.is_output(v) && c.i != c.j && c.j > 0) ++w.finishes;
  }
  return work;
}

TEST(ParallelGame, GamesAreLegalAndCountsAgree) {
  for (const Problem& problem : {multiply_problem(6, 5, 7), lu_problem(9), cholesky_problem(9)})
    for (const Index processors : {1, 2, 3, 7})
      for (const Index red : {4, 6, 12, 60})
        for (const std::string name : {"kij", "jki", "blocked:2", "random:3"}) {
          const Assignment assignment = random_assignment(problem, processors, 11);
          std::vector<Move> moves;
          const auto accounts =
              play_parallel(problem.graph, named_order(problem, name, red), assignment, red, &moves);
          const Verdict verdict = verify(problem.graph, red, moves, processors);
          ASSERT_TRUE(verdict.legal) << verdict.reason;
          Account sum;
          for (const Account& a : accounts) {
            sum.values_received += a.received();
            sum.values_stored += a.values_stored + a.outputs_stored;
            sum.computes += a.computes;
            EXPECT_LE(a.peak_red, red);
          }
          EXPECT_EQ(verdict.tally.loads, sum.values_received);
          EXPECT_EQ(verdict.tally.stores, sum.values_stored);
          EXPECT_EQ(verdict.tally.computes, problem.graph.computed());
        }
}

TEST(ParallelGame, PebblesOfOthersAreNoUse) {
  const Problem problem = multiply_problem(1, 1, 1);
  const std::vector<Move> moves{
      {MoveKind::load, 0, 0}, {MoveKind::load, 1, 1}, {MoveKind::compute, 2, 0}, {MoveKind::store, 2, 0}};
  EXPECT_EQ(verify(problem.graph, 3, moves, 2).reason,
            "compute of C(0,0) after step 0: its parent B(0,0) has no red pebble");
  EXPECT_EQ(verify(problem.graph, 3, moves, 1).reason, "processor is 1, expected 0 <= processor < 1");
  const std::vector<Move> other{{MoveKind::load, 0, 0},
                                {MoveKind::load, 1, 0},
                                {MoveKind::compute, 2, 0},
                                {MoveKind::load, 2, 1},
                                {MoveKind::store, 2, 1}};
  EXPECT_TRUE(verify(problem.graph, 3, other, 2).legal);
  EXPECT_EQ(verify(problem.graph, 3, std::span(other).subspan(3), 2).reason,
            "load of C(0,0) after step 0: it has no blue pebble and none of another colour");
}

// A brick receives its faces of A and B, and of C unless it is first along k; it hands C on or stores it.
TEST(ParallelGame, BricksMoveTheirFaces) {
  const Index m = 6, n = 8, k = 9;
  const Problem problem = multiply_problem(m, n, k);
  const std::array<Index, 3> grid{2, 4, 3};
  const auto accounts =
      play_parallel(problem.graph, loop_order(problem, "kij"), brick_assignment(problem, grid), 1000);
  const Index a = (m / 2) * (k / 3), b = (k / 3) * (n / 4), c = (m / 2) * (n / 4);
  for (std::size_t p = 0; p < accounts.size(); ++p) {
    const bool first = p % 3 == 0, last = p % 3 == 2;
    EXPECT_EQ(accounts[p].inputs_received, a + b);
    EXPECT_EQ(accounts[p].values_received, first ? 0 : c);
    EXPECT_EQ(accounts[p].values_sent, last ? 0 : c);
    EXPECT_EQ(accounts[p].outputs_stored, last ? c : 0);
    EXPECT_EQ(accounts[p].values_stored, 0);
    EXPECT_EQ(accounts[p].computes, m * n * k / 24);
  }
}

// Cubic bricks attain 3 (mnk/p)^(2/3), equation (5) of paper 000 with enough memory, word for word.
TEST(ParallelGame, CubicBricksAttainTheBound) {
  const Problem problem = multiply_problem(8, 8, 8);
  const auto accounts =
      play_parallel(problem.graph, loop_order(problem, "kij"), brick_assignment(problem, {2, 2, 2}), 64);
  const double bound = least_events(64, 64);
  EXPECT_NEAR(bound, 3 * std::pow(512.0 / 8, 2.0 / 3.0), 1e-9);
  for (const Account& account : accounts) EXPECT_GE(static_cast<double>(account.words()), bound);
  EXPECT_EQ(accounts[0].words(), 48);
}

// Bricks of a x a x b, outer product after outer product, S = a^2 + 2a: 2ab + a^2 words, section 6.3 of paper
// 000.
TEST(ParallelGame, LongBricksCostWhatThePaperSays) {
  for (const Index a : {2, 3, 4}) {
    const Index b = 5 * a, red = a * a + 2 * a;
    const Problem problem = multiply_problem(2 * a, 3 * a, b);
    const auto accounts = play_parallel(problem.graph, listing1_order(problem, {a, a}),
                                        brick_assignment(problem, {2, 3, 1}), red);
    for (const Account& account : accounts) {
      EXPECT_EQ(account.words(), 2 * a * b + a * a);
      EXPECT_GE(static_cast<double>(account.words()),
                least_events(static_cast<double>(a * a * b), static_cast<double>(red)));
    }
  }
}

// Every processor by itself, whatever it was given to do.
TEST(ParallelGame, NoProcessorBeatsTheBoundForItsWork) {
  for (const Problem& problem :
       {multiply_problem(7, 8, 9), multiply_problem(12, 12, 2), lu_problem(13), cholesky_problem(15)})
    for (const Index processors : {1, 2, 5})
      for (const Index red : {4, 7, 15, 40})
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
          const bool factor = problem.kernel != Kernel::multiply;
          const Assignment assignment = seed % 2 == 0 && factor
                                            ? cyclic_assignment(problem, 2, 1, processors)
                                            : random_assignment(problem, processors, seed);
          const Order order =
              seed < 2 ? random_order(problem.graph, seed) : named_order(problem, "blocked:3", red);
          const auto accounts = play_parallel(problem.graph, order, assignment, red);
          const auto work = work_of(problem, assignment);
          const auto operands = problem.kernel == Kernel::cholesky ? Operands::symmetric : Operands::separate;
          for (std::size_t p = 0; p < work.size(); ++p) {
            const double least =
                least_events(static_cast<double>(work[p].updates), static_cast<double>(red), operands);
            const Index events = accounts[p].received() + work[p].starts + work[p].finishes;
            EXPECT_GE(static_cast<double>(events), least - 1e-9);
            if (!factor) {
              EXPECT_GE(accounts[p].sent(), work[p].starts);
            }
          }
        }
}

// Whatever the deal, some processor moves as many words.
TEST(ParallelGame, NoDealBeatsTheBoundOfTheBusiest) {
  for (const Problem& problem :
       {multiply_problem(7, 8, 9), multiply_problem(5, 5, 5, true), multiply_problem(20, 3, 3),
        lu_problem(13), cholesky_problem(15), syrk_problem(9, 6)})
    for (const Index processors : {1, 2, 5, 8})
      for (const Index red : {4, 7, 15, 40, 200})
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
          const Assignment assignment = seed % 2 == 0 ? cyclic_assignment(problem, 2, 1, processors)
                                                      : random_assignment(problem, processors, seed);
          const Order order =
              seed < 2 ? random_order(problem.graph, seed) : named_order(problem, "blocked:3", red);
          EXPECT_GE(static_cast<double>(busiest(play_parallel(problem.graph, order, assignment, red))),
                    busiest_bound(problem, processors, red) - 1e-9);
        }
}

// Bricks get within a third of it: the middle layers of C are received and sent.
TEST(ParallelGame, BoundOfTheBusiestIsNearlyAttained) {
  for (const Index side : {4, 6, 8}) {
    const Problem problem = multiply_problem(2 * side, 2 * side, side);
    const auto accounts = play_parallel(problem.graph, loop_order(problem, "kij"),
                                        brick_assignment(problem, {2, 2, 1}), 3 * side * side);
    EXPECT_NEAR(static_cast<double>(busiest(accounts)), busiest_bound(problem, 4, 3 * side * side), 1e-6);
  }
}

TEST(ParallelGame, BestBricksHaveTheFewestWordsOnTheirFaces) {
  for (const Problem& problem :
       {multiply_problem(12, 12, 12), multiply_problem(24, 6, 4), multiply_problem(5, 7, 30)})
    for (const Index processors : {1, 4, 6, 12}) {
      Index least = std::numeric_limits<Index>::max();
      const auto largest = [&](const std::array<Index, 3>& grid) {  // faces of the largest brick
        const auto accounts =
            play_parallel(problem.graph, loop_order(problem, "kij"), brick_assignment(problem, grid), 10000);
        Index inputs = 0;
        for (const Account& a : accounts) inputs = std::max(inputs, a.inputs_received);
        return inputs + ceil_div(problem.size[0], grid[0]) * ceil_div(problem.size[1], grid[1]);
      };
      for (Index x = 1; x <= std::min(processors, problem.size[0]); ++x)
        for (Index y = 1; y <= std::min(processors, problem.size[1]); ++y)
          for (Index z = 1; z <= std::min(processors, problem.size[2]); ++z)
            if (x * y * z == processors) least = std::min(least, largest({x, y, z}));
      EXPECT_EQ(largest(best_bricks(problem, processors)), least);
    }
  EXPECT_THROW(best_bricks(multiply_problem(3, 3, 3), 5), ArgumentError);
}

// Lemma 7 of paper 002: one processor has |V| / P of the work at least. Held against the paper's own formula.
TEST(ParallelGame, BusiestProcessorOfLuIsAboveThePaper) {
  const Index n = 32;
  const Problem problem = lu_problem(n);
  for (const Index red : {8, 24, 80, 200})
    for (const Index side : {1, 2, 4})
      for (const Index b : {1, 4, 8}) {
        const Assignment assignment = cyclic_assignment(problem, b, side, side);
        const Order order = blocked_factor_order(problem, listing1_tile(red).rows);
        EXPECT_GE(static_cast<double>(busiest(play_parallel(problem.graph, order, assignment, red))),
                  factor::lu_lower_bound(n, side * side, static_cast<double>(red)));
      }
}

TEST(ParallelGame, ErrorsNameTheArgument) {
  const Problem problem = multiply_problem(2, 2, 2);
  const Order order = loop_order(problem, "ijk");
  EXPECT_THROW(play_parallel(problem.graph, order, {2, {0, 1}}, 8), ArgumentError);
  EXPECT_THROW(play_parallel(problem.graph, order, {2, std::vector<Index>(8, 2)}, 8), ArgumentError);
  EXPECT_THROW(brick_assignment(problem, {3, 1, 1}), ArgumentError);
  EXPECT_THROW(brick_assignment(lu_problem(4), {1, 1, 1}), ArgumentError);
  EXPECT_THROW(cyclic_assignment(problem, 0, 1, 1), ArgumentError);
}

}  // namespace
}  // namespace cairn::pebble
