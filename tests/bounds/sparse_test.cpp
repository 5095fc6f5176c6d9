#include "bounds/sparse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "bounds/numeric.hpp"

namespace cairn::bounds::sparse {
namespace {

using test::relative;
using Pattern = std::vector<std::vector<Index>>;  // the columns of each row

Pattern draw(Index n, double d, std::mt19937_64& random) {
  std::bernoulli_distribution nonzero(d / as_real(n));
  Pattern rows(static_cast<std::size_t>(n));
  for (auto& row : rows)
    for (Index j = 0; j < n; ++j)
      if (nonzero(random)) row.push_back(j);
  return rows;
}

const std::vector<Index>& row(const Pattern& a, Index i) { return a[static_cast<std::size_t>(i)]; }

template <class Keep>
double count_entries(const Pattern& a, Keep keep) {
  Index count = 0;
  for (Index i = 0; i < static_cast<Index>(a.size()); ++i)
    for (Index j : row(a, i)) count += keep(i, j);
  return as_real(count);
}

// Entries (i, j) of C that the k indices `inner` meet, for i and j as `keep` says.
template <class Inner, class Keep>
double count_made(const Pattern& a, const Pattern& b, Inner inner, Keep keep) {
  Index count = 0;
  for (Index i = 0; i < static_cast<Index>(a.size()); ++i) {
    std::set<Index> columns;
    for (Index k : row(a, i))
      if (inner(k))
        for (Index j : row(b, k))
          if (keep(i, j)) columns.insert(j);
    count += static_cast<Index>(columns.size());
  }
  return as_real(count);
}

// Averages over matrices; and over ranks where that is cheap.
constexpr int trials = 6;
struct Drawn {
  Pattern a, b;
};
std::vector<Drawn> matrices(Index n, double d) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n) * 1000 + static_cast<std::uint64_t>(d));
  std::vector<Drawn> all;
  for (int t = 0; t < trials; ++t) {
    Pattern a = draw(n, d, random);
    all.push_back({std::move(a), draw(n, d, random)});
  }
  return all;
}

double naive_words(const Drawn& x, Index n, Index ranks) {
  double sum = 0;
  for (Index r = 0; r < ranks; ++r)
    sum += count_entries(x.b, [&](Index i, Index) { return i / (n / ranks) != r; });
  return sum / as_real(ranks);
}

double improved_words(const Drawn& x, Index n, Index ranks) {
  Index words = 0;
  for (Index r = 0; r < ranks; ++r) {
    std::set<Index> rows;
    for (Index i = r * (n / ranks); i < (r + 1) * (n / ranks); ++i)
      for (Index j : row(x.a, i))
        if (j / (n / ranks) != r) rows.insert(j);
    for (Index j : rows) words += static_cast<Index>(row(x.b, j).size());
  }
  return as_real(words) / as_real(ranks);
}

double outer_words(const Drawn& x, Index n, Index ranks) {
  double sum = 0;
  for (Index r = 0; r < ranks; ++r)
    sum += count_made(
        x.a, x.b, [&](Index k) { return k / (n / ranks) == r; },
        [&](Index i, Index) { return i / (n / ranks) != r; });
  return sum / as_real(ranks);
}

double summa_words(const Drawn& x, Index n, Index side) {
  const Index b = n / side;
  double sum = 0;
  for (Index s = 0; s < side; ++s)
    for (Index t = 0; t < side; ++t) {
      sum += count_entries(x.a, [&](Index i, Index j) { return i / b == s && j / b != t; });
      sum += count_entries(x.b, [&](Index i, Index j) { return j / b == t && i / b != s; });
    }
  return sum / as_real(side * side);
}

