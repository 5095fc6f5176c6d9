// Multiplies over MPI against a plain product, and what they moved against what was counted before.
#include <mpi.h>

#include "comm/collectives.hpp"
#include "comm/library.hpp"
#include "gemm/count.hpp"
#include "gemm/product_runner.hpp"
#include "gemm/random_trees.hpp"
#include "gemm/reference.hpp"
#include "plan/plan.hpp"
#include "program/count.hpp"
#include "support/mpi_test.hpp"

namespace cairn::gemm {
namespace {

class Multiply : public cairn::test::MpiTest {};

template <Scalar T>
T scalar(test::RandomSchedules& random) {
  const Index kind = random.number(0, 3);
  if (kind == 0) return T(0);
  if (kind == 1) return T(1);
  return test::element<T>(99, random.number(0, 1000), 0);
}

template <Scalar T>
void fill_with_nan(std::vector<T>& values) {
  std::fill(values.begin(), values.end(), T(std::numeric_limits<Real<T>>::quiet_NaN()));
}

void expect_counted(const Schedule& s, int rank, const comm::TrafficSnapshot& moved) {
  const program::Program program = compile(s, rank);
  for (const std::string& phase : program.phases)
    ASSERT_EQ(moved.within(phase), program::moved_in(program, phase))
        << phase << " of rank " << rank << ", " << describe(s);
}

template <Scalar T>
void multiply_and_compare(ProductRunner& context, Schedule s, T alpha, T beta) {
  const comm::CommView c = context.comm();
  s.problem.alpha = kind_of(alpha);
  s.problem.beta = kind_of(beta);
  const test::Seeds seeds;
  std::vector<T> a = test::local_part<T>(s, Matrix::a, c.rank(), seeds.a),
                 b = test::local_part<T>(s, Matrix::b, c.rank(), seeds.b),
                 result = test::local_part<T>(s, Matrix::c, c.rank(), seeds.c);
  if (beta == T(0)) fill_with_nan(result);
  if (alpha == T(0)) fill_with_nan(a), fill_with_nan(b);
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  context.multiply<T>(s, alpha, std::span<const T>(a), std::span<const T>(b), beta, std::span<T>(result));
  if (testing::Test::HasFatalFailure()) return;  // the first one is enough; the other ranks go on
  expect_counted(s, c.rank(), c.traffic().snapshot() - before);
  test::expect_product<T>(s, c.rank(), seeds, alpha, beta, result);
}

void multiply_random(ProductRunner& context, const Schedule& s, test::RandomSchedules& random) {
  dispatch(s.problem.type, [&]<class T>() {
    const T alpha = scalar<T>(random), beta = scalar<T>(random);
    multiply_and_compare<T>(context, s, alpha, beta);
  });
}

// Every second schedule has a random grid, the others a name.
Schedule random_schedule(test::RandomSchedules& random, int ranks) {
  Schedule s = random.schedule(200, ranks);
  if (random.chance(0.5)) return s;
  plan::Settings settings;
  settings.candidates = 1;
  settings.objective = random.chance(0.5) ? Objective::time : Objective::words;
  settings.lookahead = static_cast<int>(random.number(0, 2));
  return plan::plan_named(random.pick(plan::algorithm_names()), s.problem, ranks, settings).best.schedule;
}

// Communicators of these sizes side by side.
void on_sizes(int first, int second, const std::function<void(comm::CommView)>& body) {
  const int rank = cairn::test::world().rank();
  const int color = rank < first ? 0 : rank < first + second ? 1 : -1;
  const comm::Communicator part = cairn::test::world().split(color, rank);
  if (part) body(part);
}

// MPICH spins while it makes communicators, which takes about a second for 16 ranks on two cores, and nearly
// every trial has a grid of its own: a twelfth of the trials there.
int trials(int usual) {
  return comm::mpi_library().version.starts_with("MPICH") ? usual / 12 : cairn::test::trials(usual);
}

constexpr int trials_a_size = 190;  // 16 sizes: 3,040 multiplies

void random_multiplies(comm::CommView c) {
  test::RandomSchedules random(1000 + static_cast<std::uint64_t>(c.size()));
  ProductRunner context(c);
  for (int trial = 0; trial < trials(trials_a_size); ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial) + " on " + std::to_string(c.size()) + " ranks");
    const Schedule s = random_schedule(random, c.size());
    multiply_random(context, s, random);
  }
}

TEST_F(Multiply, RandomOn16) { on_sizes(16, 0, random_multiplies); }
TEST_F(Multiply, RandomOn15And1) { on_sizes(15, 1, random_multiplies); }
TEST_F(Multiply, RandomOn14And2) { on_sizes(14, 2, random_multiplies); }
TEST_F(Multiply, RandomOn13And3) { on_sizes(13, 3, random_multiplies); }
TEST_F(Multiply, RandomOn12And4) { on_sizes(12, 4, random_multiplies); }
TEST_F(Multiply, RandomOn11And5) { on_sizes(11, 5, random_multiplies); }
TEST_F(Multiply, RandomOn10And6) { on_sizes(10, 6, random_multiplies); }
TEST_F(Multiply, RandomOn9And7) { on_sizes(9, 7, random_multiplies); }
TEST_F(Multiply, RandomOn8) { on_sizes(8, 0, random_multiplies); }

