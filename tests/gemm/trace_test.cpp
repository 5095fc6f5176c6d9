// The recorder, and traces of simulated Programs: against what the Program says and what is counted.
#include "program/trace.hpp"

#include "gemm/compile.hpp"
#include "gemm/count.hpp"
#include "gemm/placement.hpp"
#include "gemm/random_schedules.hpp"
#include "layout/kinds.hpp"
#include "program/count.hpp"
#include "program/simulate.hpp"
#include "program/trace_checks.hpp"

namespace cairn::gemm {
namespace {

namespace checks = program::test;
using program::Activity;
using program::CoreScope;
using program::Program;
using program::Timeline;
using program::Trace;
using program::TraceEvent;

TEST(Trace, CommunicationsUnderWayTogetherHaveLanesOfTheirOwn) {
  Trace trace;
  const comm::Counters moved{{1, 20, 160}, {2, 30, 240}};
  const auto a = trace.begin("gather A", 0, moved), b = trace.begin("gather B", 0, {});
  { const CoreScope multiply(&trace, Activity::compute, "multiply", 7); }
  trace.end(a);
  const auto c = trace.begin("gather A", 1, {}), d = trace.begin("combine C", 1, {});
  for (const std::size_t communication : {b, c, d}) trace.end(communication);
  const std::vector<TraceEvent>& events = trace.events();
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[a].lane, 1);
  EXPECT_EQ(events[b].lane, 2);
  EXPECT_EQ(events[c].lane, 1);  // free again
  EXPECT_EQ(events[d].lane, 3);
  EXPECT_EQ(events[a].moved, moved);
  EXPECT_EQ(events[2].phase_name(), "multiply");
  EXPECT_EQ(events[2].round, 7);
  EXPECT_LE(events[a].start, events[2].start);
  EXPECT_LE(events[2].end, events[a].end);
  checks::expect_lanes_in_order(events);
  trace.start();
  EXPECT_TRUE(trace.events().empty());
  EXPECT_EQ(events[trace.begin("gather", 0, {})].lane, 1);
}

TEST(Trace, NamesWhatIsWaitedFor) {
  const auto named = [](Activity activity, std::string_view phase) {
    TraceEvent event{.activity = activity};
    event.set_phase(phase);
    return label(event);
  };
  EXPECT_EQ(named(Activity::wait, "gather B"), "wait for gather B");
  EXPECT_EQ(named(Activity::start, "combine C"), "start combine C");
  EXPECT_EQ(named(Activity::compute, "multiply"), "multiply");
  EXPECT_EQ(named(Activity::compute, "a phase whose name is too long"), "a phase whose name is ");
}

// The core multiplies or waits, without a gap, until all is over.
void expect_core_without_gaps(const std::vector<TraceEvent>& events, double seconds) {
  double end = 0;
  const auto lanes = checks::by_lane(events);
  if (lanes.contains(TraceEvent::core))
    for (const TraceEvent& e : lanes.at(TraceEvent::core)) {
      EXPECT_DOUBLE_EQ(e.start, end) << label(e);
      end = e.end;
    }
  EXPECT_DOUBLE_EQ(end, seconds);
}

TEST(TraceOf, HasEveryOperationAndTheCountedWords) {
  const Machine machine;
  test::RandomSchedules random(11);
  for (int trial = 0; trial < 300; ++trial) {
    Schedule s = random.schedule(60, 20);
    if (trial % 3 == 0) s.transport = Transport::one_sided;
    SCOPED_TRACE(describe(s));
    for (int rank = 0; rank < s.grid.ranks() + 1; ++rank) {
      const Program program = compile(s, rank);
      const Timeline line = program::simulate(program, machine);
      const std::vector<TraceEvent> events = trace_of(program, line);
      checks::expect_actions(program, events, true);
      checks::expect_lanes_in_order(events);
      expect_core_without_gaps(events, line.seconds);
      for (const Matrix x : all_matrices)
        ASSERT_EQ(checks::moved_by(events, phase_of(x)), moved_of(program, x))
            << name(x) << " of rank " << rank;
    }
    if (HasFailure()) return;
  }
}

// Gathers of later rounds that start while an earlier round multiplies.
int gathers_ahead(const std::vector<TraceEvent>& events) {
  int ahead = 0;
  for (const TraceEvent& gather : events)
    for (const TraceEvent& multiply : events)
      if (gather.activity == Activity::communicate && multiply.phase_name() == "multiply")
        ahead += gather.round > multiply.round && gather.start < multiply.end;
  return ahead;
}

TEST(TraceOf, ShowsLookahead) {
  const Machine machine{.alpha = 0, .beta = 1e-9, .gamma = 1e-10};
  Schedule s{.problem = {.m = 512, .n = 512, .k = 512}, .grid = {2, 2, 1}, .rounds = {Dim::k, 8}};
  const auto events = [&] {
    const Program program = compile(s, 3);
    return trace_of(program, program::simulate(program, machine));
  };
  EXPECT_EQ(gathers_ahead(events()), 0);
  s.lookahead = 1;
  EXPECT_GE(gathers_ahead(events()), 2 * 7);  // of A and of B, for every round but the first
}

TEST(BusiestRank, ReceivesMostWords) {
  test::RandomSchedules random(12);
  for (int trial = 0; trial < 400; ++trial) {
    Schedule s = random.schedule(80, trial % 5 == 0 ? 150 : 40);
    if (trial % 3 == 0) s.transport = Transport::one_sided;
    SCOPED_TRACE(describe(s));
    const int busiest = busiest_rank(s);
    ASSERT_LT(busiest, s.grid.ranks());
    Index most = 0;
    for (int rank = 0; rank < s.grid.ranks(); ++rank)
      most = std::max(most, program::count(compile(s, rank)).total().received.words);
    ASSERT_EQ(program::count(compile(s, busiest)).total().received.words, most);
  }
}

TEST(SimulatedTrace, OfMatricesInPlaceHasTheCountedWordsAndAllFlops) {
  const Problem problem{.m = 50, .n = 41, .k = 33, .op_a = Op::transpose};
  const std::array layouts{layout::parse_layout("block-cyclic 2x2 mb=8 nb=4", 33, 50),
                           layout::parse_layout("rows 4", 33, 41),
                           layout::parse_layout("block-cyclic 2x2 mb=8 nb=8", 50, 41)};
  const Machine machine{.alpha = 1e-6, .beta = 1e-9, .gamma = 1e-10};
  for (const Matrix stays : {Matrix::a, Matrix::c}) {
    Schedule p = in_place(problem, layouts, stays).value();
    for (const Index rounds : {1, 3})
      for (const Dim along : all_dims) {
        p.rounds = {along, rounds};
        p.lookahead = rounds > 1 ? 1 : 0;
        SCOPED_TRACE(describe(p));
        double multiplying = 0;
        for (int rank = 0; rank < 5; ++rank) {
          const Program program = compile(p, rank, 5);
          const std::vector<TraceEvent> events = trace_of(program, program::simulate(program, machine));
          checks::expect_lanes_in_order(events);
          for (const std::string_view phase : {"gather", "combine C"})
            EXPECT_EQ(checks::moved_by(events, phase), moved_in(program, phase)) << phase;
          for (const TraceEvent& e : events)
            if (e.activity == Activity::compute) multiplying += e.end - e.start;
        }
        EXPECT_NEAR(multiplying, machine.gamma * 2 * 50 * 41 * 33, 1e-15);
      }
  }
}

}  // namespace
}  // namespace cairn::gemm
