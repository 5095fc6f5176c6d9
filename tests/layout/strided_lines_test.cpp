#include "layout/strided_lines.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace cairn::layout {
namespace {

std::set<Index> elements(const StridedLines& x) {
  std::set<Index> all;
  for (Index j = 0; j < x.count; ++j)
    for (Index i = 0; i < x.length; ++i) all.insert(x.first + j * x.step + i);
  return all;
}

bool share_by_listing(const StridedLines& x, const StridedLines& y) {
  const std::set<Index> mine = elements(x);
  for (const Index e : elements(y))
    if (mine.contains(e)) return true;
  return false;
}

TEST(StridedLines, SharedElementsAsListed) {
  std::mt19937_64 random(7);
  int shared = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const auto pick = [&](Index least, Index most) {
      return std::uniform_int_distribution<Index>(least, most)(random);
    };
    const auto some = [&](Index step) { return StridedLines{pick(0, 40), pick(0, step), pick(0, 5), step}; };
    const Index step = pick(1, 9);
    const StridedLines x = some(step), y = some(random() % 2 == 0 ? step : pick(1, 9));
    const bool expected = share_by_listing(x, y);
    shared += expected ? 1 : 0;
    ASSERT_EQ(share_elements(x, y), expected)
        << x.first << " " << x.length << " " << x.count << " " << x.step << " / " << y.first << " "
        << y.length << " " << y.count << " " << y.step;
  }
  EXPECT_GT(shared, 1'000);
  EXPECT_LT(shared, 19'000);
}

}  // namespace
}  // namespace cairn::layout
