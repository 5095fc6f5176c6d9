// What people do around a product, against the same done entry by entry; random permutations; planning without ranks;
// memory that is kept to.
#include "sparse/dist_operations.hpp"

#include <numeric>
#include <set>

#include "comm/collectives.hpp"
#include "sparse/generate_sparse.hpp"
#include "sparse/products.hpp"
#include "sparse/spgemm_run.hpp"

using cairn::Index;
using cairn::comm::CommView;
using cairn::test::expect_same;
using cairn::test::Kind;
using cairn::test::make_whole;
using cairn::test::WholeMatrix;
namespace sparse = cairn::sparse;
using sparse::DistSparse;
using sparse::SparseLayout;

namespace {

using SparseOperationsTest = cairn::test::MpiTest;
using Whole = WholeMatrix<double>;

// The matrix whose entries are f(place, value, put) of the entries of another.
template <class F>
Whole mapped(const Whole& a, Index rows, Index columns, F&& f) {
  Whole c{rows, columns, {}};
  for (const auto& [at, x] : a.entries)
    f(at.first, at.second, x, [&](Index i, Index j, double v) { c.entries[{i, j}] = v; });
  return c;
}

template <class S>
Whole sum_of(const Whole& a, const Whole& b) {
  Whole c = a;
  for (const auto& [at, x] : b.entries) {
    const auto [slot, fresh] = c.entries.try_emplace(at, x);
    if (!fresh) slot->second = S::add(slot->second, x);
  }
  return c;
}

template <class S>
Whole elements_of(const Whole& a, const Whole& b) {
  Whole c{a.rows, a.columns, {}};
  for (const auto& [at, x] : a.entries)
    if (const auto y = b.entries.find(at); y != b.entries.end()) c.entries[at] = S::multiply(x, y->second);
  return c;
}

std::vector<Index> random_order(Index size, unsigned seed) {
  std::vector<Index> p(static_cast<std::size_t>(size));
  std::iota(p.begin(), p.end(), 0);
  std::shuffle(p.begin(), p.end(), std::mt19937(seed));
  return p;
}

}  // namespace

TEST_F(SparseOperationsTest, SumsAndElementwiseProductsFromAnyLayouts) {
  cairn::test::for_each_size([](CommView comm) {
    const Whole a = make_whole<double>(Kind::skewed, 23, 31, 1),
                b = make_whole<double>(Kind::dense_row, 23, 31, 2);
    const auto da = cairn::test::spread(a, SparseLayout::column_blocks(23, 31, comm.size()), comm.rank());
    const auto db = cairn::test::spread(b, SparseLayout::row_blocks(23, 31, comm.size()), comm.rank());
    for (const sparse::Semiring semiring : sparse::all_semirings)
      sparse::dispatch<double>(semiring, [&]<class S>() {
        expect_same(comm, sparse::add_sparse(comm, da, db, semiring), sum_of<S>(a, b), "sum");
        expect_same(comm, sparse::multiply_elements_sparse(comm, da, db, semiring), elements_of<S>(a, b),
                    "elements");
      });
    const auto other = cairn::test::spread(make_whole<double>(Kind::empty, 31, 23, 2),
                                           SparseLayout::row_blocks(31, 23, comm.size()), comm.rank());
    cairn::test::expect_same_error<cairn::ArgumentError>(
        comm, [&] { sparse::add_sparse(comm, da, other, sparse::Semiring::plus_times); }, "B is 31 x 23");
  });
}