// Rank (s, t) of layer l: layer l has the k with k mod c = l. It owns, of A's face, the columns of block t;
// of B's, the rows of block s; of C's, the columns with j mod c = l. Before that it held a 2D block.
double iterative_words(const Drawn& x, Index n, Index side, Index root_c) {
  const Index c = root_c * root_c, b = n / side, first = n / (side * root_c);
  double sum = 0;
  for (Index s = 0; s < side; ++s)
    for (Index t = 0; t < side; ++t)
      for (Index l = 0; l < c; ++l) {
        const Index s2 = s * root_c + l / root_c, t2 = t * root_c + l % root_c;  // its place in the 2D grid
        const auto held = [&](Index i, Index j) { return i / first == s2 && j / first == t2; };
        sum += count_entries(
            x.a, [&](Index i, Index j) { return i / b == s && j / b == t && j % c == l && !held(i, j); });
        sum += count_entries(
            x.b, [&](Index i, Index j) { return i / b == s && j / b == t && i % c == l && !held(i, j); });
        sum += count_entries(x.a, [&](Index i, Index j) { return i / b == s && j / b != t && j % c == l; });
        sum += count_entries(x.b, [&](Index i, Index j) { return j / b == t && i / b != s && i % c == l; });
        sum += count_made(
            x.a, x.b, [&](Index k) { return k % c == l; },
            [&](Index i, Index j) { return i / b == s && j / b == t && j % c != l; });
      }
  return sum / as_real(side * side * c);
}

struct Case {
  Index n;
  double d;
};
const std::vector<Case> cases{{256, 3}, {512, 4}, {384, 10}};

template <class Count>
double mean(const Case& x, Count count) {
  double sum = 0;
  for (const Drawn& m : matrices(x.n, x.d)) sum += count(m);
  return sum / trials;
}

TEST(Sparse, NonzerosAndProductsAreTheMeanOfMatrices) {
  for (const Case& x : cases) {
    const Random er{x.n, x.d, 1};
    const auto all = [](Index, Index) { return true; };
    EXPECT_LT(relative(nonzeros(er), mean(x, [&](const Drawn& m) { return count_entries(m.a, all); })), 0.03);
    EXPECT_LT(relative(products(er), mean(x,
                                          [&](const Drawn& m) {
                                            double sum = 0;
                                            for (const auto& r : m.a)
                                              for (Index k : r)
                                                sum += as_real(static_cast<Index>(row(m.b, k).size()));
                                            return sum;
                                          })),
              0.04);
    EXPECT_LT(relative(nonzeros_of_c(er), mean(x,
                                               [&](const Drawn& m) {
                                                 return count_made(
                                                     m.a, m.b, [](Index) { return true; }, all);
                                               })),
              0.04);
  }
}

TEST(Sparse, OneDimensionalAlgorithmsAreTheMeanOfMatrices) {
  for (const Case& x : cases)
    for (Index ranks : {4, 32}) {
      const Random er{x.n, x.d, ranks};
      EXPECT_LT(
          relative(naive_block_row(er).words, mean(x, [&](auto& m) { return naive_words(m, x.n, ranks); })),
          0.03);
      EXPECT_LT(relative(improved_block_row(er).words,
                         mean(x, [&](auto& m) { return improved_words(m, x.n, ranks); })),
                0.04);
      EXPECT_LT(
          relative(outer_product(er).words, mean(x, [&](auto& m) { return outer_words(m, x.n, ranks); })),
          0.04);
    }
}

TEST(Sparse, TwoAndThreeDimensionalAlgorithmsAreTheMeanOfMatrices) {
  for (const Case& x : cases) {
    for (Index side : {2, 4, 8})
      EXPECT_LT(relative(summa({x.n, x.d, side * side}).words,
                         mean(x, [&](auto& m) { return summa_words(m, x.n, side); })),
                0.03);
    for (Index side : {2, 4})
      EXPECT_LT(relative(iterative({x.n, x.d, side * side * 4}, 4).words,
                         mean(x, [&](auto& m) { return iterative_words(m, x.n, side, 2); })),
                0.04);
    EXPECT_LT(relative(iterative({x.n, x.d, 64}, 1).words, summa({x.n, x.d, 64}).words), 1e-12);
  }
}

