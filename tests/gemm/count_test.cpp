// What a Program moves, without MPI: against first principles, and the busiest rank against all ranks.
#include "gemm/count.hpp"

#include <gtest/gtest.h>

#include "gemm/compile.hpp"
#include "gemm/faces.hpp"
#include "gemm/native.hpp"
#include "gemm/random_schedules.hpp"
#include "program/count.hpp"
#include "program/simulate.hpp"

namespace cairn::gemm {
namespace {

using program::Place;
using program::Program;
using program::simulate;
using program::Timeline;

TEST(Count, ReceivesWhatItDoesNotOwn) {
  test::RandomSchedules random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const Schedule s = random.schedule(50, 30);
    SCOPED_TRACE(describe(s));
    for (int rank = 0; rank < s.grid.ranks(); ++rank) {
      const Program program = compile(s, rank);
      const Coordinates at = coordinates(s.grid, rank);
      for (const Matrix x : {Matrix::a, Matrix::b}) {
        const NativeLayout layout(s, x);
        Index face = 0;
        for (Index r = 0; r < layout.rounds(); ++r) face += layout.face(at, r).count();
        const Index expected = s.problem.multiplies() ? face - layout.local_count(rank) : 0;
        ASSERT_EQ(moved_of(program, x).received.words, expected);
      }
      // Every rank gives away its partial sums but its own slice (a ring: but its neighbour's).
      const NativeLayout c(s, Matrix::c);
      Index face = 0, least = 0, most = 0;
      for (Index r = 0; r < c.rounds(); ++r) {
        const comm::Partition slices = c.slices(at, r);
        face += slices.total();
        least += slices.count(s.grid.pk - 1);
        most += slices.count(0);
      }
      if (s.problem.multiplies() && s.grid.pk > 1) {
        ASSERT_GE(moved_of(program, Matrix::c).sent.words, face - most);
        ASSERT_LE(moved_of(program, Matrix::c).sent.words, face - least);
      }
    }
  }
}

TEST(Count, AllRanksTogetherMoveTheOptimum) {
  test::RandomSchedules random(4);
  for (int trial = 0; trial < 300; ++trial) {
    const Schedule s = random.schedule(50, 30);
    SCOPED_TRACE(describe(s));
    comm::Counters sum;
    double flops = 0;
    for (int rank = 0; rank < s.grid.ranks() + 2; ++rank) {
      const program::Counts counts = program::count(compile(s, rank));
      sum += counts.total();
      flops += counts.flops;
    }
    const Problem& p = s.problem;
    const Index optimum = p.multiplies() ? p.m * p.k * (s.grid.pn - 1) + p.k * p.n * (s.grid.pm - 1) +
                                               p.m * p.n * (s.grid.pk - 1)
                                         : 0;
    ASSERT_EQ(sum.received.words, optimum);
    ASSERT_EQ(sum.sent.words, optimum);
    ASSERT_EQ(sum.sent.messages, sum.received.messages);
    const double voxel = p.type == ScalarType::f32 || p.type == ScalarType::f64 ? 2 : 8;
    ASSERT_EQ(flops, p.multiplies() ? voxel * static_cast<double>(p.m * p.n * p.k) : 0);
  }
}

// The handful of ranks that `totals` looks at against all of them.
TEST(Totals, AreTheLargestOverAllRanks) {
  test::RandomSchedules random(5);
  for (int trial = 0; trial < 500; ++trial) {
    Schedule s = random.schedule(80, trial % 5 == 0 ? 150 : 40);
    if (trial % 3 == 0) s.transport = Transport::one_sided;
    SCOPED_TRACE(describe(s));
    Totals all{.ranks = s.grid.ranks()};
    for (int rank = 0; rank < s.grid.ranks(); ++rank) {
      const Program program = compile(s, rank);
      const program::Counts counts = program::count(program);
      const comm::Counters sum = counts.total();
      for (const Matrix x : all_matrices)
        ASSERT_EQ(moved(s, x, coordinates(s.grid, rank)), moved_of(program, x)) << "rank " << rank;
      all.words_total += sum.received.words;
      all.words_received = std::max(all.words_received, sum.received.words);
      all.words_sent = std::max(all.words_sent, sum.sent.words);
      all.messages_received = std::max(all.messages_received, sum.received.messages);
      all.messages_sent = std::max(all.messages_sent, sum.sent.messages);
      all.flops = std::max(all.flops, counts.flops);
      all.work_bytes = std::max(all.work_bytes, counts.held_bytes());
    }
    const Totals few = totals(s);
    ASSERT_EQ(few.words_total, all.words_total);
    ASSERT_EQ(few.words_received, all.words_received);
    ASSERT_EQ(few.words_sent, all.words_sent);
    ASSERT_EQ(few.messages_received, all.messages_received);
    ASSERT_EQ(few.messages_sent, all.messages_sent);
    ASSERT_EQ(few.flops, all.flops);
    ASSERT_EQ(few.work_bytes, all.work_bytes);
  }
}

TEST(Totals, BusiestIsNearTheMeanWhereDimensionsDivide) {
  for (const Grid grid : {Grid{2, 2, 2}, Grid{3, 4, 5}, Grid{1, 6, 10}, Grid{60, 1, 1}, Grid{8, 8, 1}})
    for (const Index rounds : {1, 4}) {
      const Schedule s{
          .problem = {.m = 14400, .n = 14400, .k = 14400}, .grid = grid, .rounds = {Dim::k, rounds}};
      const Totals t = totals(s);
      const double mean = static_cast<double>(t.words_total) / static_cast<double>(t.ranks);
      EXPECT_LE(static_cast<double>(t.words_received), 1.05 * mean) << describe(s);
      EXPECT_LE(static_cast<double>(t.words_sent), 1.05 * mean) << describe(s);
    }
}

TEST(Totals, FewestWordsIsWithinAColumnOfEven) {
  // 512 columns over 36 ranks: a direct reduce-scatter brings 35 * 15 columns to the first ranks.
  Schedule s{.problem = {.m = 512, .n = 512, .k = 32768}, .grid = {1, 1, 36}};
  s.collectives = Collectives::fewest_words;
  EXPECT_EQ(totals(s).words_received, 512 * (512 - 14));
}

TEST(Program, OneRankFibresUseTheUsersMemory) {
  const Schedule s{.problem = {.m = 64, .n = 64, .k = 64}, .grid = {1, 1, 1}};
  const Program program = compile(s, 0);
  ASSERT_EQ(program.actions.size(), 1u);
  EXPECT_EQ(program.array_counts[Place::work], 0);
  const auto& multiply = std::get<program::Multiply>(program.actions[0].what);
  EXPECT_EQ(multiply.a, (Place{array_of(Matrix::a), 0}));
  EXPECT_EQ(multiply.b, (Place{array_of(Matrix::b), 0}));
  EXPECT_EQ(multiply.c, (Place{array_of(Matrix::c), 0}));
  EXPECT_EQ(multiply.beta, beta_factor);
}

TEST(Program, WorkMemoryIsFacesOfOneRoundAndItsLookahead) {
  Schedule s{.problem = {.m = 64, .n = 96, .k = 128}, .grid = {2, 3, 2}, .rounds = {Dim::k, 4}};
  // A: 32 x 16 per round, B: 16 x 32 per round, C: 32 x 32.
  EXPECT_EQ(compile(s, 0).array_counts[Place::work], 32 * 16 + 16 * 32 + 32 * 32);
  s.lookahead = 1;
  EXPECT_EQ(compile(s, 0).array_counts[Place::work], 2 * (32 * 16 + 16 * 32) + 32 * 32);
  EXPECT_EQ(work_count(s), compile(s, 11).array_counts[Place::work]);
}

TEST(Program, RejectsWhatIsImpossible) {
  const Schedule good{.problem = {.m = 8, .n = 8, .k = 8}, .grid = {2, 2, 2}};
  const auto expect_error = [](Schedule s, int rank, const std::string& text) {
    try {
      check(s, 8);
      compile(s, rank);
      ADD_FAILURE() << "no error: " << text;
    } catch (const ArgumentError& e) {
      EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
    }
  };
  Schedule s = good;
  s.problem.m = -1;
  expect_error(s, 0, "m is -1, expected 0 or more");
  s = good;
  s.grid = {3, 3, 1};
  expect_error(s, 0, "the grid [3, 3, 1] has 9 ranks, expected at most 8");
  s.grid = {0, 1, 1};
  expect_error(s, 0, "the grid is [0, 1, 1], expected 1 or more parts of m");
  s = good;
  s.rounds = {Dim::n, 9};
  expect_error(s, 0, "9 rounds along n, expected 1 to 8");
  s.rounds = {Dim::n, 0};
  expect_error(s, 0, "0 rounds along n, expected 1 to 8");
  s = good;
  s.lookahead = -1;
  expect_error(s, 0, "lookahead is -1");
  s = good;
  s.combines = 9;
  expect_error(s, 0, "C is combined in 9 parts, expected 1 to 8");
  s.combines = 0;
  expect_error(s, 0, "C is combined in 0 parts, expected 1 to 8");
  s.combines = 2;
  s.rounds = {Dim::m, 2};
  expect_error(s, 0, "C is combined in 2 parts, expected 1 to 1 for the grid [2, 2, 2] and rounds along m");
  s.rounds = {Dim::k, 2};
  s.grid = {2, 2, 1};
  expect_error(s, 0, "C is combined in 2 parts, expected 1 to 1 for the grid [2, 2, 1]");
}

TEST(Program, PartsOfCAreCombinedWhileTheLastRoundsMultiply) {
  const Schedule s{.problem = {.m = 64, .n = 96, .k = 128},
                   .grid = {1, 2, 2},
                   .rounds = {Dim::k, 4},
                   .lookahead = 1,
                   .combines = 3};
  std::string order;  // of multiplies (by round) and combines
  Index columns = 0;
  const Program program = compile(s, 0);
  for (const program::Action& o : program.actions) {
    if (const auto* x = std::get_if<program::Multiply>(&o.what)) {
      order += static_cast<char>('0' + o.round);
      EXPECT_EQ(x->n, o.round < 2 ? 48 : 16);
    }
    if (const auto* c = std::get_if<program::Communicate>(&o.what);
        c != nullptr && program.phases[static_cast<std::size_t>(o.phase)] == phase_of(Matrix::c)) {
      const auto* x = &std::get<program::Collective>(c->what);
      order += 'C';
      EXPECT_EQ(x->from.offset, compile(s, 0).array_counts[Place::work] - 64 * 48 + 64 * columns);
      EXPECT_EQ(x->to, (Place{array_of(Matrix::c), 64 * columns / 2}));
      EXPECT_EQ(x->blocks.total(), 64 * 16);
      columns += 16;
    }
  }
  EXPECT_EQ(order, "0123C23C23C");
  EXPECT_EQ(columns, 48);
}

TEST(Simulate, WithoutOverlapIsTheSum) {
  const Machine machine;
  const Schedule s{.problem = {.m = 100, .n = 100, .k = 100}, .grid = {2, 2, 2}};
  const Timeline line = simulate(compile(s, 3), machine);
  EXPECT_DOUBLE_EQ(line.seconds, line.communicating + line.computing);
  EXPECT_DOUBLE_EQ(line.computing, machine.gamma * 2 * 50 * 50 * 50);
}

TEST(Simulate, PartsHideTheCombine) {
  const Machine machine{.alpha = 0, .beta = 1e-9, .gamma = 1e-10};
  Schedule s{
      .problem = {.m = 1024, .n = 1024, .k = 1024}, .grid = {1, 1, 4}, .rounds = {Dim::k, 4}, .lookahead = 1};
  const double whole = simulate(compile(s, 0), machine).seconds;
  s.combines = 4;
  const Timeline line = simulate(compile(s, 0), machine);
  // No gathers here. Two of four rounds are left when the first part is combined: all but the last part, a
  // quarter, hides behind them, since a part's multiply takes longer than its combine.
  const double combine = machine.beta * 1024 * 1024 * 3 / 4;
  EXPECT_NEAR(whole - line.seconds, combine * 3 / 4, 1e-12);
}

TEST(Simulate, LookaheadHidesGathersBehindMultiplies) {
  const Machine machine{.alpha = 0, .beta = 1e-9, .gamma = 1e-10};
  Schedule s{.problem = {.m = 1024, .n = 1024, .k = 1024}, .grid = {2, 2, 1}, .rounds = {Dim::k, 8}};
  const double blocking = simulate(compile(s, 0), machine).seconds;
  s.lookahead = 1;
  const Program program = compile(s, 0);
  const Timeline line = simulate(program, machine);
  EXPECT_LT(line.seconds, blocking);
  EXPECT_GE(line.seconds, std::max(line.communicating, line.computing));
  for (std::size_t i = 0; i < line.steps.size(); ++i)
    for (const int other : program.actions[i].waits)
      EXPECT_GE(line.steps[i].start, line.steps[static_cast<std::size_t>(other)].end);
}

}  // namespace
}  // namespace cairn::gemm
