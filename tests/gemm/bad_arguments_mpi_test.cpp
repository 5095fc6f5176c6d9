// Every bad argument, on every rank or on one of them, is the same clear error on all ranks.
#include "gemm/product_runner.hpp"
#include "gemm/reference.hpp"
#include "plan/plan.hpp"
#include "support/mpi_test.hpp"

namespace cairn::gemm {
namespace {

// One call with everything right, to be spoilt in one place.
struct Call {
  explicit Call(comm::CommView c)
      : comm(c),
        context(c),
        schedule(plan::plan_named("summa2d-c", {.m = 20, .n = 30, .k = 40}, c.size()).best.schedule) {
    a = test::local_part<double>(schedule, Matrix::a, c.rank(), 1);
    b = test::local_part<double>(schedule, Matrix::b, c.rank(), 2);
    result = test::local_part<double>(schedule, Matrix::c, c.rank(), 3);
  }
  void operator()() {
    context.multiply<double>(schedule, alpha, std::span<const double>(a), std::span<const double>(b), beta,
                             std::span<double>(result));
  }
  bool last() const { return comm.rank() == comm.size() - 1; }

  comm::CommView comm;
  ProductRunner context;
  Schedule schedule;
  double alpha = 1, beta = 0;
  std::vector<double> a, b, result;
};

// What is spoilt, what the error must say, and whether it takes two ranks to see it.
struct Mistake {
  std::function<void(Call&)> spoil;
  std::string text;
  bool needs_two = false;
};

std::vector<Mistake> mistakes() {
  return {
      {[](Call& x) { x.schedule.problem.m = -3; }, "m is -3, expected 0 or more"},
      {[](Call& x) { x.schedule.problem.k = -1; }, "k is -1, expected 0 or more"},
      {[](Call& x) {
         x.schedule.grid = {x.comm.size() + 1, 1, 1};
       },
       "ranks, expected at most"},
      {[](Call& x) {
         x.schedule.grid = {1, 0, 1};
       },
       "expected 1 or more parts of n"},
      {[](Call& x) {
         x.schedule.grid = {1 << 30, 1 << 30, 1 << 30};
       },
       "exceeds 64 bits"},
      {[](Call& x) {
         x.schedule.rounds = {Dim::k, 0};
       },
       "0 rounds along k, expected 1 to 40"},
      {[](Call& x) {
         x.schedule.rounds = {Dim::m, 21};
       },
       "21 rounds along m, expected 1 to 20"},
      {[](Call& x) { x.schedule.lookahead = -1; }, "lookahead is -1"},
      {[](Call& x) { x.schedule.problem.type = ScalarType::c32; }, "the schedule is for complex<float>"},
      {[](Call& x) { x.a.push_back(0); }, "a has "},
      {[](Call& x) { x.b.clear(); }, "b has 0 elements on this rank, expected "},
      {[](Call& x) { x.result.push_back(0); }, "c has "},
      {[](Call& x) {
         if (x.last()) x.a.push_back(0);
       },
       "a has "},
      {[](Call& x) {
         if (x.last()) x.schedule.problem.n = 31;
       },
       "", true},
      {[](Call& x) {
         if (x.last()) x.alpha = 2;
       },
       "alpha is 1 on rank 0 and 2 on rank ", true},
      {[](Call& x) {
         if (x.last()) x.beta = 1;
       },
       "beta is 0 on rank 0 and 1 on rank ", true},
      {[](Call& x) {
         if (x.last()) x.schedule.lookahead = 3;
       },
       ", lookahead 3 on rank ", true},
      {[](Call& x) {
         if (x.last()) x.schedule.link.alpha *= 2;
       },
       "schedule differs between ranks 0 and ", true},
      {[](Call& x) { x.schedule.transport = Transport::one_sided; }, "split off"},
  };
}

class BadMultiply : public cairn::test::MpiTest {};

TEST_F(BadMultiply, IsTheSameErrorOnAllRanks) {
  cairn::test::for_each_size([](comm::CommView c) {
    for (const Mistake& mistake : mistakes()) {
      if (mistake.needs_two && c.size() == 1) continue;
      Call call(c);
      mistake.spoil(call);
      SCOPED_TRACE(mistake.text);
      cairn::test::expect_same_error<Error>(
          c, [&] { call(); }, "multiply: ");
      cairn::test::expect_same_error<Error>(
          c, [&] { call(); }, mistake.text);
    }
  });
}

TEST_F(BadMultiply, LeavesTheContextUsable) {
  cairn::test::for_each_size([](comm::CommView c) {
    Call call(c);
    const Schedule good = call.schedule;
    for (const Mistake& mistake : mistakes()) {
      if (mistake.needs_two && c.size() == 1) continue;
      Call spoilt(c);
      mistake.spoil(spoilt);
      EXPECT_THROW(call.context.multiply<double>(spoilt.schedule, spoilt.alpha, spoilt.a, spoilt.b,
                                                 spoilt.beta, std::span(spoilt.result)),
                   Error);
      ASSERT_NO_THROW(call());
    }
    test::expect_product<double>(good, c.rank(), {}, 1.0, 0.0, call.result);
  });
}

TEST_F(BadMultiply, NullAndOverlap) {
  cairn::test::for_each_size([](comm::CommView c) {
    Call call(c);
    const auto null = std::span<const double>(static_cast<const double*>(nullptr), call.a.size());
    cairn::test::expect_same_error<ArgumentError>(
        c,
        [&] {
          call.context.multiply<double>(call.schedule, 1.0,
                                        c.rank() == 0 ? null : std::span<const double>(call.a), call.b, 0.0,
                                        std::span(call.result));
        },
        "rank 0: a is null with ");
    // C in the memory of A.
    std::vector<double> both(call.a.size() + call.result.size());
    cairn::test::expect_same_error<ArgumentError>(
        c,
        [&] {
          call.context.multiply<double>(call.schedule, 1.0,
                                        std::span<const double>(both).first(call.a.size()), call.b, 0.0,
                                        std::span(both).first(call.result.size()));
        },
        "c overlaps a");
  });
}

TEST_F(BadMultiply, NoMemoryOnOneRankIsEverybodysError) {
  cairn::test::for_each_size([](comm::CommView c) {
    Call call(c);
    if (work_count(call.schedule) == 0) return;
    ProductRunner small(c, {.work_bytes = c.rank() == 0 ? 8 : -1});
    cairn::test::expect_same_error<MemoryError>(
        c,
        [&] {
          small.multiply<double>(call.schedule, 1.0, std::span<const double>(call.a), call.b, 0.0,
                                 std::span(call.result));
        },
        "rank 0: pool: ");
  });
}

}  // namespace
}  // namespace cairn::gemm
