#include "base/small_vector.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

namespace cairn {
namespace {

using Small = SmallVector<int, 3>;

std::vector<int> values(const Small& s) { return {s.begin(), s.end()}; }

TEST(SmallVector, FollowsAVectorThroughRandomSteps) {
  std::mt19937 random(7);
  Small small;
  std::vector<int> plain;
  for (int step = 0; step < 5000; ++step) {
    const int value = static_cast<int>(random() % 1000);
    const std::vector<int> several(random() % 4, value);
    switch (random() % 8) {
      case 0:
        small.clear();
        plain.clear();
        break;
      case 1: {
        const std::size_t at = plain.empty() ? 0 : random() % plain.size();
        small.insert(at, several);
        plain.insert(plain.begin() + static_cast<std::ptrdiff_t>(at), several.begin(), several.end());
        break;
      }
      case 2: {
        const std::size_t size = random() % 9;
        small.resize(size);
        plain.resize(size);
        break;
      }
      case 3:
        small.assign(random() % 6, value);
        plain.assign(small.size(), value);
        break;
      default:
        small.push_back(value);
        plain.push_back(value);
    }
    ASSERT_EQ(values(small), plain);
  }
}

TEST(SmallVector, MovesAndCopiesBothKindsOfStorage) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{2}, std::size_t{3}, std::size_t{40}}) {
    Small original;
    original.resize(size);
    std::iota(original.begin(), original.end(), 1);
    const std::vector<int> expected = values(original);
    Small copy(original);
    Small target;
    target.assign(17, 5);
    target = std::move(original);
    EXPECT_EQ(values(target), expected);
    EXPECT_TRUE(original.empty());  // NOLINT(bugprone-use-after-move): a moved-from vector is empty
    original.push_back(9);          // NOLINT(clang-analyzer-cplusplus.Move)
    EXPECT_EQ(values(original), std::vector<int>{9});
    EXPECT_EQ(values(copy), expected);
    copy = target;
    EXPECT_EQ(values(copy), expected);
  }
}

TEST(SmallVector, TakesAnElementOfItsOwn) {
  Small small;
  small.assign(3, 4);
  small.push_back(small[0]);
  EXPECT_EQ(values(small), (std::vector<int>{4, 4, 4, 4}));
}

}  // namespace
}  // namespace cairn
