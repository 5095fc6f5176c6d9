// Traces of multiplies that ran: every operation of the Program, and the words that Traffic counted.
#include "comm/collectives.hpp"
#include "gemm/placement.hpp"
#include "gemm/product_runner.hpp"
#include "gemm/random_schedules.hpp"
#include "gemm/reference.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/kinds.hpp"
#include "program/trace_checks.hpp"
#include "support/mpi_test.hpp"

namespace cairn::gemm {
namespace {

namespace checks = program::test;
using program::Activity;
using program::Trace;
using program::TraceEvent;

class TraceMpi : public cairn::test::MpiTest {};

std::vector<TraceEvent> multiply_traced(ProductRunner& context, Trace& trace, const Schedule& s) {
  const int rank = context.comm().rank();
  const auto a = test::local_part<double>(s, Matrix::a, rank, 1),
             b = test::local_part<double>(s, Matrix::b, rank, 2);
  auto c = test::local_part<double>(s, Matrix::c, rank, 3);
  trace.start();
  context.multiply<double>(s, 1.5, a, b, 0.5, std::span(c));
  return trace.events();
}

Schedule pick(test::RandomSchedules& random, int ranks) {
  Schedule s = random.schedule(90, ranks);
  s.problem.type = ScalarType::f64;
  s.problem.beta = Coefficient::other;
  s.problem.alpha = Coefficient::other;
  return s;
}

void expect_recorded(ProductRunner& context, const Schedule& s) {
  SCOPED_TRACE(describe(s));
  Trace trace;
  context.record(&trace);
  comm::Traffic& traffic = context.comm().traffic();
  const comm::TrafficSnapshot before = traffic.snapshot();
  const std::vector<TraceEvent> events = multiply_traced(context, trace, s);
  const comm::TrafficSnapshot moved = traffic.snapshot() - before;
  for (const Matrix x : all_matrices)
    EXPECT_EQ(checks::moved_by(events, phase_of(x)), moved.within(phase_of(x))) << name(x);
  checks::expect_actions(compile(s, context.comm().rank()), events, false);
  checks::expect_lanes_in_order(events);
  for (const TraceEvent& e : events) EXPECT_LE(e.end, trace.now());
  context.record(nullptr);
  EXPECT_TRUE(multiply_traced(context, trace, s).empty());
}

TEST_F(TraceMpi, HasEveryOperationAndTheWordsOfTraffic) {
  cairn::test::for_each_size([](comm::CommView c) {
    test::RandomSchedules random(70 + static_cast<std::uint64_t>(c.size()));
    ProductRunner context(c);
    for (int trial = 0; trial < 12; ++trial) expect_recorded(context, pick(random, c.size()));
  });
}

TEST_F(TraceMpi, OneSided) {
  test::RandomSchedules random(71);
  ProductRunner context(cairn::test::world());
  for (int trial = 0; trial < 12; ++trial) {
    Schedule s = pick(random, context.comm().size());
    s.transport = Transport::one_sided;
    expect_recorded(context, s);
  }
}

// The gathers of the next round are started before this one multiplies, whatever the clock says.
TEST_F(TraceMpi, LookaheadStartsLaterRoundsBeforeAnEarlierMultiplyEnds) {
  cairn::test::on_ranks(4, [](comm::CommView c) {
    const Schedule s{
        .problem = {.m = 200, .n = 200, .k = 200}, .grid = {2, 2, 1}, .rounds = {Dim::k, 5}, .lookahead = 1};
    ProductRunner context(c);
    Trace trace;
    context.record(&trace);
    const std::vector<TraceEvent> events = multiply_traced(context, trace, s);
    for (Index round = 1; round < 5; ++round) {
      const auto is = [&](Activity activity, std::string_view phase, Index r) {
        return std::ranges::find_if(events, [=](const TraceEvent& e) {
          return e.activity == activity && e.phase_name() == phase && e.round == r;
        });
      };
      const auto gather = is(Activity::communicate, "gather A", round),
                 multiply = is(Activity::compute, "multiply", round - 1);
      ASSERT_TRUE(gather != events.end() && multiply != events.end());
      EXPECT_LT(gather->start, multiply->end) << "round " << round;
    }
  });
}

TEST_F(TraceMpi, MatricesInPlace) {
  cairn::test::on_ranks(4, [](comm::CommView comm) {
    const Problem problem{.m = 50, .n = 41, .k = 33};
    const std::array layouts{layout::parse_layout("block-cyclic 2x2 mb=8 nb=4", 50, 33),
                             layout::parse_layout("rows 4", 33, 41),
                             layout::parse_layout("block-cyclic 2x2 mb=8 nb=8", 50, 41)};
    for (const Matrix stays : {Matrix::a, Matrix::c})
      for (const Index rounds : {1, 3}) {
        Schedule p = in_place(problem, layouts, stays).value();
        p.rounds = {Dim::n, rounds};
        p.lookahead = rounds > 1 ? 1 : 0;
        SCOPED_TRACE(describe(p));
        std::vector<layout::DistMatrix<double>> m;
        for (const layout::Layout& l : layouts) m.emplace_back(l, comm.rank());
        for (auto& x : m) fill(x.view(), comm.rank(), [](Index i, Index j) { return double(i - j); });
        Trace trace;
        ProductRunner context(comm);
        context.record(&trace);
        const auto part = [](layout::DistMatrix<double>& x) {
          return LocalPart<double>(x.view().data, x.view().elements, x.view().leading_dimension);
        };
        const auto read = [&](layout::DistMatrix<double>& x) {
          return LocalPart<const double>(x.view().data, x.view().elements, x.view().leading_dimension);
        };
        const comm::TrafficSnapshot before = comm.traffic().snapshot();
        context.multiply<double>(p, 1.0, read(m[0]), read(m[1]), 0.0, part(m[2]));
        const comm::TrafficSnapshot moved = comm.traffic().snapshot() - before;
        for (const std::string_view phase : {"gather", "combine C"})
          EXPECT_EQ(checks::moved_by(trace.events(), phase), moved.within(phase)) << phase;
        checks::expect_lanes_in_order(trace.events());
        EXPECT_EQ(std::ranges::count(trace.events(), "multiply", &TraceEvent::phase_name), rounds);
      }
  });
}

}  // namespace
}  // namespace cairn::gemm
