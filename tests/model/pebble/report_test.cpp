#include "model/pebble/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/pebble/orders.hpp"
#include "model/pebble/picture.hpp"

namespace cairn::model::pebble {
namespace {

TEST(Report, SaysWhatWasPlayed) {
  const Problem problem = multiply_problem(6, 6, 6);
  const Report report = play_named(problem, "listing1", 15);
  EXPECT_EQ(report.tally, play(problem.graph, listing1_order(problem, {3, 3}), 15));
  EXPECT_EQ(report.vertices, 36 + 36 + 216);
  EXPECT_GE(report.ratio(), 1);
  EXPECT_DOUBLE_EQ(report.ratio() * report.finite_bound, static_cast<double>(report.tally.cost()));
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
}  // namespace cairn::model::pebble
