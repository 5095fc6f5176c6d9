#include "program/linear_combination.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace cairn::program {
namespace {

// Whole numbers, so that every order of the sums gives the same.
std::vector<double> whole_numbers(Index count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> x(static_cast<std::size_t>(count));
  for (double& v : x) v = static_cast<double>(random() % 17) - 8;
  return x;
}

TEST(LinearCombination, AnyNumberOfTermsWithTheirOwnLeadingDimensions) {
  constexpr Index rows = 5, columns = 3, ld = 7;
  for (std::size_t count = 0; count <= 11; ++count)
    for (const double keep : {0.0, 1.0, -2.0}) {
      const std::vector<double> before = whole_numbers(ld * columns, 1);
      std::vector<double> to = before;
      std::vector<std::vector<double>> inputs;
      std::vector<ScaledMatrix<double>> terms;
      for (std::size_t t = 0; t < count; ++t) {
        const Index term_ld = rows + static_cast<Index>(t);
        inputs.push_back(whole_numbers(term_ld * columns, static_cast<unsigned>(t) + 2));
        terms.push_back({static_cast<double>(t) - 3, inputs.back().data(), term_ld});
      }
      combine<double>(rows, columns, keep, to.data(), ld, terms);
      for (Index j = 0; j < columns; ++j)
        for (Index i = 0; i < ld; ++i) {
          const auto at = static_cast<std::size_t>(i + j * ld);
          double expected = i < rows ? keep * before[at] : before[at];
          for (std::size_t t = 0; i < rows && t < count; ++t)
            expected += terms[t].factor * inputs[t][static_cast<std::size_t>(i + j * terms[t].ld)];
          EXPECT_EQ(to[at], expected) << count << " terms, keep " << keep << " at " << i << ", " << j;
        }
    }
}

TEST(LinearCombination, KeepZeroNeverReadsWhatIsThere) {
  std::vector<double> to(4, std::numeric_limits<double>::quiet_NaN());
  combine<double>(4, 1, 0.0, to.data(), 4, {});
  EXPECT_EQ(to, std::vector<double>(4, 0.0));
}

TEST(LinearCombination, ATermMayBeTheResult) {
  std::vector<double> to{1, 2, 3};
  const std::vector<ScaledMatrix<double>> terms{{2.0, to.data(), 3}, {1.0, to.data(), 3}};
  combine<double>(3, 1, 0.0, to.data(), 3, terms);
  EXPECT_EQ(to, (std::vector<double>{3, 6, 9}));
}

}  // namespace
}  // namespace cairn::program