TEST_F(SparseOperationsTest, SelectedExtractedAndPermuted) {
  cairn::test::for_each_size([](CommView comm) {
    const Whole a = make_whole<double>(Kind::skewed, 29, 22, 7);
    const auto da = cairn::test::spread(a, SparseLayout::row_blocks(29, 22, comm.size()), comm.rank());
    const auto keep = [](Index i, Index j, const double& x) { return i > j && x > 3; };
    expect_same(comm, sparse::select_sparse<double>(da, comm.rank(), keep),
                mapped(a, 29, 22,
                       [&](Index i, Index j, double x, auto put) {
                         if (keep(i, j, x)) put(i, j, x);
                       }),
                "select");
    const std::vector<Index> rows{5, 28, 0, 5}, columns{21, 3, 4, 0, 7};
    expect_same(
        comm, sparse::extract_sparse(comm, da, std::span<const Index>(rows), std::span<const Index>(columns)),
        mapped(a, 4, 5,
               [&](Index i, Index j, double x, auto put) {
                 for (Index r = 0; r < 4; ++r)
                   for (Index c = 0; c < 5; ++c)
                     if (rows[static_cast<std::size_t>(r)] == i && columns[static_cast<std::size_t>(c)] == j)
                       put(r, c, x);
               }),
        "extract");
    const std::vector<Index> p = random_order(29, 1), q = random_order(22, 2);
    expect_same(comm, sparse::permute_sparse(comm, da, std::span<const Index>(p), std::span<const Index>(q)),
                mapped(a, 29, 22,
                       [&](Index i, Index j, double x, auto put) {
                         put(p[static_cast<std::size_t>(i)], q[static_cast<std::size_t>(j)], x);
                       }),
                "permute");
    const sparse::Shuffle m(29, 4), n(22, 4);
    const auto shuffled = sparse::shuffle_sparse(comm, da, m, n);
    expect_same(comm, shuffled,
                mapped(a, 29, 22, [&](Index i, Index j, double x, auto put) { put(m(i), n(j), x); }),
                "shuffle");
    expect_same(comm, sparse::shuffle_sparse(comm, shuffled, m, n, true), a, "back");
    const std::vector<Index> wrong(29, 0);
    cairn::test::expect_same_error<cairn::ArgumentError>(
        comm, [&] { sparse::permute_sparse<double>(comm, da, wrong, {}); }, "twice");
    const std::vector<Index> outside{29};
    cairn::test::expect_same_error<cairn::ArgumentError>(
        comm, [&] { sparse::extract_sparse<double>(comm, da, outside, {}); },
        "rows[0] is 29, expected 0 to 28");
  });
}

TEST_F(SparseOperationsTest, AProductOfShuffledMatricesIsTheProduct) {
  cairn::test::for_each_size([](CommView comm) {
    const Whole a = make_whole<double>(Kind::skewed, 30, 40, 1),
                b = make_whole<double>(Kind::skewed, 40, 20, 2);
    const Whole mask = make_whole<double>(Kind::dense_row, 30, 20, 3);
    const auto da = cairn::test::spread(a, SparseLayout::row_blocks(30, 40, comm.size()), comm.rank());
    const auto db = cairn::test::spread(b, SparseLayout::row_blocks(40, 20, comm.size()), comm.rank());
    const auto dm = cairn::test::spread(mask, SparseLayout::row_blocks(30, 20, comm.size()), comm.rank());
    sparse::SpgemmRunOptions<double> options;
    options.shuffle = true;
    options.verify = 2;
    expect_same(comm, sparse::multiply_sparse(comm, da, db, options).c,
                cairn::test::reference_product<sparse::PlusTimes<double>>(a, b), "shuffled");
    options.verify = 0;
    options.mask = &dm;
    expect_same(comm, sparse::multiply_sparse(comm, da, db, options).c,
                cairn::test::reference_product<sparse::PlusTimes<double>>(a, b, &mask), "shuffled, masked");
  });
}

// Planning needs no ranks: the sample of whole matrices is the one that ranks make together.
TEST_F(SparseOperationsTest, ASampleOfWholeMatricesIsTheRanksSample) {
  cairn::test::for_each_size([](CommView comm) {
    for (const char* text : {"er n=700 d=5", "rmat scale=9 d=6", "stencil5 nx=20"}) {
      const auto generator = sparse::parse_generator(text);
      const auto grids = sparse::spgemm_grids(comm.size());
      const sparse::SampleLimits limits{.entries = 2000, .voxels = 3000};
      const auto whole = sparse::generate<double>(generator);
      const auto layout = SparseLayout::row_blocks(generator.rows, generator.columns, comm.size());
      const auto mine = sparse::generate_sparse<double>(generator, layout, comm.rank());
      const auto one = sparse::sample_whole(whole, whole, comm.size(), grids, limits);
      const auto all = sparse::sample_product(comm, mine, mine, grids, limits);
      EXPECT_EQ(one.entries_a, all.entries_a) << text;
      EXPECT_EQ(one.voxels, all.voxels) << text;
      EXPECT_EQ(one.sampled_k, all.sampled_k) << text;
      EXPECT_DOUBLE_EQ(one.entries_c, all.entries_c) << text;
      EXPECT_DOUBLE_EQ(one.entries_c_error, all.entries_c_error) << text;
      EXPECT_EQ(sparse::plan_spgemm(one).explain(), sparse::plan_spgemm(all).explain());
      for (std::size_t g = 0; g < grids.size(); ++g) {
        EXPECT_DOUBLE_EQ(one.grids[g].a_needed, all.grids[g].a_needed) << text;
        EXPECT_DOUBLE_EQ(one.grids[g].layer_entries, all.grids[g].layer_entries) << text;
        EXPECT_DOUBLE_EQ(one.grids[g].work, all.grids[g].work) << text;
        EXPECT_DOUBLE_EQ(one.grids[g].crowding, all.grids[g].crowding) << text;
        EXPECT_DOUBLE_EQ(one.grids[g].send_crowding, all.grids[g].send_crowding) << text;
        EXPECT_DOUBLE_EQ(one.grids[g].shuffled_work, all.grids[g].shuffled_work) << text;
      }
    }
  });
}

