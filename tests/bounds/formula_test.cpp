#include "bounds/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace cairn::bounds {
namespace {

const Symbols symbols{{"m", 3}, {"n", 5}, {"P", 16}};

TEST(Formula, Values) {
  const auto value = [](const char* text) { return Formula(text).value(symbols); };
  EXPECT_DOUBLE_EQ(value("1 + 2*3 - 4/2"), 5);
  EXPECT_DOUBLE_EQ(value("10 - 3 - 2"), 5);
  EXPECT_DOUBLE_EQ(value("24/4/2"), 3);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512);
  EXPECT_DOUBLE_EQ(value("-2^2"), -4);
  EXPECT_DOUBLE_EQ(value("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(value("(m + n)*2"), 16);
  EXPECT_DOUBLE_EQ(value("m*n/sqrt(P)"), 3.75);
  EXPECT_DOUBLE_EQ(value("max(m, n) - min(m,n) + log2(P) + ceil(0.2)"), 7);
  EXPECT_DOUBLE_EQ(value("P^(2/3)"), std::pow(16, 2.0 / 3));
}

TEST(Formula, Latex) {
  const auto latex = [](const char* text) { return Formula(text).latex(); };
  EXPECT_EQ(latex("k*(m + n)/sqrt(P)"), "\\frac{k \\left(m + n\\right)}{\\sqrt{P}}");
  EXPECT_EQ(latex("V^(2/3)"), "V^{\\frac{2}{3}}");
  EXPECT_EQ(latex("(a/b)^2"), "\\left(\\frac{a}{b}\\right)^{2}");
  EXPECT_EQ(latex("a - (b - c)"), "a - \\left(b - c\\right)");
  EXPECT_EQ(latex("min(x, 2*y)"), "\\min\\{x, 2 y\\}");
  EXPECT_EQ(latex("n^omega"), "n^{\\omega_0}");
}

TEST(Formula, ErrorsNameThePlace) {
  for (const char* bad : {"", "1 +", "(1", "1 2", "*", "f(1,", "min(1)", "sin(1)", "unknown", "1)", "$"})
    EXPECT_THROW(Formula(bad).value(symbols), ArgumentError) << bad;
  try {
    const Formula open("m + (n");
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "formula 'm + (n', position 6: expected )");
  }
}

}  // namespace
}  // namespace cairn::bounds
