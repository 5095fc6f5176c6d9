#include "bounds/phases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "bounds/classical.hpp"
#include "bounds/factor.hpp"
#include "bounds/numeric.hpp"

namespace cairn::bounds {
namespace {

TEST(Phases, LeastEventsIsTheFirstThatSuffices) {
  for (const auto& [operands, constant] :
       {std::pair{Operands::separate, std::pow(3.0, -1.5)},
        std::pair{Operands::symmetric, std::sqrt(2.0) * std::pow(3.0, -1.5)}})
    for (const Index red : {4, 9, 17, 64})
      for (const double updates : {1.0, 7.0, 8.0, 30.0, 100.0, 512.0, 513.5, 4000.0, 12345.0}) {
        const Index events = test::count_events(updates, red, constant);
        const double bound = least_events(updates, static_cast<double>(red), operands);
        EXPECT_LE(bound, static_cast<double>(events) + 1e-9);
        EXPECT_GT(bound, static_cast<double>(events - 1) - 1e-9) << red << " " << updates;
      }
}

// One phase: all elements of the updates fit into 3 S words, the S that stay and the 2 S that come.
TEST(Phases, OnePhaseIsWhatThreeMemoriesOfElementsServe) {
  for (const double memory : {9.0, 100.0, 4096.0}) {
    const auto updates = [&](double z) {
      return -std::sqrt((3 * memory - z) / 2 * (3 * memory - z) / 2 * z);
    };
    const double most = -updates(test::argmin(updates, 0, 3 * memory));
    EXPECT_TRUE(one_phase(most * (1 - 1e-9), memory));
    EXPECT_FALSE(one_phase(most * (1 + 1e-9), memory));
  }
}

TEST(Phases, TheSmoothFormIsBelowByLessThanItSays) {
  double least = 1e9, most = 0;
  for (const double memory : {4.0, 100.0, 12345.0})
    for (double updates = 1; updates < 30 * std::pow(memory, 1.5); updates *= 1.01) {
      const double gap = (least_events(updates, memory) - least_events_smooth(updates, memory)) / memory;
      least = std::min(least, gap);
      most = std::max(most, gap);
    }
  EXPECT_GE(least, -1e-9);
  EXPECT_LT(most, 0.385);
  EXPECT_GT(most, 0.38);
}

double lu_phases(Index n, Index ranks, double memory) {
  return least_events(factor::lu_statements(n, memory, factor::Count::loops)[1].vertices / as_real(ranks),
                      memory);
}

double cholesky_phases(Index n, Index ranks, double memory) {
  const double off_diagonal = factor::cholesky_statements(n, memory)[2].vertices;
  return least_events(off_diagonal / as_real(ranks), memory, Operands::symmetric);
}

// Lemma 1 of paper 002 leaves out 2M words, which can be more than the bound. The phases, which start with an
// empty memory and count each store of a finished element, prove the formulas all the same as soon as the
// ranks together can hold the matrix; on one rank N(N+1) words of the triangle have to move anyway.
TEST(Phases, ProveTheFormulasOfTheFactorizationsWhereTheMatrixFits) {
  for (const Index n : {33, 100, 1000, 20000})
    for (const Index ranks : {1, 2, 3, 4, 7, 8, 9, 16, 64, 1000})
      for (const double copies : {1.0, 1.05, 1.2, 1.5, 2.0, 3.0, 6.0, 10.0}) {
        const double memory = copies * as_real(n) * as_real(n) / as_real(ranks);
        EXPECT_GE(lu_phases(n, ranks, memory), factor::lu_lower_bound(n, ranks, memory));
        const double triangle = ranks == 1 ? as_real(n) * as_real(n + 1) : 0.0;
        EXPECT_GE(std::max(triangle, cholesky_phases(n, ranks, memory)),
                  factor::cholesky_symmetric_lower_bound(n, ranks, memory));
      }
}

TEST(Phases, ArgumentsAreChecked) {
  EXPECT_THROW(least_events(1, 0), ArgumentError);
  EXPECT_THROW(least_events_smooth(1, -1), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds
