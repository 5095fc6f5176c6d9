#include "bounds/factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bounds/numeric.hpp"

namespace cairn::bounds::factor {
namespace {

using test::argmin;
using test::relative;

struct Counted {
  Index s1 = 0, s2 = 0, s3 = 0;
};

Counted run_lu(Index n) {
  Counted c;
  for (Index k = 1; k <= n; ++k)
    for (Index i = k + 1; i <= n; ++i) {
      ++c.s1;
      for (Index j = k + 1; j <= n; ++j) ++c.s2;
    }
  return c;
}

Counted run_cholesky(Index n) {
  Counted c;
  for (Index k = 1; k <= n; ++k) {
    ++c.s1;
    for (Index i = k + 1; i <= n; ++i) {
      ++c.s2;
      for (Index j = k + 1; j <= i; ++j) ++c.s3;
    }
  }
  return c;
}

TEST(Factor, VerticesAreLoopsCounted) {
  for (Index n : {1, 2, 7, 40, 101}) {
    const Counted lu = run_lu(n), cholesky = run_cholesky(n);
    const auto a = lu_statements(n, 100, Count::loops);
    EXPECT_DOUBLE_EQ(a[0].vertices, as_real(lu.s1));
    EXPECT_DOUBLE_EQ(a[1].vertices, as_real(lu.s2));
    const auto b = cholesky_statements(n, 100, Count::loops);
    EXPECT_DOUBLE_EQ(b[0].vertices, as_real(cholesky.s1));
    EXPECT_DOUBLE_EQ(b[1].vertices, as_real(cholesky.s2));
    EXPECT_DOUBLE_EQ(b[2].vertices, as_real(cholesky.s3));
  }
}

// The sums as the paper prints them: sum over k and i of (N - k - 1) and of (i - k - 1).
TEST(Factor, PrintedVerticesAreThePrintedSums) {
  for (Index n : {2, 7, 40, 101}) {
    Index lu = 0, cholesky = 0;
    for (Index k = 1; k <= n; ++k)
      for (Index i = k + 1; i <= n; ++i) {
        lu += n - k - 1;
        cholesky += i - k - 1;
      }
    EXPECT_DOUBLE_EQ(lu_statements(n, 100)[1].vertices, as_real(lu));
    EXPECT_DOUBLE_EQ(cholesky_statements(n, 100)[2].vertices, as_real(cholesky));
    EXPECT_LE(lu, run_lu(n).s2);
    EXPECT_LE(cholesky, run_cholesky(n).s3);
  }
}

// chi(X) by search over the tile, then the least chi(X) / (X - M) by search over X.
template <class Chi>
double intensity(Chi chi, double memory, double* at) {
  const auto rho = [&](double x) { return chi(x) / (x - memory); };
  *at = argmin(rho, 1.01 * memory, 40 * memory);
  return rho(*at);
}

TEST(Factor, IntensityOfTheUpdateIsTheNumericOptimum) {
  for (double memory : {100.0, 1024.0, 1e6}) {
    const auto box = [](double x) {  // I J K with IJ + IK + JK <= x, square I = J
      const auto volume = [&](double i) { return -i * i * (x - i * i) / (2 * i); };
      return -volume(argmin(volume, 1, std::sqrt(x)));
    };
    double at = 0;
    EXPECT_LT(relative(lu_statements(10, memory)[1].intensity, intensity(box, memory, &at)), 1e-6);
    EXPECT_NEAR(at, 3 * memory, 1e-2 * memory);
    const auto triangle = [](double x) {  // K T with T + K sqrt(2T) <= x
      const auto volume = [&](double t) { return -t * (x - t) / std::sqrt(2 * t); };
      return -volume(argmin(volume, 1, x));
    };
    EXPECT_LT(
        relative(cholesky_symmetric_statements(10, memory)[2].intensity, intensity(triangle, memory, &at)),
        1e-6);
    EXPECT_NEAR(at, 3 * memory, 1e-2 * memory);
  }
}

// r rows of a panel serve all pairs among them: r loads, r(r-1)/2 updates per column, in r(r-1)/2 + r words.
TEST(Factor, TrianglesBeatThePrintedIntensityAndNotTheSymmetricOne) {
  for (Index r : {10, 20, 200}) {
    Index updates = 0, loads = 0;
    for (Index i = 0; i < r; ++i) {
      ++loads;
      for (Index j = 0; j < i; ++j) ++updates;
    }
    const double memory = as_real(updates + loads);
    const double reached = as_real(updates) / as_real(loads);
    EXPECT_GT(reached, cholesky_statements(10, memory)[2].intensity);
    EXPECT_LT(reached, cholesky_symmetric_statements(10, memory)[2].intensity);
  }
}

TEST(Factor, BoundsAreTheirPrintedPolynomials) {
  for (Index n : {64, 1000, 16384})
    for (Index ranks : {1, 64}) {
      const double big = as_real(n), p = as_real(ranks), m = 4 * big * big / p, root = std::sqrt(m);
      EXPECT_LT(relative(lu_lower_bound(n, ranks, m),
                         (2 * big * big * big - 6 * big * big + 4 * big) / (3 * p * root) +
                             big * (big - 1) / (2 * p)),
                1e-12);
      const double leading = big * big * big / (3 * p * root) + big * big / (2 * p) + big / p;
      EXPECT_NEAR(cholesky_lower_bound(n, ranks, m) / leading, 1, 6 / big);
      EXPECT_LT(cholesky_symmetric_lower_bound(n, ranks, m), cholesky_lower_bound(n, ranks, m));
      EXPECT_GE(lu_lower_bound(n, ranks, m, Count::loops), lu_lower_bound(n, ranks, m));
    }
}

// Elements dealt out one by one: the rank that has fewest gives and takes what it owns and no more.
TEST(Factor, WordsOnTheWireLeaveOutWhatIsOwned) {
  for (Index n : {48, 120, 336})
    for (Index ranks : {4, 6, 24}) {
      std::vector<Index> square(static_cast<std::size_t>(ranks)), triangle(square);
      Index next = 0, next_lower = 0, lu = 0, cholesky = 0, divisions = 0;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
          ++square[static_cast<std::size_t>(next++ % ranks)];
          if (j <= i) ++triangle[static_cast<std::size_t>(next_lower++ % ranks)];
          divisions += j < i;
          if (j < i) lu += 2 * std::max<Index>(0, n - i - 1), cholesky += n - i - 1;
        }
      const double memory = 32, root = std::sqrt(memory), p = as_real(ranks);  // far below the matrix
      // An update of LU for each pair i, j > k with i != j; of Cholesky for each k < j < i.
      EXPECT_LT(relative(lu_words_lower_bound(n, ranks, memory),
                         (as_real(lu) / (root / 2) + as_real(divisions)) / p - 2 * as_real(square[0])),
                1e-9);
      EXPECT_LT(relative(cholesky_words_lower_bound(n, ranks, memory),
                         (as_real(cholesky) / (root / std::sqrt(2.0)) + as_real(divisions + n)) / p -
                             2 * as_real(triangle.back())),
                1e-3);  // the triangle does not divide evenly
    }
}

TEST(Factor, OneRankNeedsNoWords) {
  for (Index n : {50, 100, 1000}) {
    const double all = as_real(n) * as_real(n);
    EXPECT_GE(lu_lower_bound(n, 1, all), lu_words_lower_bound(n, 1, all));
    EXPECT_LE(lu_words_lower_bound(n, 1, all),
              0.2 * all);  // 2/3 + 1/2 - 1: the bound is not exact at M = N^2
    EXPECT_EQ(cholesky_words_lower_bound(n, 1, 2 * all), 0);
  }
  EXPECT_THROW(lu_lower_bound(0, 1, 1), ArgumentError);
  EXPECT_THROW(lu_lower_bound(1, 0, 1), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds::factor
