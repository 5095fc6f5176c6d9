#include "bounds/sparse_table.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "bounds/numeric.hpp"

namespace cairn::bounds::sparse {
namespace {

// Orders of growth against the exact expectations of the same algorithms: the ratio stays within constants
// while n, d and P change by orders of magnitude.
void expect_same_order(const Cost& order, const Cost& exact, double least, double most, const Random& x) {
  EXPECT_GE(exact.words, least * order.words) << x.n << ' ' << x.d << ' ' << x.ranks;
  EXPECT_LE(exact.words, most * order.words) << x.n << ' ' << x.d << ' ' << x.ranks;
}

TEST(SparseTable, RowsGrowAsTheExactExpectations) {
  for (Index n : {1 << 16, 1 << 20, 1 << 24})
    for (double d : {2.0, 8.0, 32.0})
      for (Index ranks : {64, 1024, 65536}) {
        const Random x{n, d, ranks};
        expect_same_order(table1::naive_block_row(x), naive_block_row(x), 0.9, 1, x);
        expect_same_order(table1::outer_product(x), outer_product(x), 0.9, 1, x);
        expect_same_order(table1::summa(x), summa(x), 1.7, 2, x);
        expect_same_order(table1::iterative(x), iterative(x, balanced_layers(x)), 0.6, 5, x);
        expect_same_order(table1::recursive(x), recursive(x), 0.25, 4, x);
        if (d < as_real(ranks) / 4)  // the paper's condition d < P
          expect_same_order(table1::improved_block_row(x), improved_block_row(x), 0.8, 1, x);
      }
}

// Messages: a ring, steps of SUMMA, trees; of improved block row at most one a nonzero.
TEST(SparseTable, MessagesAreStepsCounted) {
  for (Index side : {2, 8, 32}) {
    const Index ranks = side * side;
    const Random x{1 << 16, 4, ranks};
    const double tree = as_real(test::rounds_to_reach(ranks));
    EXPECT_EQ(table1::naive_block_row(x).messages, naive_block_row(x).messages + 1);  // P, not P - 1 shifts
    EXPECT_EQ(table1::summa(x).messages, as_real(side));
    for (const Cost& row : {table1::improved_block_row(x), table1::outer_product(x), table1::iterative(x),
                            table1::recursive(x), table1::improved_summa(x, 1e9)})
      EXPECT_EQ(row.messages, tree);
    EXPECT_EQ(table1::improved_block_row({64, 1, ranks}).messages, std::min(tree, 64 / as_real(ranks)));
    EXPECT_EQ(table1::bound(x).messages, 1);
    EXPECT_EQ(table1::previous_bound(x, 100).messages, 0);
  }
}

TEST(SparseTable, NoRowIsBelowTheBound) {
  for (double d : {2.0, 8.0, 100.0})
    for (Index ranks : {4, 64, 65536}) {
      const Random x{1 << 20, d, ranks};
      for (const Cost& row :
           {table1::naive_block_row(x), table1::improved_block_row(x), table1::outer_product(x),
            table1::summa(x), table1::improved_summa(x, 1e6), table1::iterative(x), table1::recursive(x)})
        EXPECT_GE(row.words, table1::bound(x).words);
    }
}

// Gathering dn/sqrt(P) words in parts of M: log2(P) messages for each part begun.
TEST(SparseTable, ImprovedSummaGathersInParts) {
  const Random x{1 << 20, 16, 256};
  const Index words = (Index{1} << 24) / 16;
  for (Index memory : {words * 4, words, words / 8, words / 64}) {
    Index parts = 0;
    for (Index left = words; left > 0; left -= memory) ++parts;
    EXPECT_DOUBLE_EQ(table1::improved_summa(x, as_real(memory)).messages, 8 * as_real(parts));
  }
}

}  // namespace
}  // namespace cairn::bounds::sparse
