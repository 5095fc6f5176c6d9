// The planner's predictions against what was moved, its choice against the best, and the checks of products.
#include <cmath>

#include "comm/collectives.hpp"
#include "sparse/cases.hpp"
#include "sparse/generate_sparse.hpp"
#include "sparse/spgemm_run.hpp"
#include "sparse/spmm.hpp"
#include "support/mpi_test.hpp"

using cairn::Index;
using cairn::comm::CommView;
using cairn::test::Kind;
using cairn::test::make_whole;
namespace sparse = cairn::sparse;
using sparse::DistSparse;
using sparse::SparseLayout;
using sparse::SpgemmAlgorithm;

namespace {

using SpgemmPlanTest = cairn::test::MpiTest;

sparse::SpgemmSample sampled(CommView comm, const std::string& text) {
  const sparse::Generator ga = sparse::parse_generator(text);
  sparse::Generator gb = ga;
  if (ga.family == sparse::Family::er) gb.seed += 1;
  const auto layout = SparseLayout::row_blocks(ga.rows, ga.columns, comm.size());
  return sparse::sample_product(comm, sparse::generate_sparse<double>(ga, layout, comm.rank()),
                                sparse::generate_sparse<double>(gb, layout, comm.rank()),
                                sparse::spgemm_grids(comm.size()));
}

// Bytes received, without agreements.
struct Received {
  double mean = 0, busiest = 0;
  double judged() const { return std::max(mean, busiest / 1.25); }
};
Received run_bytes(CommView comm, const std::string& text, const sparse::SpgemmMethod& method) {
  const sparse::Generator ga = sparse::parse_generator(text);
  sparse::Generator gb = ga;
  if (ga.family == sparse::Family::er) gb.seed += 1;
  const auto layouts = sparse::layouts_of(method, {ga.rows, gb.columns, ga.columns});
  const auto a = sparse::generate_sparse<double>(ga, layouts.a, comm.rank());
  const auto b = sparse::generate_sparse<double>(gb, layouts.b, comm.rank());
  const auto before = comm.traffic().snapshot();
  sparse::multiply_bricks<double>(comm, method, a, b,
                                  sparse::make_kernel<double>(sparse::Semiring::plus_times));
  double bytes = 0;
  for (const auto& [phase, counters] : (comm.traffic().snapshot() - before).phases)
    if (phase.find("agreement") == std::string::npos) bytes += static_cast<double>(counters.received.bytes);
  return {cairn::comm::allreduce(comm, bytes, cairn::comm::ReduceOp::sum) / comm.size(),
          cairn::comm::allreduce(comm, bytes, cairn::comm::ReduceOp::max)};
}

}  // namespace

TEST_F(SpgemmPlanTest, PredictedBytesAreWhatMovesAndTheChoiceIsNearTheBest) {
  cairn::test::on_ranks(12, [](CommView comm) {
    for (const char* text : {"er n=4096 d=2", "er n=4096 d=12", "stencil5 nx=48", "rmat scale=10 d=6"}) {
      const auto sample = sampled(comm, text);
      const bool random = std::string(text).starts_with("er");
      EXPECT_EQ(sample.looks_random(), random) << text;
      const auto plan = sparse::plan_spgemm(sample);
      double best = INFINITY;
      std::vector<sparse::SpgemmCandidate> all = plan.others;
      all.insert(all.begin(), plan.best);
      for (const auto& candidate : all) {
        // A band on a 2D grid moves little because few ranks do anything.
        const bool uneven = candidate.cost.work > 2 * plan.best.cost.work;
        if (candidate.method.grid.ranks() != comm.size() || uneven) continue;
        const Received received = run_bytes(comm, text, candidate.method);
        const double bytes = received.mean;
        best = std::min(best, received.judged());
        if (random) {
          EXPECT_NEAR(candidate.cost.bytes, bytes, 0.06 * bytes + 60) << text << candidate.method.describe();
        }
      }
      EXPECT_LE(run_bytes(comm, text, plan.best.method).judged(), 1.15 * best)
          << text << " " << plan.explain();
      if (std::string(text).starts_with("stencil")) {
        EXPECT_LE(plan.best.cost.work, 1.5) << plan.explain();
      }
    }
  });
}

// Lists cost more than they save where nearly every k is needed, and columns of C more than rows of it.
TEST_F(SpgemmPlanTest, ByTimeListsAndRowsAreWeighed) {
  cairn::test::on_ranks(4, [](CommView comm) {
    sparse::SpgemmPlanOptions options;
    options.objective = sparse::SpgemmObjective::time;
    const auto best = [&](const std::string& text) {
      return sparse::plan_spgemm(sampled(comm, text), options).best.method;
    };
    EXPECT_EQ(best("er n=8192 d=16").describe(), "summa-improved on [2, 2, 1]");
    EXPECT_EQ(best("er n=65536 d=2").describe(), "block-row on [4, 1, 1]");
    EXPECT_EQ(best("stencil5 nx=96").describe(), "block-row on [4, 1, 1]");
  });
}