// A graph whose first vertices know everybody: advice, and what it promises comes true.
TEST_F(SparseOperationsTest, AdviceToShuffleIsGivenWhereItHelps) {
  cairn::test::on_ranks(16, [](CommView comm) {
    const auto sample_of = [&](const DistSparse<double>& x) {
      return sparse::sample_product(comm, x, x, {{4, 4, 1}});
    };
    Whole a{400, 400, {}};
    std::mt19937 random(5);
    for (Index i = 0; i < 400; ++i)
      for (Index j = 0; j < 400; ++j)
        if (random() % 400 < (i < 100 && j < 100 ? 60U : 2U)) a.entries[{i, j}] = 1;
    const auto rows = cairn::test::spread(a, SparseLayout::row_blocks(400, 400, 16), comm.rank());
    const auto plan = sparse::plan_spgemm(sample_of(rows));
    EXPECT_NE(plan.advice(), "") << plan.explain();
    const sparse::Shuffle by(400, 1);
    const auto shuffled = sparse::plan_spgemm(sample_of(sparse::shuffle_sparse(comm, rows, by, by)));
    EXPECT_EQ(shuffled.advice(), "") << shuffled.explain();
    EXPECT_LT(shuffled.best.cost.work, 0.5 * plan.best.cost.work);
    EXPECT_NEAR(shuffled.best.cost.work, plan.best.cost.shuffled_work, 0.35 * shuffled.best.cost.work);
  });
}

// A limit that was planned for less than there turns out to be: the run cuts its phases further, or refuses.
TEST_F(SparseOperationsTest, MemoryIsKeptToInTheRun) {
  for (const int ranks : {1, 4, 6, 16})
    cairn::test::on_ranks(ranks, [](CommView comm) {
      const Whole a = make_whole<double>(Kind::full, 60, 60, 1);
      for (const auto algorithm :
           {sparse::SpgemmAlgorithm::block_row, sparse::SpgemmAlgorithm::aware_2d,
            sparse::SpgemmAlgorithm::outer_product, sparse::SpgemmAlgorithm::block_row_naive,
            sparse::SpgemmAlgorithm::summa}) {
        const auto method = sparse::named_method(algorithm, comm.size());
        const auto layouts = sparse::layouts_of(method, {60, 60, 60});
        const auto da = cairn::test::spread(a, layouts.a, comm.rank());
        const auto db = cairn::test::spread(a, layouts.b, comm.rank());
        const auto kernel = sparse::make_kernel<double>(sparse::Semiring::plus_times);
        const auto run = [&](Index limit) {
          return sparse::multiply_bricks<double>(comm, method, da, db, kernel, {.memory_bytes = limit});
        };
        const auto expected = cairn::test::reference_product<sparse::PlusTimes<double>>(a, a);
        const auto free = run(100'000'000);
        EXPECT_EQ(free.counts.phases, 1);
        Index limit = 400'000;
        int phases = 1;
        for (; phases == 1 && limit > 10'000; limit = limit * 9 / 10) {
          try {
            const auto tight = run(limit);
            phases = cairn::comm::allreduce(comm, tight.counts.phases, cairn::comm::ReduceOp::max);
            expect_same(comm, tight.c, expected, method.describe());
          } catch (const cairn::MemoryError&) {
            break;
          }
        }
        // Where much of what a rank holds is A, phases may be of no use.
        if (method.grid.pn == 1) {
          EXPECT_GT(phases, 1) << method.describe() << " " << limit;
        }
        cairn::test::expect_same_error<cairn::MemoryError>(
            comm, [&] { run(1000); }, "a rank may hold 1000 bytes");
      }
    });
}
