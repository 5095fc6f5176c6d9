// Table 1 of paper 004, counted: entries that each classical algorithm receives for random matrices.
#include "bounds/sparse.hpp"
#include "comm/collectives.hpp"
#include "sparse/generate_sparse.hpp"
#include "sparse/multiply_bricks.hpp"
#include "support/mpi_test.hpp"

using cairn::Index;
using cairn::comm::CommView;
namespace model = cairn::bounds::sparse;
namespace sparse = cairn::sparse;
using sparse::SpgemmAlgorithm;
using sparse::SpgemmMethod;

namespace {

using SpgemmTableTest = cairn::test::MpiTest;

struct Counted {
  double inputs = 0, rest = 0;  // entries received per rank on average
  double busiest = 0;           // over the mean
};

Counted count(CommView comm, const SpgemmMethod& method, Index n, double d) {
  sparse::Generator a = sparse::parse_generator("er n=" + std::to_string(n) + " d=" + std::to_string(d)),
                    b = a;
  b.seed = 77;
  const auto layouts = sparse::layouts_of(method, {n, n, n});
  const auto result = sparse::multiply_bricks<double>(
      comm, method, sparse::generate_sparse<double>(a, layouts.a, comm.rank()),
      sparse::generate_sparse<double>(b, layouts.b, comm.rank()),
      sparse::make_kernel<double>(sparse::Semiring::plus_times));
  const auto sum = [&](Index x) {
    return static_cast<double>(cairn::comm::allreduce(comm, x, cairn::comm::ReduceOp::sum)) / comm.size();
  };
  Counted c{sum(result.counts.inputs), sum(result.counts.gathered + result.counts.combined)};
  const Index most =
      cairn::comm::allreduce(comm, result.counts.entries_received(), cairn::comm::ReduceOp::max);
  c.busiest = static_cast<double>(most) / std::max(1.0, c.inputs + c.rest);
  return c;
}

void expect_within(double counted, double expected, const std::string& what) {
  EXPECT_NEAR(counted, expected, 0.03 * expected) << what;
}

// The cost of [pr, pc, c] without the inputs' all-to-all; the paper's for pr = pc.
double layered(const model::Random& x, const sparse::SparseGrid& g) {
  const double each = model::nonzeros(x) / g.ranks();
  const double n = static_cast<double>(x.n), density = x.d / n;
  const double partial = n * n / (g.pm * g.pn) * -std::expm1(n / g.pk * std::log1p(-density * density));
  return each * (g.pm - 1 + g.pn - 1) + (1 - 1.0 / g.pk) * partial;
}

void check_ranks(CommView comm, Index n, double d) {
  const model::Random x{n, d, comm.size()};
  const std::string where = " P=" + std::to_string(comm.size()) + " d=" + std::to_string(d);
  const auto words = [&](SpgemmAlgorithm algorithm, int layers = 0) {
    const Counted c =
        count(comm,
              sparse::named_method(algorithm, comm.size(), layers,
                                   {model::nonzeros(x), model::nonzeros(x), model::products(x)}),
              n, d);
    EXPECT_LE(c.busiest, 1.25) << sparse::name(algorithm) << where;
    return c;
  };
  expect_within(words(SpgemmAlgorithm::block_row_naive).rest, model::naive_block_row(x).words,
                "naive" + where);
  expect_within(words(SpgemmAlgorithm::block_row).rest, model::improved_block_row(x).words, "row" + where);
  expect_within(words(SpgemmAlgorithm::block_column).rest, model::improved_block_row(x).words,
                "column" + where);
  expect_within(words(SpgemmAlgorithm::outer_product).rest, model::outer_product(x).words, "outer" + where);
  expect_within(words(SpgemmAlgorithm::outer_product_improved).rest, model::outer_product(x).words,
                "outer improved" + where);
  if (comm.size() == 4 || comm.size() == 9 || comm.size() == 16) {
    expect_within(words(SpgemmAlgorithm::summa).rest, model::summa(x).words, "summa" + where);
    expect_within(words(SpgemmAlgorithm::summa_improved).rest, model::summa(x).words,
                  "summa improved" + where);
  }
  if (comm.size() == 4 || comm.size() == 16)
    expect_within(words(SpgemmAlgorithm::recursive).rest, model::recursive_unrolled(x).words,
                  "recursive" + where);
  for (int c = 1; c <= comm.size(); ++c) {
    if (comm.size() % c != 0) continue;
    const auto grid = sparse::named_method(SpgemmAlgorithm::iterative, comm.size(), c).grid;
    const Counted counted = words(SpgemmAlgorithm::iterative, c);
    expect_within(counted.rest, layered(x, grid), "iterative c=" + std::to_string(c) + where);
    EXPECT_LE(counted.inputs, 1.03 * 2 * (1 - 1.0 / c) * model::nonzeros(x) / comm.size());
  }
}

}  // namespace

TEST_F(SpgemmTableTest, EntriesReceivedAreTheTables) {
  for (const int ranks : {4, 6, 9, 16})
    cairn::test::on_ranks(ranks, [](CommView comm) {
      check_ranks(comm, 16384, 2);
      check_ranks(comm, 8192, 6);
    });
}

// Which is least for which d: 1D for d below sqrt P, 2D above (Figure 1).
TEST_F(SpgemmTableTest, OneDimensionWinsBelowTheSquareRootOfTheRanksTwoAbove) {
  cairn::test::on_ranks(16, [](CommView comm) {
    const auto received = [&](SpgemmAlgorithm algorithm, double d) {
      return count(comm, sparse::named_method(algorithm, 16), 8192, d).rest;
    };
    EXPECT_LT(received(SpgemmAlgorithm::block_row, 2), received(SpgemmAlgorithm::summa_improved, 2));
    EXPECT_GT(received(SpgemmAlgorithm::block_row, 16), received(SpgemmAlgorithm::summa_improved, 16));
    EXPECT_LT(received(SpgemmAlgorithm::aware_2d, 8), received(SpgemmAlgorithm::summa_improved, 8));
    EXPECT_LT(received(SpgemmAlgorithm::aware_2d, 8), received(SpgemmAlgorithm::block_row, 8));
  });
}