constexpr int trees_a_size = 140;  // 17 sizes: 2,380 multiplies

void random_trees(comm::CommView c) {
  test::RandomTrees random(2000 + static_cast<std::uint64_t>(c.size()));
  ProductRunner context(c);
  for (int trial = 0; trial < trials(trees_a_size); ++trial) {
    const Schedule s =
        random.schedule(150, static_cast<int>(random.number(std::max(1, c.size() - 2), c.size())));
    SCOPED_TRACE("trial " + std::to_string(trial) + ": " + describe(s));
    multiply_random(context, s, random);
  }
}

TEST_F(Multiply, TreesOn16) { on_sizes(16, 0, random_trees); }
TEST_F(Multiply, TreesOn15And1) { on_sizes(15, 1, random_trees); }
TEST_F(Multiply, TreesOn14And2) { on_sizes(14, 2, random_trees); }
TEST_F(Multiply, TreesOn13And3) { on_sizes(13, 3, random_trees); }
TEST_F(Multiply, TreesOn12And4) { on_sizes(12, 4, random_trees); }
TEST_F(Multiply, TreesOn11And5) { on_sizes(11, 5, random_trees); }
TEST_F(Multiply, TreesOn10And6) { on_sizes(10, 6, random_trees); }
TEST_F(Multiply, TreesOn9And7) { on_sizes(9, 7, random_trees); }
TEST_F(Multiply, TreesOn8And8) { on_sizes(8, 8, random_trees); }

TEST_F(Multiply, OneSided) {
  test::RandomSchedules random(5);
  ProductRunner context(cairn::test::world());
  for (int trial = 0; trial < trials(150); ++trial) {
    Schedule s = random.schedule(120, cairn::test::world().size());
    s.transport = Transport::one_sided;
    SCOPED_TRACE("trial " + std::to_string(trial) + ": " + describe(s));
    multiply_random(context, s, random);
  }
}

// The same plan gives the same bits, call after call and with kept buffers.
TEST_F(Multiply, SamePlanSameBits) {
  cairn::test::for_each_size([](comm::CommView c) {
    const Schedule s = plan::plan_named("cosma", {.m = 150, .n = 90, .k = 130}, c.size()).best.schedule;
    ProductRunner context(c);
    const auto a = test::local_part<double>(s, Matrix::a, c.rank(), 1),
               b = test::local_part<double>(s, Matrix::b, c.rank(), 2);
    std::vector<double> first, again = test::local_part<double>(s, Matrix::c, c.rank(), 3);
    for (int repeat = 0; repeat < 4; ++repeat) {
      std::swap(first, again);
      again = test::local_part<double>(s, Matrix::c, c.rank(), 3);
      context.multiply<double>(s, 1.5, a, b, 0.5, std::span(again));
      if (repeat > 0) {
        ASSERT_EQ(first, again);
      }
    }
  });
}

// A batch of one shape makes communicators and buffers once.
TEST_F(Multiply, BatchesReuseEverything) {
  cairn::test::for_each_size([](comm::CommView c) {
    const Schedule s{
        .problem = {.m = 64, .n = 64, .k = 64},
        .grid = plan::plan_named("cosma", {.m = 64, .n = 64, .k = 64}, c.size()).best.schedule.grid};
    ProductRunner context(c);
    const auto a = test::local_part<double>(s, Matrix::a, c.rank(), 1),
               b = test::local_part<double>(s, Matrix::b, c.rank(), 2);
    auto result = test::local_part<double>(s, Matrix::c, c.rank(), 3);
    context.multiply<double>(s, 1.0, a, b, 0.0, std::span(result));
    const Index kept = context.pool().kept_bytes();
    const comm::TrafficSnapshot before = c.traffic().snapshot();
    for (int i = 0; i < 5; ++i) context.multiply<double>(s, 1.0, a, b, 0.0, std::span(result));
    EXPECT_EQ(context.pool().kept_bytes(), kept);
    EXPECT_EQ(context.pool().leased().now, 0);
    EXPECT_EQ(context.pool().leased().peak, work_count(s) * 8);
    const comm::TrafficSnapshot moved = c.traffic().snapshot() - before;
    for (const auto& [phase, counters] : moved.phases)
      EXPECT_TRUE(counters == comm::Counters{} || phase == "agreement" || phase.starts_with("gather ") ||
                  phase.starts_with("combine "))
          << phase;  // no process grid is made again
  });
}

}  // namespace
}  // namespace cairn::gemm
