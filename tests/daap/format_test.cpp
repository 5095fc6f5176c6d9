#include "daap/format.hpp"

#include <gtest/gtest.h>

namespace cairn::daap {
namespace {

const Symbols known({"N", "rows"});
const GiNaC::ex N = known.parameter("N");
const GiNaC::ex rows = known.parameter("rows");
const GiNaC::ex M = known.memory;
const GiNaC::ex P = known.ranks;

std::string text(const GiNaC::ex& e) { return format(e, known).text; }
std::string latex(const GiNaC::ex& e) { return format(e, known).latex; }

TEST(Format, PutsNegativePowersUnderABar) {
  const GiNaC::ex e = 2 * GiNaC::pow(N, 3) / (3 * P * GiNaC::sqrt(M));
  EXPECT_EQ(text(e), "2*N^3/(3*P*sqrt(M))");
  EXPECT_EQ(latex(e), "\\frac{2 N^{3}}{3 P \\sqrt{M}}");
}

TEST(Format, OrdersSummandsByDegree) {
  EXPECT_EQ(text(1 - N + N * rows / 2 - GiNaC::pow(N, 3)), "-N^3 + N*rows/2 - N + 1");
  EXPECT_EQ(latex(rows * (N - 1)), "\\mathit{rows} \\left(N - 1\\right)");
}

TEST(Format, OrdersByPowersOfMemoryNext) {
  EXPECT_EQ(text(1 + M), "M + 1");
  EXPECT_EQ(text(N / M + N), "N + N/M");
}

TEST(Format, GathersRootsOfNumbers) {
  EXPECT_EQ(text(exact_power(2, Rational(1) / 2) * exact_power(3, Rational(1) / 2)), "sqrt(6)");
  EXPECT_EQ(text(exact_power(Rational(1) / 12, Rational(1) / 2)), "sqrt(3)/6");
  EXPECT_EQ(text(exact_power(5, Rational(1) / 3) * GiNaC::pow(M, GiNaC::numeric(-3, 4))), "5^(1/3)/M^(3/4)");
}

TEST(Format, Numbers) {
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(GiNaC::numeric(-3, 2)), "-3/2");
  EXPECT_EQ(text(1 / M), "1/M");
}

TEST(Format, LeadingTermsHaveTheHighestDegreeInTheSizes) {
  EXPECT_EQ(text(leading(N * (N - 1) * (N + rows) / M + N * N, known)), "N^2*rows/M + N^3/M");
}

TEST(ExactPower, EqualNumbersAreEqualExpressions) {
  EXPECT_TRUE(exact_power(12, Rational(1) / 2).is_equal(2 * exact_power(3, Rational(1) / 2)));
  EXPECT_TRUE(exact_power(Rational(8) / 27, Rational(2) / 3).is_equal(GiNaC::numeric(4, 9)));
}

}  // namespace
}  // namespace cairn::daap
