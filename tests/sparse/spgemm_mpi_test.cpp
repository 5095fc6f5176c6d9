// Every algorithm on every number of ranks against the product by its definition.
#include "sparse/multiply_bricks.hpp"

#include "sparse/products.hpp"

using cairn::Index;
using cairn::comm::CommView;
using cairn::test::Kind;
using cairn::test::make_whole;
using cairn::test::WholeMatrix;
namespace sparse = cairn::sparse;
using sparse::DistSparse;
using sparse::SpgemmAlgorithm;
using sparse::SpgemmMethod;

namespace {

using SpgemmTest = cairn::test::MpiTest;
using cairn::test::expect_same;
using cairn::test::random_products;

}  // namespace

class SpgemmOfPair : public cairn::test::MpiTest, public testing::WithParamInterface<int> {};

TEST_P(SpgemmOfPair, EveryAlgorithmAndSemiringOnOneToSixteenRanksIsTheProduct) {
  for (const std::vector<int>& side_by_side :
       {std::vector<int>{16}, {15, 1}, {14, 2}, {13, 3}, {12, 4}, {11, 5}, {10, 6}, {9, 7}, {8}})
    cairn::test::check_pair(GetParam(), side_by_side);
}
INSTANTIATE_TEST_SUITE_P(All, SpgemmOfPair, testing::Range(0, cairn::test::number_of_pairs));

TEST_F(SpgemmTest, RandomShapesKindsSemiringsMasksAndPhases) {
  cairn::test::for_each_size([](CommView comm) { random_products(comm, cairn::test::trials(200)); });
}

// The numbers of ranks up to 16 that the others leave out.
TEST_F(SpgemmTest, TheOtherNumbersOfRanks) {
  for (const std::vector<int>& side_by_side : {std::vector<int>{10, 6}, {11}, {13}, {14}, {15}})
    cairn::test::on_parts(cairn::test::world(), side_by_side,
                          [](CommView comm) { random_products(comm, cairn::test::trials(60)); });
}

TEST_F(SpgemmTest, ASecondProductWithThePatternKnownSendsValuesAlone) {
  cairn::test::for_each_size([](CommView comm) {
    for (const SpgemmAlgorithm algorithm :
         {SpgemmAlgorithm::block_row, SpgemmAlgorithm::summa, SpgemmAlgorithm::summa_improved,
          SpgemmAlgorithm::outer_product, SpgemmAlgorithm::aware_2d, SpgemmAlgorithm::aware_3d}) {
      const SpgemmMethod method = sparse::named_method(algorithm, comm.size());
      const auto layouts = sparse::layouts_of(method, {40, 40, 40});
      sparse::Recall<double> recall;
      const auto kernel = sparse::make_kernel<double>(sparse::Semiring::plus_times);
      for (int round = 0; round < 3; ++round) {
        auto a = make_whole<double>(Kind::random, 40, 40, 5), b = make_whole<double>(Kind::random, 40, 40, 6);
        for (auto& [at, v] : a.entries) v += round;
        for (auto& [at, v] : b.entries) v += 2 * round;
        const auto da = cairn::test::spread(a, layouts.a, comm.rank());
        const auto db = cairn::test::spread(b, layouts.b, comm.rank());
        const auto before = comm.traffic().snapshot();
        const auto result =
            sparse::multiply_bricks<double>(comm, method, da, db, kernel, {.recall = &recall});
        expect_same(comm, result.c, cairn::test::reference_product<sparse::PlusTimes<double>>(a, b),
                    method.describe() + " round " + std::to_string(round));
        if (round == 0) continue;
        Index bytes = 0;
        for (const auto& [phase, counters] : (comm.traffic().snapshot() - before).phases)
          if (phase.find("agreement") == std::string::npos) bytes += counters.received.bytes;
        EXPECT_EQ(bytes, 8 * result.counts.entries_received()) << method.describe();
      }
    }
  });
}

TEST_F(SpgemmTest, ConversionsKeepTheMatrix) {
  cairn::test::for_each_size([](CommView comm) {
    const int p = comm.size();
    const auto whole = make_whole<double>(Kind::skewed, 33, 21, 9);
    std::vector<sparse::SparseLayout> layouts{sparse::SparseLayout::row_blocks(33, 21, p),
                                              sparse::SparseLayout::column_blocks(33, 21, p),
                                              sparse::SparseLayout::parse("on 0", 33, 21, p)};
    for (const auto algorithm : sparse::all_spgemm_algorithms())
      layouts.push_back(sparse::layouts_of(sparse::named_method(algorithm, p), {33, 7, 21}).a);
    for (std::size_t x = 0; x + 1 < layouts.size(); ++x) {
      const auto from = cairn::test::spread(whole, layouts[x], comm.rank());
      expect_same(comm, sparse::convert(comm, from, layouts[x + 1]), whole, layouts[x + 1].text());
      expect_same(comm, sparse::convert(comm, from, layouts[0]), whole, layouts[0].text());
    }
    const auto mine = cairn::test::spread(whole, layouts[1], comm.rank());
    const auto triples = sparse::global_triples(mine, comm.rank());
    expect_same(comm, sparse::from_triples<double>(comm, layouts.back(), triples), whole, "triples");
  });
}

TEST_F(SpgemmTest, WrongArgumentsAreTheSameErrorEverywhere) {
  cairn::test::on_ranks(4, [](CommView comm) {
    const auto kernel = sparse::make_kernel<double>(sparse::Semiring::plus_times);
    const auto method = sparse::named_method(SpgemmAlgorithm::aware_2d, 4);
    const auto layouts = sparse::layouts_of(method, {8, 8, 8});
    const auto a = make_whole<double>(Kind::random, 8, 8, 1);
    const auto da = cairn::test::spread(a, layouts.a, comm.rank());
    const auto rows = cairn::test::spread(a, sparse::SparseLayout::row_blocks(8, 8, 4), comm.rank());
    const auto multiply = [&](const SpgemmMethod& how, const DistSparse<double>& x,
                              const DistSparse<double>& y) {
      return [&, how] { sparse::multiply_bricks<double>(comm, how, x, y, kernel); };
    };
    cairn::test::expect_same_error<cairn::ArgumentError>(comm, multiply(method, rows, da),
                                                         "A lies as 'rows'");
    const auto tall = cairn::test::spread(make_whole<double>(Kind::random, 9, 8, 1), layouts.a, comm.rank());
    DistSparse<double> wrong = da;
    wrong.layout = sparse::layouts_of(method, {8, 8, 9}).b;
    cairn::test::expect_same_error<cairn::ArgumentError>(comm, multiply(method, da, wrong), "B is 9 x 8");
    SpgemmMethod none = method;
    none.phases = comm.rank() == 2 ? 0 : 1;
    cairn::test::expect_same_error<cairn::ArgumentError>(comm, multiply(none, da, da), "phases is 0");
    const auto large = sparse::named_method(SpgemmAlgorithm::aware_2d, 9);
    cairn::test::expect_same_error<cairn::ArgumentError>(comm, multiply(large, da, da), "expected at most 4");
  });
}