// All orders of splits, not only the greedy one.
double least_over_orders(const Random& x, double m, double k, double ranks) {
  if (ranks <= 1) return 0;
  const double n = as_real(x.n);
  // Two ranks of a pair swap what they hold of A and B; of four, each sends three quarters of its part of C.
  const double a_part = x.d * m * k / n / ranks, c_part = m * m * (k / 4) * x.d * x.d / (n * n) / (ranks / 4);
  return std::min(2 * a_part + least_over_orders(x, m / 2, k, ranks / 4),
                  0.75 * c_part + least_over_orders(x, m, k / 4, ranks / 4));
}

TEST(Sparse, RecursiveIsTheBestOrderOfSplits) {
  for (double d : {1.0, 3.0, 4.0, 8.0, 30.0, 100.0})
    for (Index ranks : {1, 4, 64, 1024, 65536}) {
      const Random x{1000000, d, ranks};
      const double least = least_over_orders(x, 1e6, 1e6, as_real(ranks));
      EXPECT_LT(std::abs(recursive_unrolled(x).words - least), 1e-9 * (1 + least));
      EXPECT_LT(std::abs(recursive(x).words - least), 1e-9 * (1 + least));
    }
}

// With few ranks only m is split: a 2D algorithm, 2dn/P (sqrt(P) - 1), which is SUMMA's words to the last
// one.
TEST(Sparse, RecursiveOnFewRanksIsSumma) {
  for (Index ranks : {4, 16, 64}) {
    const Random x{100000, 50, ranks};
    EXPECT_LT(relative(recursive(x).words, summa(x).words), 1e-12);
  }
}

// c = P/d^2 is within a small factor of the best c by search, c = min{1, P/d^2} is not.
TEST(Sparse, BalancedLayersAreNearTheBest) {
  double worst_printed = 0;
  for (double d : {2.0, 4.0, 8.0, 100.0})
    for (Index ranks : {64, 1024, 16384}) {
      const Random x{1 << 20, d, ranks};
      double least = iterative(x, 1).words;
      for (double c = 1; c <= as_real(ranks); c *= 1.05) least = std::min(least, iterative(x, c).words);
      EXPECT_LE(iterative(x, balanced_layers(x)).words, 3 * least) << d << ' ' << ranks;
      worst_printed = std::max(worst_printed, iterative(x, 1).words / least);
    }
  EXPECT_GT(worst_printed, 10);
}

// A ring of shifts, a gather in each step of SUMMA, a tree for what goes at once, a level for each split.
TEST(Sparse, MessagesAreStepsCounted) {
  for (Index side : {2, 8, 32}) {
    const Index ranks = side * side;
    const Random x{1 << 16, 4, ranks};
    Index shifts = 0, steps = 0, splits = 0;
    for (Index at = 1; at < ranks; ++at) ++shifts;
    for (Index at = 0; at < side; ++at) ++steps;
    for (Index left = ranks; left > 1; left /= 4) ++splits;
    const double tree = as_real(test::rounds_to_reach(ranks));
    EXPECT_EQ(naive_block_row(x).messages, as_real(shifts));
    EXPECT_EQ(summa(x).messages, as_real(steps));
    EXPECT_EQ(outer_product(x).messages, tree);
    EXPECT_EQ(iterative(x, 1).messages, tree);
    EXPECT_EQ(improved_block_row(x).messages, tree);
    EXPECT_EQ(improved_block_row({64, 1, ranks}).messages, std::min(tree, 64 / as_real(ranks)));
    EXPECT_EQ(recursive(x).messages, as_real(splits));
    EXPECT_EQ(recursive_unrolled(x).messages, as_real(splits));
  }
}

TEST(Sparse, ArgumentsAreChecked) {
  EXPECT_THROW(recursive({100, 2, 8}), ArgumentError);
  EXPECT_THROW(nonzeros({100, 200, 8}), ArgumentError);
  EXPECT_THROW(iterative({100, 2, 8}, 9), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds::sparse
