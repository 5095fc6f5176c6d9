// Trees on more ranks than the random multiplies of tests/gemm have: results and words, random and planned.
#include "gemm/product_runner.hpp"
#include "gemm/random_trees.hpp"
#include "gemm/reference.hpp"
#include "plan/plan.hpp"
#include "program/count.hpp"
#include "support/mpi_test.hpp"
#include "support/trials.hpp"

namespace cairn::plan::test {
namespace {

using gemm::Matrix;

class TreesOnRanks : public cairn::test::MpiTest {};

template <Scalar T>
void multiply_and_count(comm::CommView c, const gemm::Schedule& s) {
  SCOPED_TRACE(gemm::describe(s));
  const gemm::test::Seeds seeds;
  const std::vector<T> a = gemm::test::local_part<T>(s, Matrix::a, c.rank(), seeds.a),
                       b = gemm::test::local_part<T>(s, Matrix::b, c.rank(), seeds.b);
  std::vector<T> result = gemm::test::local_part<T>(s, Matrix::c, c.rank(), seeds.c);
  gemm::Schedule counted = s;
  counted.problem.beta = gemm::Coefficient::other;
  gemm::ProductRunner context(c);
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  context.multiply<T>(s, T(1), a, b, T(0.5), std::span(result));
  const comm::TrafficSnapshot moved = c.traffic().snapshot() - before;
  gemm::test::expect_product<T>(s, c.rank(), seeds, T(1), T(0.5), result);
  const program::Program program = gemm::compile(counted, c.rank(), c.size());
  for (const std::string& phase : program.phases)
    ASSERT_EQ(moved.within(phase), program::moved_in(program, phase)) << phase << " of rank " << c.rank();
}

TEST_F(TreesOnRanks, RandomAndPlanned) {
  for (const int ranks : {17, 22, 30, 36}) {
    if (ranks > cairn::test::world().size()) continue;
    cairn::test::on_ranks(ranks, [&](comm::CommView c) {
      gemm::test::RandomTrees random(static_cast<std::uint64_t>(ranks));
      for (int trial = 0; trial < cairn::test::trials(24); ++trial) {
        const gemm::Schedule s = random.schedule(90, ranks);
        dispatch(s.problem.type, [&]<class T>() { multiply_and_count<T>(c, s); });
      }
      multiply_and_count<double>(c, plan_named("tree", {.m = 120, .n = 110, .k = 130}, ranks).best.schedule);
    });
  }
}

}  // namespace
}  // namespace cairn::plan::test