TEST_F(SpgemmPlanTest, CountsAreExactAndTheProductsEntriesAreWithinThreeErrors) {
  cairn::test::for_each_size([](CommView comm) {
    for (const char* text : {"er n=600 d=5", "stencil9 nx=20", "rmat scale=8 d=4"}) {
      const auto generator = sparse::parse_generator(text);
      const auto layout = SparseLayout::column_blocks(generator.rows, generator.columns, comm.size());
      const auto a = sparse::generate_sparse<double>(generator, layout, comm.rank());
      sparse::SampleLimits limits;
      limits.voxels = 1500;
      const auto s = sparse::sample_product(comm, a, a, sparse::spgemm_grids(comm.size()), limits);
      const auto whole = sparse::generate<double>(generator);
      const auto c = sparse::spgemm<sparse::PlusTimes<double>>(whole, whole);
      Index voxels = 0;
      for (const Index v : sparse::spgemm_voxels(whole.pattern(), whole.pattern())) voxels += v;
      EXPECT_EQ(s.entries_a, whole.entries());
      EXPECT_EQ(s.voxels, voxels);
      EXPECT_NEAR(s.entries_c, static_cast<double>(c.entries()), 4 * s.entries_c_error + 1) << text;
    }
  });
}

TEST_F(SpgemmPlanTest, MemoryIsHonouredByPhasesOrRefused) {
  cairn::test::on_ranks(4, [](CommView comm) {
    const auto sample = sampled(comm, "er n=1024 d=12");
    const auto free = sparse::plan_spgemm(sample);
    sparse::SpgemmPlanOptions options;
    options.memory_bytes = static_cast<Index>(0.6 * free.best.cost.memory_bytes);
    const auto tight = sparse::plan_spgemm(sample, options);
    EXPECT_GT(tight.best.method.phases, 1);
    EXPECT_LE(tight.best.cost.memory_bytes, static_cast<double>(*options.memory_bytes));
    options.memory_bytes = 1000;
    EXPECT_THROW(sparse::plan_spgemm(sample, options), cairn::MemoryError);
  });
}

TEST_F(SpgemmPlanTest, ProductsFromAnyLayoutsArePlannedRunAndVerified) {
  cairn::test::for_each_size([](CommView comm) {
    const auto a = make_whole<double>(Kind::random, 30, 40, 1),
               b = make_whole<double>(Kind::skewed, 40, 20, 2);
    const auto da = cairn::test::spread(a, SparseLayout::column_blocks(30, 40, comm.size()), comm.rank());
    const auto db = cairn::test::spread(b, SparseLayout::parse("on 0", 40, 20, comm.size()), comm.rank());
    for (const auto semiring : sparse::all_semirings) {
      sparse::SpgemmRunOptions<double> options;
      options.semiring = semiring;
      options.verify = 2;
      auto result = sparse::multiply_sparse(comm, da, db, options);
      const auto expected = sparse::dispatch<double>(
          semiring, [&]<class S>() { return cairn::test::reference_product<S>(a, b); });
      EXPECT_EQ(result.c.local, cairn::test::spread(expected, result.c.layout, comm.rank()).local);
      EXPECT_GT(result.verdict->rows, 0);
      // One wrong entry is found.
      const bool mine = result.c.local.entries() > 0;
      const int first =
          cairn::comm::allreduce(comm, mine ? comm.rank() : comm.size(), cairn::comm::ReduceOp::min);
      if (comm.rank() == first) result.c.local.values[0] += 1;
      EXPECT_FALSE(sparse::check_product(comm, da, db, result.c, semiring).passed);
    }
  });
}

TEST_F(SpgemmPlanTest, SparseTimesDenseIsByItsDefinition) {
  cairn::test::for_each_size([](CommView comm) {
    const auto a = make_whole<double>(Kind::skewed, 33, 27, 4);
    for (const Index r : {1, 3})
      for (const char* text : {"rows", "columns", "on 0"}) {
        const auto da = cairn::test::spread(a, SparseLayout::parse(text, 33, 27, comm.size()), comm.rank());
        const auto in = sparse::dense_range(comm, 27), out = sparse::dense_range(comm, 33);
        std::vector<double> x, expected(static_cast<std::size_t>(33 * r), 0.0);
        const auto value = [&](Index k, Index c) { return static_cast<double>((k * 7 + c * 3) % 11) - 5; };
        for (Index k = in.first; k < in.first + in.count; ++k)
          for (Index c = 0; c < r; ++c) x.push_back(value(k, c));
        for (const auto& [at, v] : a.entries)
          for (Index c = 0; c < r; ++c)
            expected[static_cast<std::size_t>(at.first * r + c)] += v * value(at.second, c);
        const auto y = sparse::multiply_dense<double>(comm, da, x, r);
        ASSERT_EQ(std::ssize(y), out.count * r);
        for (std::size_t i = 0; i < y.size(); ++i)
          EXPECT_EQ(y[i], expected[static_cast<std::size_t>(out.first * r) + i]);
      }
  });
}
