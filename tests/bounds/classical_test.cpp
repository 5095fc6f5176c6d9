#include "bounds/classical.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "bounds/numeric.hpp"

namespace cairn::bounds::classical {
namespace {

using test::argmin;
using test::relative;

struct Case {
  Product p;
  Index ranks;
  double memory;
};
const std::vector<Case> cases{{{4096, 4096, 4096}, 64, 3.0 * 4096 * 4096 / 64},
                              {{1000, 2000, 500}, 12, 4e5},
                              {{512, 512, 65536}, 128, 1e6},
                              {{17408, 17408, 3735552}, 18432, 2e7},
                              {{100, 100, 100}, 1000, 3 * 1e2},
                              {{64, 64, 64}, 4, 1e9}};

TEST(Classical, TheoremTwoIsTheLeastSurfaceOfADomainThatFits) {
  for (const auto& [p, ranks, memory] : cases) {
    const double volume = voxels(p) / as_real(ranks);
    const auto surface = [&](double a) { return 2 * volume / a + a * a; };
    const double a = argmin(surface, 1e-6, std::sqrt(memory));
    EXPECT_LT(relative(io_lower_bound(p, ranks, memory), surface(a)), 1e-9);
    EXPECT_LT(relative(optimal_domain(p, ranks, memory).a, a), 1e-5);
  }
}

TEST(Classical, TheDomainBalancesTheLoad) {
  for (const auto& [p, ranks, memory] : cases) {
    const Domain d = optimal_domain(p, ranks, memory);
    EXPECT_LT(relative(d.a * d.a * d.b * as_real(ranks), voxels(p)), 1e-12);
    EXPECT_LE(d.a * d.a, memory * (1 + 1e-12));
  }
}

// Why eq. (5) cannot be read as it is printed: its min is always the cubic term.
TEST(Classical, ThePrintedMinimumIsAlwaysTheCubicTerm) {
  for (const auto& [p, ranks, memory] : cases) {
    const double volume = voxels(p) / as_real(ranks);
    EXPECT_GE(2 * volume / std::sqrt(memory) + memory, 3 * std::pow(volume, 2.0 / 3) * (1 - 1e-12));
  }
}

// Least x + y + z with xyz >= V^2 and each at least its share: z from the other two, a valley in y inside a
// valley in x.
double least_faces(const Product& p, double ranks) {
  const std::array<double, 3> share{words_a(p) / ranks, words_b(p) / ranks, words_c(p) / ranks};
  const double volume = voxels(p) / ranks;
  const auto rest = [&](double x, double y) { return std::max(volume * volume / (x * y), share[2]); };
  // Exponents, because the valleys are wide.
  const auto over_y = [&](double x) {
    const auto f = [&](double t) { return std::exp(t) + rest(x, std::exp(t)); };
    return f(argmin(f, std::log(share[1]), std::log(share[1] * ranks)));
  };
  const auto over_x = [&](double t) { return std::exp(t) + over_y(std::exp(t)); };
  return over_x(argmin(over_x, std::log(share[0]), std::log(share[0] * ranks)));
}

TEST(Classical, MemoryIndependentBoundIsTheNumericOptimum) {
  const std::vector<Product> shapes{{1000, 1000, 1000}, {64000, 1000, 10}, {10, 64000, 1000},
                                    {1000, 10, 64000},  {4096, 4096, 256}, {256, 4096, 4096},
                                    {5, 7, 11000},      {300, 20, 20}};
  std::array<int, 3> seen{};
  for (const Product& p : shapes)
    for (Index ranks : {1, 2, 3, 16, 64, 1000, 7000, 100000}) {
      const FacesBound bound = memory_independent(p, ranks);
      ++seen[static_cast<std::size_t>(bound.cut)];
      EXPECT_LT(relative(bound.touched, least_faces(p, as_real(ranks))), 1e-6)
          << p.m << 'x' << p.n << 'x' << p.k << " on " << ranks;
      EXPECT_GE(bound.words(), -1e-9 * bound.owned);
    }
  EXPECT_GT(seen[0], 3);
  EXPECT_GT(seen[1], 3);
  EXPECT_GT(seen[2], 3);
}

TEST(Classical, TheThreeCasesMeet) {
  // d1 = 6400, d2 = 400, d3 = 20: the cases change at P = 16 and at P = 6400.
  const Product p{400, 6400, 20};
  EXPECT_EQ(memory_independent(p, 16).cut, Cut::one);
  EXPECT_EQ(memory_independent(p, 17).cut, Cut::two);
  EXPECT_EQ(memory_independent(p, 6400).cut, Cut::two);
  EXPECT_EQ(memory_independent(p, 6401).cut, Cut::three);
  for (Index ranks : {16, 6400}) {
    const double here = memory_independent(p, ranks).touched;
    const double next = memory_independent(p, ranks + 1).touched;
    EXPECT_LT(next, here);
    EXPECT_LT((here - next) / here, 1.0 / as_real(ranks));  // no jump: a step of P is a step of 1/P
  }
}

// Bricks of any grid touch at least what the bound says.
TEST(Classical, NoGridTouchesLess) {
  for (const Product& p : {Product{240, 240, 240}, Product{960, 48, 24}, Product{24, 960, 960}})
    for (Index pm : {1, 2, 3, 4, 6, 8, 12, 24})
      for (Index pn : {1, 2, 3, 4, 6, 8, 12, 24})
        for (Index pk : {1, 2, 3, 4, 6, 8, 12, 24}) {
          const Product brick{p.m / pm, p.n / pn, p.k / pk};
          EXPECT_GE(all_words(brick) * (1 + 1e-12), memory_independent(p, pm * pn * pk).touched);
        }
}

TEST(Classical, WordsBoundIsTheLargerOfItsParts) {
  const Product p{4096, 4096, 4096};
  const double owned = all_words(p) / 64;
  EXPECT_LT(relative(words_lower_bound(p, 64, 1e12), memory_independent(p, 64).words()), 1e-12);
  EXPECT_DOUBLE_EQ(words_lower_bound(p, 64, owned), io_lower_bound(p, 64, owned) - owned);
  EXPECT_GT(words_lower_bound(p, 64, owned), memory_independent(p, 64).words());
  EXPECT_DOUBLE_EQ(words_lower_bound(p, 1, 1e12), 0);
}

struct Small {
  Product p;
  Index ranks, memory;
};
const std::vector<Small> small_cases{{{24, 24, 24}, 8, 60},    {{40, 30, 20}, 6, 900},  {{64, 16, 8}, 4, 50},
                                     {{8, 100, 100}, 10, 300}, {{12, 12, 12}, 27, 500}, {{300, 4, 4}, 5, 40}};

// All words of a rank's faces found by search, less what it owns when every word has one owner.
TEST(Classical, WordsBoundsAreSearchedOptimaLessWhatIsOwned) {
  for (const auto& [p, ranks, memory] : small_cases) {
    Index all = 0;
    for (Index i = 0; i < p.m; ++i) all += p.k + p.n;  // a row of A and one of C
    for (Index l = 0; l < p.k; ++l) all += p.n;        // a row of B
    const double owned = as_real(all) / as_real(ranks), volume = voxels(p) / as_real(ranks);
    const auto surface = [&](double a) { return 2 * volume / a + a * a; };
    const double brick = surface(argmin(surface, 1e-6, std::sqrt(as_real(memory))));
    const double faces = least_faces(p, as_real(ranks));
    EXPECT_LT(relative(words_lower_bound(p, ranks, as_real(memory)), std::max(brick, faces) - owned), 1e-5);
    // Event by event; the smooth form is at most 0.385 S below.
    const double events = as_real(test::count_events(volume, memory, std::pow(3.0, -1.5)));
    const double proven = proven_words_lower_bound(p, ranks, as_real(memory));
    EXPECT_LE(proven, std::max(events, faces * (1 + 1e-6)) - owned);
    EXPECT_GE(proven, std::max(events - 1 - 0.385 * as_real(memory), faces * (1 - 1e-6)) - owned);
  }
}

TEST(Classical, ProvenBoundIsCloseBelow) {
  for (const auto& [p, ranks, memory] : cases) {
    const double full = words_lower_bound(p, ranks, memory),
                 proven = proven_words_lower_bound(p, ranks, memory);
    EXPECT_LE(proven, full * (1 + 1e-12));
    EXPECT_GE(proven, full - 0.385 * memory);
  }
  // Memory far below the brick: both are 2V / sqrt(S) to a few per cent.
  const double full = words_lower_bound({4096, 4096, 4096}, 4096, 12288);
  EXPECT_LT(relative(full, proven_words_lower_bound({4096, 4096, 4096}, 4096, 12288)), 0.1);
}

// Rounds counted: h whole outer products per round, until b are done.
TEST(Classical, TradeOffCountsItsRounds) {
  const Product p{1 << 10, 1 << 10, 1 << 10};
  for (Index a : {16, 32, 64}) {
    const Index h = 8;
    const Index memory = a * a + 2 * a * h;
    const Index ranks = 1 << 12;
    const Index b = (Index{1} << 30) / ranks / (a * a);
    Index words = a * a, rounds = 0;
    for (Index done = 0; done < b; done += h, ++rounds) words += 2 * a * std::min(h, b - done);
    const Cost cost = trade_off(p, ranks, as_real(memory), as_real(a));
    EXPECT_DOUBLE_EQ(cost.words, as_real(words));
    EXPECT_DOUBLE_EQ(std::ceil(cost.messages), as_real(rounds));
  }
}

TEST(Classical, RoundsAreFewestAtTheStatedSide) {
  for (double memory : {300.0, 1e4, 1e6}) {
    const Product p{100000, 100000, 100000};
    const auto rounds = [&](double a) { return trade_off(p, 64, memory, a).messages; };
    EXPECT_LT(relative(argmin(rounds, 1, std::sqrt(memory + 1) - 1), fewest_rounds_side(memory)), 1e-6);
  }
}

TEST(Classical, ArgumentsAreChecked) {
  EXPECT_THROW(memory_independent({1, 1, 1}, 0), ArgumentError);
  EXPECT_THROW(memory_independent({1, -1, 1}, 1), ArgumentError);
  EXPECT_THROW(trade_off({8, 8, 8}, 1, 100, 10), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds::classical
