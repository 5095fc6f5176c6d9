// The lower bounds for sparse random matrices.
#include <gtest/gtest.h>

#include <cmath>

#include "bounds/numeric.hpp"
#include "bounds/sparse.hpp"

namespace cairn::bounds::sparse {
namespace {

using test::relative;

TEST(SparseBound, NoAlgorithmIsBelowTheBoundWithConstants) {
  int positive = 0;
  for (double d : {2.0, 8.0, 30.0, 200.0})
    for (Index ranks : {4, 64, 1024, 16384, 262144}) {
      const Random x{1 << 20, d, ranks};
      const double bound = lower_bound_with_constants(x);
      positive += bound > 0;
      EXPECT_LE(bound, lower_bound(x).words);
      for (const Cost& cost : {naive_block_row(x), improved_block_row(x), outer_product(x), summa(x),
                               iterative(x, balanced_layers(x)), recursive(x)})
        EXPECT_GE(cost.words, bound) << d << ' ' << ranks;
    }
  EXPECT_GE(positive, 8);
}

// The constants of the proof, its four inequalities checked on their own.
TEST(SparseBound, InequalitiesOfTheProof) {
  for (double density : {0.001, 0.01, 0.3})
    for (double r = 1; r <= 1 / density; ++r) EXPECT_GE(1 - std::pow(1 - density, r), r * density / 2);
  for (double density : {0.001, 0.01, 0.3})
    EXPECT_GT(1 - std::pow(1 - density, 1 / density), 1 - 1 / std::exp(1));
  for (double ranks : {4.0, 100.0}) {  // 2a: p_A p_B p_C >= V^2 and p_C <= 4V/n give p_A p_B >= n^4/(24P)
    const double n = 1000, v = n * n * n / (6 * ranks);
    EXPECT_NEAR(v * v / (4 * v / n) / (std::pow(n, 4) / (24 * ranks)), 1, 1e-12);
  }
}

TEST(SparseBound, PreviousBoundIsWeaker) {
  for (Index ranks : {16, 256, 4096}) {
    const Random x{1 << 16, 16, ranks};
    const double memory = products(x) / as_real(ranks);  // the least that holds C
    EXPECT_LT(relative(previous_lower_bound(x, memory), std::sqrt(memory)), 1e-12);
    EXPECT_LT(previous_lower_bound(x, memory), lower_bound(x).words);
  }
}

// The cases of the proof, each minimised by search over what its shape leaves open. A rank has n^3/P voxels,
// a third of a half of them in each subcase.
TEST(SparseBound, ConstantsAreTheSearchedCases) {
  for (double d : {50.0, 300.0, 2000.0})
    for (Index ranks : {256, 4096, 1000000}) {
      const Random x{1 << 22, d, ranks};
      const double n = as_real(x.n), p = as_real(ranks), density = d / n, held = d * n / p;
      const double sent = n * n * n / p / 2 / 2 * density * density;  // 1: half of V' is not its own
      const double part = n * n * n / p / 6, face_c = part / (n / 4);
      // 2a: p_A p_B p_C >= |V0|^2; the larger of p_A and p_B, least when they are equal.
      const auto larger = [&](double t) { return std::max(std::exp(t), part * part / face_c / std::exp(t)); };
      const double face = larger(test::argmin(larger, 0, std::log(n * n)));
      const double reused = face * density * (1 - std::pow(1 - density, n / d)) - held;
      // 2b: an entry of A that serves r voxels, the r for which voxels cost least.
      const auto cost = [&](double r) { return density * (1 - std::pow(1 - density, r)) / r; };
      const double few = part * cost(test::argmin(cost, 1, n / d)) - held;
      const double searched = std::min({sent, reused, few});
      // 1 - (1 - d/n)^r is at least r d / 2n: up to 2 (1 - 1/e) is given away in 2b.
      const double bound = lower_bound_with_constants(x);
      EXPECT_LE(bound, std::max(0.0, searched) * (1 + 1e-3)) << d << ' ' << ranks;
      EXPECT_GE(bound, std::min({sent, reused, (few + held) / 1.27 - held}) * (1 - 1e-3))
          << d << ' ' << ranks;
    }
}

// Constant 1: a 2D brick has n^2/sqrt(P) places of A, a rank n^3/P voxels; counted with their densities.
TEST(SparseBound, TheoremIsTheSmallerOfTwoExpectations) {
  for (Index side : {4, 32, 256})
    for (double d : {2.0, 20.0, 200.0}) {
      const Index n = 4096;
      const double places = as_real(n / side) * as_real(n), voxels = places * as_real(n / side);
      const double density = d / as_real(n);
      EXPECT_LT(relative(lower_bound({n, d, side * side}).words,
                         std::min(places * density, voxels * density * density)),
                1e-12);
      EXPECT_EQ(lower_bound({n, d, side * side}).messages, 1);
    }
}

// Eq. (1): phases of M words, in each at most M^(3/2) products.
TEST(SparseBound, PreviousBoundCountsPhases) {
  for (Index root : {16, 64, 128})
    for (Index ranks : {4, 16, 64}) {
      const Random x{1 << 18, 32, ranks};  // 2^28 products
      Index phases = 0;
      for (Index left = (Index{1} << 28) / ranks; left > 0; left -= root * root * root) ++phases;
      const double words = as_real(phases * root * root);
      EXPECT_LE(previous_lower_bound(x, as_real(root * root)), words);
      EXPECT_GE(previous_lower_bound(x, as_real(root * root)), words - as_real(root * root));
    }
}

}  // namespace
}  // namespace cairn::bounds::sparse
