// Every algorithm on 25, 36 and 64 ranks, which share the cores, against the product by its definition.
#include "sparse/products.hpp"
#include "sparse/spgemm_run.hpp"

using cairn::comm::CommView;
using cairn::test::Kind;
namespace sparse = cairn::sparse;

namespace {

using ManyRanksTest = cairn::test::MpiTest;

void check_ranks(int ranks) {
  cairn::test::on_ranks(ranks,
                        [](CommView comm) { cairn::test::random_products(comm, cairn::test::trials(100)); });
}

}  // namespace

class ManyRanksOfPair : public cairn::test::MpiTest, public testing::WithParamInterface<int> {};

TEST_P(ManyRanksOfPair, EveryAlgorithmAndSemiringIsTheProduct) {
  cairn::test::check_pair(GetParam(), {25, 36});
  cairn::test::check_pair(GetParam(), {64});
}
INSTANTIATE_TEST_SUITE_P(All, ManyRanksOfPair, testing::Range(0, cairn::test::number_of_pairs));

TEST_F(ManyRanksTest, TwentyFive) { check_ranks(25); }
TEST_F(ManyRanksTest, ThirtySix) { check_ranks(36); }
TEST_F(ManyRanksTest, SixtyFour) { check_ranks(64); }

// The planner's own choice, from row blocks, and the same shuffled.
TEST_F(ManyRanksTest, PlannedProductsAreVerified) {
  cairn::test::on_ranks(25, [](CommView comm) {
    const auto a = cairn::test::make_whole<double>(Kind::skewed, 90, 90, 1);
    const auto rows = sparse::SparseLayout::row_blocks(90, 90, comm.size());
    const auto mine = cairn::test::spread(a, rows, comm.rank());
    const auto expected = cairn::test::reference_product<sparse::PlusTimes<double>>(a, a);
    for (const bool shuffle : {false, true}) {
      sparse::SpgemmRunOptions<double> options;
      options.shuffle = shuffle;
      options.verify = 1;
      const auto result = sparse::multiply_sparse(comm, mine, mine, options);
      cairn::test::expect_same(comm, result.c, expected, shuffle ? "shuffled" : "as it is");
    }
  });
}
