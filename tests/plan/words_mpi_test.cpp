// Objective `words` on real ranks: what they receive is the optimum found by brute force.
#include "comm/collectives.hpp"
#include "gemm/product_runner.hpp"
#include "gemm/reference.hpp"
#include "plan/fewest_words.hpp"
#include "support/mpi_test.hpp"

namespace cairn::plan::test {
namespace {

using gemm::Matrix;

class WordsOnRanks : public cairn::test::MpiTest {};

struct Received {
  Index most = 0;
  Index total = 0;
};

// Collective. Multiplies by a plan, compares the result with a plain product, and returns what Traffic saw.
Received run(comm::CommView c, const Plan& plan) {
  const gemm::Schedule& s = plan.best.schedule;
  const gemm::test::Seeds seeds;
  const std::vector<double> a = gemm::test::local_part<double>(s, Matrix::a, c.rank(), seeds.a),
                            b = gemm::test::local_part<double>(s, Matrix::b, c.rank(), seeds.b);
  std::vector<double> result(
      static_cast<std::size_t>(gemm::NativeLayout(s, Matrix::c).local_count(c.rank())));
  gemm::ProductRunner context(c);
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  context.multiply<double>(s, 1.0, a, b, 0.0, std::span(result));
  const comm::TrafficSnapshot moved = c.traffic().snapshot() - before;
  gemm::test::expect_product<double>(s, c.rank(), seeds, 1.0, 0.0, result);
  Index mine = 0;
  for (const Matrix x : gemm::all_matrices) mine += moved.within(phase_of(x)).received.words;
  return {comm::allreduce(c, mine, comm::ReduceOp::max), comm::allreduce(c, mine, comm::ReduceOp::sum)};
}

// 36, unless the launch has fewer: an MPI library that spins takes very long with this many ranks per core.
int most_ranks() { return std::min(36, cairn::test::world().size()); }

// Of the 500 problems the 30 with the most ranks that are small enough to run; and some on as many as there
// are.
std::vector<Question> questions_to_run() {
  std::vector<Question> all = random_questions();
  std::erase_if(all, [](const Question& q) {
    const Problem& p = q.problem;
    return q.ranks < 2 || q.ranks > most_ranks() || p.m * p.n * p.k > 20'000'000 ||
           p.m * p.n + p.m * p.k + p.n * p.k > 4'000'000;
  });
  std::ranges::stable_sort(all, std::greater{}, &Question::ranks);
  EXPECT_GE(all.size(), most_ranks() == 36 ? 30u : 10u);
  all.resize(std::min<std::size_t>(all.size(), 30));
  for (const int ranks : {most_ranks() - 2, most_ranks() - 1, most_ranks()})
    for (const Problem& p : {problem(97, 83, 61), problem(30, 211, 150), problem(19, 23, 1009)})
      all.push_back({p, ranks});
  return all;
}

TEST_F(WordsOnRanks, AreTheOptimumOfAllGrids) {
  for (const Question& q : questions_to_run())
    cairn::test::on_ranks(q.ranks, [&](comm::CommView c) {
      const Plan plan = plan_multiply(q.problem, q.ranks, words_settings());
      SCOPED_TRACE(gemm::describe(plan.best.schedule) + " of " + std::to_string(q.ranks));
      EXPECT_EQ(run(c, plan).most, fewest_words(q.problem, q.ranks, 1.10));
    });
}

// Plans whose grid cuts every dimension into equal parts; where fewer words are moved on another grid, the
// planner takes that.
std::vector<Plan> plans_that_divide() {
  std::vector<Plan> all;
  for (const int ranks : {2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 27, 32, 36})
    for (const Problem& p : {problem(144, 144, 144), problem(72, 72, 864), problem(288, 288, 36)}) {
      const Plan plan = plan_multiply(p, ranks, words_settings());
      const auto divides = [&](gemm::Dim d) { return p.size(d) % plan.best.schedule.grid.extent(d) == 0; };
      if (ranks <= most_ranks() && std::ranges::all_of(gemm::all_dims, divides)) all.push_back(plan);
    }
  return all;
}

TEST_F(WordsOnRanks, BusiestIsNearTheMeanWhereDimensionsDivide) {
  const std::vector<Plan> plans = plans_that_divide();
  ASSERT_GE(plans.size(), most_ranks() == 36 ? 30u : 15u);
  for (const Plan& plan : plans)
    cairn::test::on_ranks(static_cast<int>(plan.ranks), [&](comm::CommView c) {
      SCOPED_TRACE(gemm::describe(plan.best.schedule) + " of " + std::to_string(plan.ranks));
      const Received received = run(c, plan);
      const auto ranks = static_cast<double>(plan.best.schedule.grid.ranks());
      EXPECT_LE(static_cast<double>(received.most), 1.05 * static_cast<double>(received.total) / ranks);
    });
}

}  // namespace
}  // namespace cairn::plan::test
