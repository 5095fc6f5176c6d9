#include "base/workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

namespace cairn {
namespace {

TEST(Workers, EveryThreadDoesItsShareEveryTime) {
  for (const int threads : {1, 2, 5}) {
    Workers workers(threads);
    ASSERT_EQ(workers.threads(), threads);
    std::vector<int> times(static_cast<std::size_t>(threads), 0);
    for (int round = 0; round < 500; ++round)
      workers.run([&](int i) { ++times[static_cast<std::size_t>(i)]; });
    for (const int t : times) EXPECT_EQ(t, 500);
  }
}

TEST(Workers, TheResultsAreThereWhenRunReturns) {
  Workers workers(4);
  std::vector<long> part(4);
  for (int round = 1; round < 200; ++round) {
    workers.run([&](int i) {
      long sum = 0;
      for (int k = i; k < 1000 * round; k += 4) sum += k;
      part[static_cast<std::size_t>(i)] = sum;
    });
    const long n = 1000L * round;
    ASSERT_EQ(std::accumulate(part.begin(), part.end(), 0L), n * (n - 1) / 2);
  }
}

}  // namespace
}  // namespace cairn
