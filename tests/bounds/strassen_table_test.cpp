#include "bounds/strassen_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bounds/decompositions.hpp"
#include "bounds/numeric.hpp"

namespace cairn::bounds::strassen::table1 {
namespace {

using test::relative;

double leaves(double side) { return side <= 1 ? 1 : 7 * leaves(side / 2); }  // products of full Strassen

// Each hybrid played: this many local products of such a side.
TEST(StrassenTable, FlopsAreLocalProductsCounted) {
  for (double side : {4.0, 16.0, 64.0}) {
    const double blocks = 8, n = side * blocks;
    // 2D-Strassen: a rank of an 8 x 8 grid does 8 products of side n/8.
    EXPECT_LT(relative(strassen_within_2d({n, 64, side * side}).flops, blocks * leaves(side)), 1e-12);
    // 2.5D-Strassen with blocks of side sqrt(M): 8^3 products over 64 ranks, memory still the limit.
    EXPECT_LT(relative(strassen_within_25d({n, 64, side * side}).flops, 512 / 64.0 * leaves(side)), 1e-12);
  }
  // 2.5D-Strassen with plenty of memory: one product of side n / P^(1/3).
  EXPECT_LT(relative(strassen_within_25d({64, 64, 1e9}).flops, leaves(16)), 1e-12);
}

TEST(StrassenTable, StepsBeforeAClassicalAlgorithmMultiplyIt) {
  for (double l : {0.0, 1.0, 3.0})
    for (double n : {512.0, 4096.0, 94080.0}) {
      const Arguments x{n, 64, n * n / 8, l};
      const double p = 64;
      EXPECT_LT(relative(strassen_before_2d(x).flops, std::pow(7.0 / 8, l) * n * n * n / p), 1e-12);
      EXPECT_LT(relative(strassen_before_2d(x).words, std::pow(7.0 / 4, l) * n * n / 8), 1e-12);
      EXPECT_LT(relative(strassen_before_2d(x).messages, std::pow(7, l) * 8), 1e-12);
      EXPECT_LT(relative(strassen_before_25d(x).words,
                         std::max(std::pow(7.0 / 8, l) * n * n * n / (p * std::sqrt(x.memory)),
                                  std::pow(7.0 / 4, l) * n * n / 16)),
                1e-12);
      EXPECT_LT(
          relative(strassen_before_25d(x).messages,
                   std::pow(7.0 / 8, l) * n * n * n / (p * std::pow(x.memory, 1.5)) + std::pow(7, l) * 6),
          1e-12);
    }
}

TEST(StrassenTable, BestStepsAreTheExhaustiveBest) {
  int printed_is_worse = 0;
  for (double n : {1000.0, 5000.0, 94080.0})
    for (Index ranks : {8, 343, 4096})
      for (double extra : {1.0, 1.5, 2.0, 3.0, 10.0}) {
        const double memory = extra * n * n / as_real(ranks);
        const auto words = [&](Index l) { return strassen_before_25d({n, ranks, memory, as_real(l)}).words; };
        double least = words(0);
        for (Index l = 1; l < 15; ++l) least = std::min(least, words(l));
        EXPECT_DOUBLE_EQ(words(best_steps(n, ranks, memory)), least);
        printed_is_worse += words(printed_best_steps(n, ranks, memory)) > least;
      }
  EXPECT_GT(printed_is_worse, 0);
}

// Appendix B: the three forms of the ratio and the exponents at their ends.
TEST(AppendixB, RatiosInTheThreeCases) {
  const double n = 1e6;
  for (Index ranks : {343, 16807, 117649}) {
    const double p = as_real(ranks);
    const double from = n * n / p, middle = n * n / std::pow(p, 2 / omega0),
                 to = n * n / std::pow(p, 2.0 / 3);
    for (double f : {0.01, 0.5, 0.99}) {
      const double low = from * std::pow(middle / from, f), mid = middle * std::pow(to / middle, f);
      const Ratio one = classical_over_strassen(n, ranks, low);
      EXPECT_EQ(one.memory_case, MemoryCase::dependent);
      EXPECT_LT(relative(one.value, std::pow(n * n / low, (3 - omega0) / 2)), 1e-9);
      const Ratio two = classical_over_strassen(n, ranks, mid);
      EXPECT_EQ(two.memory_case, MemoryCase::mixed);
      EXPECT_LT(relative(two.value, std::sqrt(n * n / mid) * std::pow(p, 2 / omega0 - 1)), 1e-9);
      const Ratio three = classical_over_strassen(n, ranks, to * (1 + f));
      EXPECT_EQ(three.memory_case, MemoryCase::independent);
      EXPECT_LT(relative(three.value, std::pow(p, 2 / omega0 - 2.0 / 3)), 1e-9);
      for (const Ratio& r : {one, two, three}) {
        EXPECT_GE(r.value, r.least * (1 - 1e-9));
        EXPECT_LE(r.value, r.most * (1 + 1e-9));
      }
    }
    // The ends of each range are attained.
    EXPECT_LT(relative(classical_over_strassen(n, ranks, from).value, std::pow(p, (3 - omega0) / 2)), 1e-9);
    EXPECT_LT(relative(classical_over_strassen(n, ranks, middle).value, std::pow(p, 3 / omega0 - 1)), 1e-9);
    EXPECT_LT(relative(classical_over_strassen(n, ranks, to).value, std::pow(p, 2 / omega0 - 2.0 / 3)), 1e-9);
  }
  EXPECT_NEAR(2 / omega0 - 2.0 / 3, 0.046, 5e-4);
  EXPECT_NEAR((3 - omega0) / 2, 0.10, 5e-3);
}

// Section 4: how far each hybrid is above CAPS, as an exponent of P, over the whole range of M.
struct Exponents {
  double least = 1e9, most = -1e9;
};
template <class F>
Exponents over_memory(F ratio) {
  const double n = 1e7;
  const Index ranks = 117649;
  const double p = as_real(ranks), from = n * n / p, to = n * n / std::pow(p, 2.0 / 3);
  Exponents e;
  for (double f = 0; f <= 1.0001; f += 0.001) {
    const double exponent = std::log(ratio(Arguments{n, ranks, from * std::pow(to / from, f)})) / std::log(p);
    e.least = std::min(e.least, exponent);
    e.most = std::max(e.most, exponent);
  }
  return e;
}

TEST(AppendixB, HybridsOfSectionFour) {
  const auto words_2d =
      over_memory([](const Arguments& x) { return strassen_within_2d(x).words / strassen_bound(x).words; });
  EXPECT_NEAR(words_2d.least, (3 - omega0) / 2, 1e-3);
  EXPECT_NEAR(words_2d.most, 2 / omega0 - 0.5, 1e-3);
  const auto words_25d =
      over_memory([](const Arguments& x) { return strassen_within_25d(x).words / strassen_bound(x).words; });
  EXPECT_NEAR(words_25d.least, 2 / omega0 - 2.0 / 3, 1e-3);
  EXPECT_NEAR(words_25d.most, (3 - omega0) / 2, 1e-3);
  const auto flops_25d =
      over_memory([](const Arguments& x) { return strassen_within_25d(x).flops / strassen_bound(x).flops; });
  EXPECT_NEAR(flops_25d.least, 1 - omega0 / 3, 1e-3);
  EXPECT_NEAR(flops_25d.most, (3 - omega0) / 2, 1e-3);
}

// The latency of section 4.2: Theta(P^(1/2)) over CAPS, the logarithm left out.
TEST(AppendixB, LatencyOfTwoDimensionalStrassen) {
  const auto messages = over_memory(
      [](const Arguments& x) { return strassen_within_2d(x).messages / strassen_bound(x).messages; });
  EXPECT_NEAR(messages.least, (3 - omega0) / 2, 1e-3);
  EXPECT_NEAR(messages.least, 0.10, 5e-3);
  EXPECT_NEAR(messages.most, 0.5, 1e-3);
}

// Section 4.5 with the best l, not rounded: P^(1 - omega0/3) more words than CAPS while memory is the limit
// of both, and P^(1 - omega0/3) M^(3/2 - omega0/2) more flops.
TEST(AppendixB, StepsBefore25dAreThePrintedFactorAboveCaps) {
  EXPECT_NEAR(1 - omega0 / 3, 0.064, 5e-4);
  for (double n : {1e5, 1e6, 1e7})
    for (Index ranks : {343, 16807, 117649}) {
      const double p = as_real(ranks), memory = 2 * n * n / p;
      const Arguments x{n, ranks, memory, std::log2(n / (std::sqrt(memory) * std::cbrt(p)))};
      EXPECT_LT(relative(strassen_before_25d(x).words / caps(x).words, std::pow(p, 1 - omega0 / 3)), 1e-9);
      EXPECT_LT(relative(strassen_before_25d(x).flops / caps(x).flops,
                         std::pow(p, 1 - omega0 / 3) * std::pow(memory, (3 - omega0) / 2)),
                1e-9);
    }
}

// Rows with constant 1 against algorithms that are counted elsewhere: the ratio stays within constants while
// sizes change by orders of magnitude.
TEST(StrassenTable, RowsGrowAsTheAlgorithmsDo) {
  for (Index n : {1 << 12, 1 << 15, 1 << 18})
    for (Index ranks : {64, 4096, 262144}) {
      const double side = as_real(n), p = as_real(ranks);
      const Product cube{n, n, n};
      const auto expect_order = [&](double row, double counted, double least, double most) {
        EXPECT_GE(counted, least * row) << n << ' ' << ranks;
        EXPECT_LE(counted, most * row) << n << ' ' << ranks;
      };
      const Arguments least{side, ranks, side * side / p},
          most{side, ranks, 3 * side * side / std::pow(p, 2.0 / 3)};
      expect_order(classical_2d(least).words, classical::grid_2d(cube, ranks).words, 2, 2.2);
      expect_order(classical_2d(least).flops, classical::grid_2d(cube, ranks).flops, 1.99, 2.01);
      expect_order(classical_3d(most).words,
                   classical::grid_25d(cube, ranks, most.memory, std::cbrt(p)).words, 2.99, 3.01);
      for (double c = 1; c <= std::cbrt(p); c *= 2) {
        const Arguments x{side, ranks, c * side * side / p};
        expect_order(classical_25d(x).words, classical::grid_25d(cube, ranks, 3 * x.memory, c).words, 2,
                     3.01);
        expect_order(classical_bound(x).words, classical::io_lower_bound(cube, ranks, x.memory), 2, 3.01);
        expect_order(classical_25d(x).messages - std::log2(p),
                     side * side * side / p / std::pow(x.memory, 1.5), 0.99, 1.01);
      }
    }
}

// CAPS itself, unrolled.
TEST(StrassenTable, CapsGrowsAsItsRecurrence) {
  for (double n : {4096.0, 94080.0, 1e6})
    for (Index ranks : {49, 2401, 117649})
      for (double extra : {9.0, 20.0, 1e4}) {
        const Arguments x{n, ranks, extra * n * n / as_real(ranks)};
        Cost counted = caps_unlimited(n, ranks);
        if (counted.memory > x.memory) counted = caps_limited(n, ranks, x.memory);
        EXPECT_GE(counted.words, 5 * table1::caps(x).words);
        EXPECT_LE(counted.words, 12 * std::pow(4, omega0 - 2) * 7 / 4 * table1::caps(x).words);
        EXPECT_GE(counted.messages, 36 / std::log2(7) * 0.99 * table1::caps(x).messages);
        EXPECT_LE(counted.messages, 7 * 36 * std::pow(4, omega0) / std::log2(7) * table1::caps(x).messages);
        EXPECT_GE(counted.flops, table1::caps(x).flops);
        EXPECT_LE(counted.flops, 5 * table1::caps(x).flops);
      }
}

TEST(StrassenTable, ClassicalRows) {
  for (double n : {1024.0, 4096.0, 65536.0}) {
    const Arguments tight{n, 64, n * n / 64}, plenty{n, 64, n * n / 16};
    EXPECT_LT(relative(classical_bound(tight).words, classical_2d(tight).words), 1e-12);
    EXPECT_LT(relative(classical_bound(tight).messages, classical_2d(tight).messages), 1e-12);
    EXPECT_LT(relative(classical_25d(plenty).words, classical_3d(plenty).words), 1e-12);
    EXPECT_DOUBLE_EQ(classical_3d(plenty).messages, 6);
    EXPECT_DOUBLE_EQ(caps(plenty).messages, 6 * strassen_bound(plenty).messages);
  }
}

}  // namespace
}  // namespace cairn::bounds::strassen::table1
