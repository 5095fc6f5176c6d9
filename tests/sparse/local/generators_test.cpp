#include "sparse/local/generators.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sparse/local/operations.hpp"

namespace cairn::sparse {
namespace {

constexpr const char* examples[] = {"er n=300 d=5",
                                    "er rows=40 columns=700 d=9 seed=5",
                                    "er rows=700 columns=40 d=3",
                                    "er n=20 d=20",
                                    "er n=20 d=0",
                                    "er n=0",
                                    "rmat scale=9 d=8",
                                    "rmat scale=0 d=1",
                                    "stencil5 nx=17",
                                    "stencil9 nx=13 ny=20",
                                    "stencil7 nx=5 ny=6 nz=7",
                                    "stencil27 nx=6",
                                    "banded n=90 width=4",
                                    "banded rows=20 columns=50 width=30"};

// Any block is that part of the whole, however it is cut.
TEST(Generators, BlocksArePartsOfTheWhole) {
  for (const char* const text : examples) {
    const Generator g = parse_generator(text);
    const Csr<double> whole = generate<double>(g);
    ASSERT_NO_THROW(check_csr(whole, text));
    for (const Index parts : {2, 3, 7})
      for (Index i = 0; i < parts; ++i)
        for (Index j = 0; j < parts; ++j) {
          const Index r0 = g.rows * i / parts, r1 = g.rows * (i + 1) / parts;
          const Index c0 = g.columns * j / parts, c1 = g.columns * (j + 1) / parts;
          EXPECT_EQ(generate<double>(g, {r0, c0, r1 - r0, c1 - c0}), extract(whole, r0, r1, c0, c1)) << text;
        }
  }
}

TEST(Generators, TextsAreReadAsTheyArePrinted) {
  for (const char* const text : examples) {
    const Generator g = parse_generator(text);
    EXPECT_EQ(parse_generator(to_string(g)), g) << text;
  }
}

// Counts within five standard deviations, in each quarter of the matrix; entries of a row too.
TEST(Generators, ErHasTheEntriesItShould) {
  const Index n = 1 << 14;
  const Csr<float> a = generate<float>(parse_generator("er n=16384 d=8"));
  const double expected = 8.0 * static_cast<double>(n);
  EXPECT_NEAR(static_cast<double>(a.entries()), expected, 5 * std::sqrt(expected));
  for (const Index r : {Index{0}, n / 2})
    for (const Index c : {Index{0}, n / 2})
      EXPECT_NEAR(static_cast<double>(extract(a, r, r + n / 2, c, c + n / 2).entries()), expected / 4,
                  5 * std::sqrt(expected / 4));
  double squares = 0;  // rows are Poisson: variance d
  for (Index i = 0; i < n; ++i) squares += std::pow(static_cast<double>(a.entries_of(i)) - 8, 2);
  EXPECT_NEAR(squares / static_cast<double>(n), 8, 0.7);
  EXPECT_NE(a, generate<float>(parse_generator("er n=16384 d=8 seed=2")));
}

TEST(Generators, RmatIsSkewed) {
  const Csr<double> a = generate<double>(parse_generator("rmat scale=12 d=8"));
  const Index n = a.rows;
  EXPECT_GT(a.entries(), 6 * n);  // some edges meet
  EXPECT_LT(a.entries(), 8 * n);
  const double upper_left =
      static_cast<double>(extract(a, 0, n / 2, 0, n / 2).entries()) / static_cast<double>(a.entries());
  EXPECT_NEAR(upper_left, 0.57, 0.05);
  EXPECT_GT(a.entries_of(0), 200);
}

TEST(Generators, AboutAsManyEntriesAsExpected) {
  // Name, and the least share of what is expected: borders have less, and edges of R-MAT meet.
  for (const auto& [text, least] :
       {std::pair{"er n=2000 d=7", 0.95}, std::pair{"er rows=50 columns=3 d=9", 1.0},
        std::pair{"rmat scale=10 d=4", 0.7}, std::pair{"stencil5 nx=40", 0.95},
        std::pair{"stencil27 nx=20 ny=30 nz=40", 0.85}, std::pair{"banded n=300 width=4", 0.97},
        std::pair{"er n=0 d=3", 0.0}}) {
    const Generator g = parse_generator(text);
    const double expected = expected_entries(g), made = static_cast<double>(generate<double>(g).entries());
    EXPECT_GE(made, least * expected) << text;
    EXPECT_LE(made, 1.05 * expected) << text;
  }
}

TEST(Generators, StencilsAreLaplacians) {
  for (const char* const text :
       {"stencil5 nx=17", "stencil9 nx=13 ny=20", "stencil7 nx=5 ny=6 nz=7", "stencil27 nx=6"}) {
    const Generator g = parse_generator(text);
    const Csr<double> a = generate<double>(g);
    EXPECT_EQ(transpose(a), a) << text;
    Index inner = 0;
    for (Index i = 0; i < a.rows; ++i) inner += a.entries_of(i) == g.points ? 1 : 0;
    EXPECT_EQ(inner, (g.nx - 2) * (g.ny - 2) * (g.family == Family::stencil3 ? g.nz - 2 : 1)) << text;
    const auto sums = row_sums<PlusTimes<double>>(a);
    for (Index i = 0; i < a.rows; ++i) ASSERT_EQ(sums[i], static_cast<double>(g.points - a.entries_of(i)));
  }
  EXPECT_EQ(generate<double>(parse_generator("stencil5 nx=1024"), {524800, 0, 1, 1 << 20}).entries(), 5);
}

TEST(Generators, ValuesDependOnTheirPlace) {
  const auto whole = generate<std::complex<double>>(parse_generator("banded n=50 width=2"));
  for (const auto& x : whole.values) {
    EXPECT_GT(x.real(), 0);
    EXPECT_LE(x.real(), 1);
    EXPECT_NE(x.real(), x.imag());
  }
  EXPECT_NE(whole.values[0], whole.values[1]);
}

TEST(Generators, BadTexts) {
  const auto expect_error = [](const char* text, std::string_view part) {
    try {
      parse_generator(text);
      FAIL() << "no error: " << text;
    } catch (const ArgumentError& e) {
      EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
    }
  };
  expect_error("", "expected a name like er");
  expect_error("random n=4", "the generator is 'random'");
  expect_error("er d=4", "rows is missing");
  expect_error("er n=x", "n is 'x', expected a number from 0 to");
  expect_error("er n=-1", "n is '-1'");
  expect_error("er n=4 n=5", "n is given twice");
  expect_error("er n=4 width=2", "has no key width");
  expect_error("er n=4 d", "found 'd', expected key=value");
  expect_error("rmat scale=60", "scale is '60', expected a number from 0 to 40");
  expect_error("stencil5 nx=0", "nx is '0'");
  EXPECT_THROW(generate<double>(parse_generator("er n=4"), {2, 0, 3, 4}), ArgumentError);
}

}  // namespace
}  // namespace cairn::sparse
