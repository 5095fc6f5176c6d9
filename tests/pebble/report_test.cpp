#include "pebble/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "pebble/legality.hpp"
#include "pebble/orders.hpp"
#include "pebble/picture.hpp"

namespace cairn::pebble {
namespace {

TEST(Report, SaysWhatWasPlayed) {
  const Problem problem = multiply_problem(6, 6, 6);
  const Report report = play_named(problem, "listing1", 15);
  EXPECT_EQ(report.tally, play(problem.graph, listing1_order(problem, {3, 3}), 15));
  EXPECT_EQ(report.vertices, 36 + 36 + 216);
  EXPECT_GE(report.ratio(), 1);
  EXPECT_DOUBLE_EQ(report.ratio() * report.finite_bound, static_cast<double>(report.tally.cost()));
}

TEST(Report, OptimalIsTheLeastOfAllGames) {
  const Problem problem = multiply_problem(2, 2, 2);
  std::vector<Move> moves;
  const Report least = play_named(problem, "optimal", 4, &moves);
  EXPECT_EQ(least.tally.cost(), 17);  // known by hand, see exhaustive_test.cpp
  EXPECT_EQ(verify(problem.graph, 4, moves).tally, least.tally);
  for (const std::string order : {"ijk", "kij", "blocked", "random:1", "random:2"})
    EXPECT_GE(play_named(problem, order, 4).tally.cost(), least.tally.cost());
  EXPECT_THROW(play_named(multiply_problem(4, 4, 4), "optimal", 4), ArgumentError);
}

TEST(Report, OfSeveralRanksHasTheBusiestAndTheMean) {
  const Problem problem = multiply_problem(4, 6, 6);
  const ParallelReport report = play_named(problem, "kij", 100, 6, Deal{{2, 3, 1}});
  const auto accounts =
      play_parallel(problem.graph, loop_order(problem, "kij"), brick_assignment(problem, {2, 3, 1}), 100);
  Index most = 0, sum = 0;
  for (const Account& a : accounts) most = std::max(most, a.words()), sum += a.words();
  EXPECT_EQ(report.busiest(), most);
  EXPECT_DOUBLE_EQ(report.mean() * 6, static_cast<double>(sum));
  EXPECT_EQ(report.grid, "2x3x1");
  EXPECT_EQ(play_named(lu_problem(6), "kij", 9, 12, {}).grid, "3x4");
  EXPECT_EQ(play_named(lu_problem(6), "kij", 9, 7, {}).grid, "1x7");
  EXPECT_EQ(play_named(lu_problem(1), "kij", 9, 2, {}).ratio(), 1);  // nothing to do
  EXPECT_THROW(play_named(problem, "kij", 100, 6, Deal{{2, 3}}), ArgumentError);
  EXPECT_THROW(play_named(problem, "kij", 100, 6, Deal{{2, 2, 2}}), ArgumentError);
  const Index half = Index{1} << 32;
  EXPECT_THROW(play_named(lu_problem(6), "kij", 9, 6, Deal{{half, half}}), Error);
}

TEST(Report, TextHasTheNumbers) {
  const Report report{.kernel = Kernel::lu,
                      .size = {9, 9, 9},
                      .order = "kij",
                      .red = 7,
                      .vertices = 100,
                      .tally = {.loads = 60, .stores = 40, .computes = 1, .peak_red = 7},
                      .finite_bound = 80,
                      .paper_bound = 50};
  const std::string text = to_text(report);
  EXPECT_NE(text.find("lu n = 9, 100 vertices, 7 red pebbles, order kij"), std::string::npos);
  EXPECT_NE(text.find("moved / bound 1.2500"), std::string::npos);
  EXPECT_NE(text.find("moved / paper 2.0000"), std::string::npos);
}

// The last point of the curve of words stands at the top of its panel if no bound is larger: the total is
// drawn.
TEST(Picture, ShowsTheTotalAndTheBound) {
  const Problem problem = multiply_problem(6, 6, 6);
  std::vector<Move> moves;
  const Tally tally = play(problem.graph, loop_order(problem, "ijk"), 10, &moves);
  const std::string svg = occupancy_svg(problem.graph, 10, moves, {.title = "a < b", .bound = 100});
  EXPECT_NE(svg.find(fmt::format("{} words moved", tally.cost())), std::string::npos);
  EXPECT_NE(svg.find("bound 100"), std::string::npos);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("710.0,210.0 \"/>"), std::string::npos);  // right edge, top of the lower panel
  EXPECT_EQ(std::count(svg.begin(), svg.end(), '<'), std::count(svg.begin(), svg.end(), '>'));
  EXPECT_THROW(occupancy_svg(problem.graph, 10, {}, {}), ArgumentError);
}

TEST(Picture, AGameOfFewMovesReachesTheRightEdge) {
  const Problem problem = multiply_problem(1, 1, 2);
  std::vector<Move> moves;
  play(problem.graph, loop_order(problem, "ijk"), 4, &moves);
  EXPECT_NE(occupancy_svg(problem.graph, 4, moves).find("5 words moved"), std::string::npos);
}

}  // namespace
}  // namespace cairn::pebble
