// Fast steps without MPI: what the compiled Programs move, compared with the recurrences of paper 001.
#include <gtest/gtest.h>

#include "bounds/strassen.hpp"
#include "gemm/fast/catalogue.hpp"
#include "gemm/fast/choose.hpp"
#include "gemm/fast/compile.hpp"
#include "program/count.hpp"

namespace cairn::gemm::fast {
namespace {

FastSchedule square(Index n, std::string_view order, const Grid& base = {},
                    std::string_view algorithm = "winograd") {
  return {{.m = n, .n = n, .k = n}, parse_steps(order, find_bilinear(algorithm)), base, {}, {}};
}

program::Counts counts_of(const FastSchedule& s, int rank) {
  return program::count(compile(s, rank, static_cast<int>(s.ranks())));
}

// Every rank sends and receives the same, in units of n^2/P.
double units(const FastSchedule& s) {
  const auto n = static_cast<double>(s.problem.n), ranks = static_cast<double>(s.ranks());
  const comm::Counters first = counts_of(s, 0).total();
  for (int rank = 0; rank < s.ranks(); ++rank) {
    const comm::Counters moved = counts_of(s, rank).total();
    EXPECT_EQ(moved.sent.words, first.sent.words) << rank;
    EXPECT_EQ(moved.received.words, first.sent.words) << rank;
  }
  return static_cast<double>(first.sent.words) / (n * n / ranks);
}

TEST(FastSteps, MoveWhatTheOriginalCodeMoves) {
  EXPECT_DOUBLE_EQ(units(square(28, "B")), 4.5);
  EXPECT_DOUBLE_EQ(units(square(56, "DB")), 7.875);
  EXPECT_DOUBLE_EQ(units(square(56, "DDB")), 13.78125);
  EXPECT_DOUBLE_EQ(units(square(196, "BB")), 12.375);
  EXPECT_DOUBLE_EQ(units(square(392, "BDB")), 18.28125);
  EXPECT_DOUBLE_EQ(units(square(392, "DBB")), 21.65625);
}

TEST(FastSteps, AreHalfOfThePapersRecurrences) {
  using bounds::strassen::Step;
  for (const std::string order : {"B", "BD", "DB", "DDB", "BB", "BDB", "DBB", "BBD"}) {
    const FastSchedule s = square(784, order);
    std::vector<Step> steps;
    for (const char c : order) steps.push_back(c == 'B' ? Step::bfs : Step::dfs);
    const bounds::Cost paper = bounds::strassen::on_the_wire(
        bounds::strassen::caps(784, s.ranks(), steps, {bounds::strassen::winograd, 1}));
    const program::Counts counts = counts_of(s, 3);
    EXPECT_DOUBLE_EQ(static_cast<double>(counts.total().sent.words), paper.words) << order;
    EXPECT_DOUBLE_EQ(static_cast<double>(counts.total().sent.messages), paper.messages) << order;
  }
}

// DFS adds products to C one after the other: more additions than Winograd's fifteen, which BFS has.
TEST(FastSteps, OfBfsAddFifteenTimes) {
  const FastSchedule s = square(28, "B");
  const double quarter = 14.0 * 14 / 7;
  EXPECT_DOUBLE_EQ(counts_of(s, 0).flops, 15 * quarter + 2.0 * 14 * 14 * 14);
}

TEST(FastSteps, OnABaseOfSeveralRanks) {
  for (const int c : {2, 3, 6}) {
    const FastSchedule s = square(84, "B", {c, 1, 1});
    // The base gathers B along m: (1 - 1/c) of (n/2)^2 words, besides the exchange.
    const double gathered = (1 - 1.0 / c) * 42 * 42;
    const double expected = 4.5 * 84 * 84 / (7.0 * c) + gathered;
    EXPECT_DOUBLE_EQ(static_cast<double>(counts_of(s, 0).total().received.words), expected) << c;
  }
}

TEST(FastSteps, OfTheClassicalAlgorithmAreARecursiveClassicalProduct) {
  // Section 6.6: eight products on eight groups: 3 (8 - 1)/4 n^2/P words.
  EXPECT_DOUBLE_EQ(units(square(32, "B", {}, "classical")), 5.25);
}

TEST(FastSteps, OfAnyAlgorithmFollowTheirFormula) {
  const auto x = find_bilinear("3x2x2");
  const FastSchedule s{{.m = 66, .n = 44, .k = 44}, parse_steps("B", x), {}, {}, {}};
  const Index each = 66 * 44 / 6 + 44 * 44 / 4 + 66 * 44 / 6;  // blocks of A, B and C
  EXPECT_EQ(counts_of(s, 5).total().sent.words, each * 10 / 11);
}

TEST(FastSteps, HoldTheMemoryOfThePaper) {
  const FastSchedule s = square(392, "BB");
  const double words = static_cast<double>(counts_of(s, 0).work_bytes) / 8;
  // 7 n^2/P^(2/omega0) - 4 n^2/P with A, B and C, section 3.3.1; ours without them, and with what is sent.
  const bounds::Cost paper = bounds::strassen::caps_unlimited(392, 49);
  EXPECT_LT(words, 1.5 * paper.memory);
  EXPECT_GT(words, 0.5 * paper.memory);
}

TEST(FastCost, IsThatOfTheProgram) {
  for (const std::string order : {"", "B", "D", "BD", "DB", "BB", "DBB"})
    for (const Grid base : {Grid{1, 1, 1}, Grid{2, 2, 1}, Grid{1, 2, 2}}) {
      const FastSchedule s = square(3136, order, base);
      const program::Counts counts = counts_of(s, 0);
      const FastCost cost = cost_of(s, {});
      EXPECT_DOUBLE_EQ(cost.words, static_cast<double>(counts.total().sent.words)) << describe(s);
      if (base.pk == 1) {  // what is added on arrival comes in pieces
        EXPECT_DOUBLE_EQ(cost.messages, static_cast<double>(counts.total().sent.messages)) << describe(s);
      }
      EXPECT_NEAR(cost.flops / counts.flops, 1, 1e-12) << describe(s);
      const double held =
          static_cast<double>(counts.work_bytes) / 8 + 3 * 3136.0 * 3136 / static_cast<double>(s.ranks());
      EXPECT_NEAR(cost.memory_words / held, 1, 0.02) << describe(s);
    }
}

TEST(FastCandidates, AreOfTheirFamily) {
  const Problem p{.m = 4096, .n = 4096, .k = 4096};
  const auto best = [&](Family family, int ranks) {
    FastOptions o;
    o.family = family;
    return candidates(p, ranks, o).front().schedule;
  };
  EXPECT_NE(order_of(best(Family::caps, 49).steps).find('B'), std::string::npos);
  EXPECT_EQ(best(Family::caps, 50).ranks(), 49);
  EXPECT_EQ(best(Family::caps, 8).ranks(), 7);
  EXPECT_EQ(best(Family::strassen_2d, 16).base.pk, 1);
  EXPECT_EQ(order_of(best(Family::strassen_2d, 16).steps).front(), 'D');
  EXPECT_TRUE(best(Family::strassen_in_2d, 16).steps.empty());
  EXPECT_FALSE(best(Family::strassen_in_25d, 16).local.empty());
  EXPECT_THROW(best(Family::caps, 6), ArgumentError);
  for (const Family f : {Family::any, Family::caps, Family::strassen_in_25d})
    EXPECT_EQ(parse_family(name(f)), f);
  EXPECT_THROW(parse_family("3d"), ArgumentError);
}

TEST(FastCandidates, KeepTheirLimits) {
  const Problem p{.m = 4096, .n = 4096, .k = 4096};
  FastOptions o;
  o.max_error_growth = 1;
  for (const FastCandidate& c : candidates(p, 49, o))
    EXPECT_TRUE(c.schedule.steps.empty() && c.schedule.local.empty());
  o = {};
  o.family = Family::caps;
  const double ample = candidates(p, 49, o).front().cost.memory_words;
  o.memory_words = 0.6 * ample;
  for (const FastCandidate& c : candidates(p, 49, o)) EXPECT_LE(c.cost.memory_words, o.memory_words);
  EXPECT_NE(order_of(candidates(p, 49, o).front().schedule.steps).find('D'), std::string::npos);
  o.memory_words = 1000;
  EXPECT_THROW(candidates(p, 49, o), ArgumentError);
}

TEST(Dealt, CoversEveryElementOnce) {
  for (const auto& [m, n, k] : {std::array<Index, 3>{13, 7, 20}, {1, 1, 1}, {40, 3, 5}, {0, 4, 4}}) {
    const FastSchedule s{
        {.m = m, .n = n, .k = k}, parse_steps("BD", find_bilinear("winograd")), {2, 1, 3}, {}, {}};
    const Dealt dealt(s);
    for (const Matrix x : all_matrices) {
      const layout::Layout l = dealt.layout(x);
      Index sum = 0;
      for (int rank = 0; rank < s.ranks(); ++rank) {
        sum += l.elements(rank);
        EXPECT_LE(l.memory_elements(rank), dealt.share(x, rank));
      }
      EXPECT_EQ(sum, l.rows() * l.columns());
    }
  }
}

TEST(Dealt, NumbersRanksBothWays) {
  const Dealt dealt(square(10, "BDB", {1, 2, 1}));
  for (int rank = 0; rank < 98; ++rank) EXPECT_EQ(dealt.rank_of(dealt.position(rank)), rank);
}

TEST(FastSchedule, RefusesWhatCannotBe) {
  EXPECT_THROW(parse_steps("BX", find_bilinear("winograd")), ArgumentError);
  EXPECT_THROW(check(square(10, "BB"), 48), ArgumentError);
  EXPECT_THROW(check(square(10, "B", {0, 1, 1}), 48), ArgumentError);
  EXPECT_THROW(check(square(-1, "B"), 48), ArgumentError);
  EXPECT_NO_THROW(check(square(10, "BB"), 49));
  EXPECT_EQ(describe(square(10, "BD", {1, 2, 1})),
            "10 x 10 x 10 double NN by winograd BD on 14 ranks, base [1, 2, 1]");
}

}  // namespace
}  // namespace cairn::gemm::fast
