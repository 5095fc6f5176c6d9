#include "gemm/named.hpp"

#include <gtest/gtest.h>

#include "gemm/compile.hpp"
#include "gemm/count.hpp"

namespace cairn::gemm {
namespace {

Problem problem(Index m, Index n, Index k) { return {.m = m, .n = n, .k = k}; }

TEST(Named, GridsOfThePapers) {
  const Problem square = problem(4096, 4096, 4096);
  EXPECT_EQ(named_schedule("summa2d-c", square, 16).grid, (Grid{4, 4, 1}));
  EXPECT_EQ(named_schedule("summa2d-a", square, 16).grid, (Grid{4, 1, 4}));
  EXPECT_EQ(named_schedule("summa2d-b", square, 16).grid, (Grid{1, 4, 4}));
  EXPECT_EQ(named_schedule("summa3d-c", square, 8).grid, (Grid{2, 2, 2}));
  EXPECT_EQ(named_schedule("summa3d-a", square, 32, {.layers = 2}).grid, (Grid{4, 2, 4}));
  EXPECT_EQ(named_schedule("summa3d-b", square, 32, {.layers = 2}).grid, (Grid{2, 4, 4}));
  EXPECT_EQ(named_schedule("cannon", square, 17).grid, (Grid{4, 4, 1}));
  EXPECT_EQ(named_schedule("cannon", square, 17).rounds, (Rounds{Dim::k, 4}));
  EXPECT_EQ(named_schedule("2.5d", square, 32, {.layers = 2}).grid, (Grid{4, 4, 2}));
  EXPECT_EQ(named_schedule("2.5d", square, 32).grid, (Grid{4, 4, 2}));
  EXPECT_EQ(named_schedule("3d", square, 30).grid, (Grid{3, 3, 3}));
  EXPECT_EQ(named_schedule("carma", square, 8).grid, (Grid{2, 2, 2}));
  EXPECT_EQ(named_schedule("carma", problem(512, 512, 32768), 16).grid, (Grid{1, 1, 16}));
  EXPECT_EQ(named_schedule("carma", square, 64).grid, (Grid{4, 4, 4}));
  EXPECT_EQ(named_schedule("carma", square, 7).tree->text(), "k(3:4){n(1:2){1, m2}, m2n2}");
}

TEST(Named, StationaryFamiliesCutTheDimensionTheirMatrixMisses) {
  const Problem p = problem(2000, 2000, 2000);
  EXPECT_EQ(named_schedule("summa2d-c", p, 4).rounds, (Rounds{Dim::k, 8}));
  EXPECT_EQ(named_schedule("summa2d-a", p, 4).rounds, (Rounds{Dim::n, 8}));
  EXPECT_EQ(named_schedule("summa2d-b", p, 4).rounds, (Rounds{Dim::m, 8}));
  EXPECT_EQ(named_schedule("summa2d-b", p, 4, {.rounds = 3}).rounds, (Rounds{Dim::m, 3}));
  // The stationary matrix does not move.
  for (const auto& [name, stays] : {std::pair("summa2d-a", Matrix::a), std::pair("summa2d-b", Matrix::b),
                                    std::pair("summa2d-c", Matrix::c)})
    for (const int ranks : {4, 6, 7, 16})
      for (int rank = 0; rank < ranks; ++rank)
        EXPECT_EQ(moved_of(compile(named_schedule(name, p, ranks), rank), stays).total_words(), 0) << name;
}

// Paper 003, section 6.1: (d1 - 1) mk/p + (d0 - 1) nk/p words per rank.
TEST(Named, Summa2dMovesThePapersWords) {
  const Totals t = totals(named_schedule("summa2d-c", problem(1200, 2400, 3600), 12, {.rounds = 1}));
  const double d0 = 3, d1 = 4, p = 12, m = 1200, n = 2400, k = 3600;
  const double words = (d1 - 1) * m * k / p + (d0 - 1) * n * k / p;
  const double other = (d0 - 1) * m * k / p + (d1 - 1) * n * k / p;
  EXPECT_EQ(static_cast<double>(t.words_received), std::min(words, other));
}

TEST(Named, EveryNameRunsOnAnyNumberOfRanks) {
  for (const auto name : fixed_names())
    for (const int ranks : {1, 2, 3, 5, 7, 12, 13, 17, 64, 97, 1021})
      for (const Problem& p :
           {problem(1, 1, 1), problem(0, 5, 5), problem(100, 3, 7), problem(997, 991, 983)}) {
        const Schedule s = named_schedule(name, p, ranks);
        EXPECT_LE(s.grid.ranks(), ranks);
        EXPECT_NO_THROW(check(s, ranks));
      }
}

TEST(Named, ErrorsNameWhatIsKnown) {
  try {
    named_schedule("summa4d", problem(4, 4, 4), 4);
    FAIL();
  } catch (const ArgumentError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("algorithm is 'summa4d'"), std::string::npos) << text;
    for (const auto name : fixed_names()) EXPECT_NE(text.find(name), std::string::npos) << text;
  }
  EXPECT_THROW(named_schedule("2.5d", problem(4, 4, 4), 4, {.layers = 5}), ArgumentError);
  EXPECT_THROW(named_schedule("2.5d", problem(4, 4, 4), 4, {.layers = 0}), ArgumentError);
  EXPECT_THROW(named_schedule("cannon", problem(4, 4, 4), 0), ArgumentError);
  EXPECT_THROW(named_schedule("cannon", problem(4, 4, 4), 4, {.rounds = 5}), ArgumentError);
}

}  // namespace
}  // namespace cairn::gemm
