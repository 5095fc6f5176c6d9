#include "bounds/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bounds/classical.hpp"
#include "bounds/factor.hpp"
#include "bounds/numeric.hpp"
#include "bounds/sequential.hpp"
#include "bounds/strassen.hpp"

namespace cairn::bounds {
namespace {

using test::relative;

// The formula in a report has the value the function computes, the LaTeX is not empty.
void expect_bound(const BoundReport& report, double value) {
  EXPECT_LT(std::abs(report.bound.value - value), 1e-11 * (1 + value)) << report.bound.formula;
  EXPECT_FALSE(report.bound.latex.empty());
  EXPECT_FALSE(report.what.empty());
  EXPECT_GE(report.parts.size(), 1u);
}

double part(const BoundReport& report, std::string_view name) {
  for (const BoundPart& p : report.parts)
    if (p.name == name) return p.cell.value;
  ADD_FAILURE() << "no part " << name;
  return std::nan("");
}

TEST(Bounds, Multiply) {
  for (const Product& p : {Product{4096, 4096, 4096}, Product{64000, 1000, 10}, Product{4096, 256, 4096}})
    for (Index ranks : {1, 2, 60, 4096})
      for (double extra : {1.0, 3.0, 1000.0}) {
        const double memory = extra * all_words(p) / as_real(ranks);
        expect_bound(bound_multiply(p, ranks, memory), classical::proven_words_lower_bound(p, ranks, memory));
        if (ranks > 1)
          expect_bound(bound_multiply(p, ranks, {}), classical::memory_independent(p, ranks).words());
      }
}

TEST(Bounds, MultiplySequential) {
  for (const Product& p : {Product{100, 100, 100}, Product{1000, 1000, 1}, Product{7, 900, 300}})
    for (double memory : {10.0, 500.0, 1e6}) {
      expect_bound(bound_multiply_sequential(p, memory), sequential::floor(p, memory));
      EXPECT_LT(relative(part(bound_multiply_sequential(p, memory), "Theorem 1, long k only"),
                         sequential::theorem1(p, memory)),
                1e-12);
    }
}

TEST(Bounds, Strassen) {
  for (Index n : {1000, 4096, 94080})
    for (Index ranks : {7, 49, 64, 2401})
      for (double extra : {9.0, 20.0, 1e4}) {
        const double side = as_real(n), memory = extra * side * side / as_real(ranks);
        const BoundReport report = bound_strassen(n, ranks, memory);
        expect_bound(report, strassen::lower_bound(side, ranks, memory).words);
        if (ranks == 64) continue;
        Cost caps = strassen::caps_unlimited(side, ranks);
        if (caps.memory > memory) caps = strassen::caps_limited(side, ranks, memory);
        EXPECT_LT(relative(part(report, "CAPS, words sent plus received"), caps.words), 1e-11);
        EXPECT_LT(relative(part(report, "CAPS, messages sent plus received"), caps.messages), 1e-11);
      }
  expect_bound(bound_strassen(4096, 49, {}), strassen::memory_independent_bound(4096, 49).words);
}

TEST(Bounds, Factorizations) {
  for (Index n : {10, 4096, 131072})
    for (Index ranks : {1, 1024}) {
      const double memory = 2 * as_real(n) * as_real(n) / as_real(ranks);
      const BoundReport lu = bound_lu(n, ranks, memory), cholesky = bound_cholesky(n, ranks, memory);
      expect_bound(lu, factor::lu_lower_bound(n, ranks, memory));
      expect_bound(cholesky, factor::cholesky_symmetric_lower_bound(n, ranks, memory));
      const auto statements = factor::lu_statements(n, memory);
      for (const factor::Statement& s : statements)
        EXPECT_LT(relative(part(lu, s.name), s.vertices / s.intensity / as_real(ranks)), 1e-11);
      for (const factor::Statement& s : factor::cholesky_symmetric_statements(n, memory))
        EXPECT_LT(relative(part(cholesky, s.name), s.vertices / s.intensity / as_real(ranks)), 1e-11);
      const auto printed = factor::cholesky_statements(n, memory);
      EXPECT_LT(relative(part(cholesky, "S3 as printed"),
                         printed[2].vertices / printed[2].intensity / as_real(ranks)),
                1e-11);
    }
}

// Without memory: the constants of docs/internals/factor.md, and nothing to move on one rank.
TEST(Bounds, FactorizationsOfResidentMatrices) {
  for (Index ranks : {2, 7, 64, 1000}) {
    const double square = 3000.0 * 3000.0, p = as_real(ranks);
    const double lu = 0.72112 * square / std::pow(p, 2.0 / 3) - square / p;
    expect_bound(bound_lu(3000, ranks, {}), factor::lu_resident_words(3000, ranks));
    expect_bound(bound_cholesky(3000, ranks, {}), factor::cholesky_resident_words(3000, ranks));
    EXPECT_NEAR(factor::lu_resident_words(3000, ranks), std::max(0.0, lu), 1e-4 * square);
    EXPECT_EQ(factor::cholesky_resident_words(3000, ranks), factor::lu_resident_words(3000, ranks) / 2);
  }
  EXPECT_EQ(factor::lu_resident_words(3000, 1), 0);
  EXPECT_EQ(bound_lu(3000, 1, {}).bound.value, 0);
}

TEST(Bounds, Spgemm) {
  for (double d : {2.0, 20.0, 300.0})
    for (Index ranks : {4, 1000, 100000}) {
      const sparse::Random x{1 << 22, d, ranks};
      expect_bound(bound_spgemm(x), sparse::lower_bound(x).words);
      EXPECT_LT(std::abs(part(bound_spgemm(x), "with the constants of the proof") -
                         sparse::lower_bound_with_constants(x)),
                1e-6);
    }
}

TEST(Bounds, ArgumentsAreChecked) {
  EXPECT_THROW(bound_multiply({0, 1, 1}, 1, {}), ArgumentError);
  EXPECT_THROW(bound_strassen(0, 1, {}), ArgumentError);
  EXPECT_THROW(bound_lu(10, 0, 1), ArgumentError);
  EXPECT_THROW(bound_cholesky(10, 1, 0), ArgumentError);
  EXPECT_THROW(bound_spgemm({10, 0, 1}), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds
