// How long planning takes, in CPU time of this process, so that other work on the machine does not count.
#include <gtest/gtest.h>

#include <ctime>

#include "layout/kinds.hpp"
#include "plan/plan.hpp"
#include "support/trials.hpp"

namespace cairn::plan {
namespace {

// The lines hold for one core that has nothing else to do; a busy one takes up to three times as long, and the sanitizers
// several times that.
#ifdef __SANITIZE_ADDRESS__
constexpr double patience = 30;
#else
constexpr double patience = 3;
#endif

template <class F>
double cpu_seconds(F&& f) {
  const std::clock_t start = std::clock();
  f();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// At any limit from the least memory on, and below it, where the error says what would do.
void expect_fast_at_any_limit(Index n, int ranks, double most_seconds) {
  const gemm::Problem p{.m = n, .n = n, .k = n};
  for (const Objective objective : {Objective::time, Objective::words}) {
    Settings settings{.objective = objective};
    Index least = 0;
    const auto check = [&](std::string_view what, double seconds) {
      EXPECT_LT(seconds, most_seconds * patience) << name(objective) << " on " << ranks << ", " << what;
      if (test::all_trials_wanted())
        fmt::print("{} ranks, {}, {}: {:.2f} s\n", ranks, name(objective), what, seconds);
    };
    check("the least memory", cpu_seconds([&] { least = least_memory(p, ranks, settings); }));
    for (const double times : {1.0, 1.001, 1.02, 1.1, 1.3, 2.0, 5.0}) {
      settings.memory_bytes = static_cast<Index>(times * static_cast<double>(least));
      check(fmt::format("{} of the least memory", times),
            cpu_seconds([&] { plan_multiply(p, ranks, settings); }));
    }
  }
}

TEST(Speed, UnderAMemoryLimit) {
  expect_fast_at_any_limit(100'000, 1000, 1);
  expect_fast_at_any_limit(4096, 1024, 1);
}

TEST(Speed, UnderAMemoryLimitOnAHundredThousandRanks) {
  if (!test::all_trials_wanted()) GTEST_SKIP() << "takes longer: with all trials";
  expect_fast_at_any_limit(1'000'000, 100'000, 5);
}

TEST(Speed, ABillionRanksAreRefusedAtOnce) {
  const gemm::Problem p{.m = 1'000'000, .n = 1'000'000, .k = 1'000'000};
  const double seconds =
      cpu_seconds([&] { EXPECT_THROW(plan_multiply(p, 1'000'000'000, Settings{}), ArgumentError); });
  EXPECT_LT(seconds, 0.1 * patience);
}

void expect_fast_block_cyclic(int rows, int columns, double most_seconds) {
  const Index n = 20'000;
  const layout::Layout l = layout::block_cyclic(n, n, {.process_rows = rows, .process_columns = columns});
  for (const Objective objective : {Objective::time, Objective::words}) {
    const double seconds = cpu_seconds([&] {
      plan_multiply({.m = n, .n = n, .k = n}, {l, l, l}, rows * columns, {.objective = objective});
    });
    EXPECT_LT(seconds, most_seconds * patience) << rows << " x " << columns << ", " << name(objective);
    if (test::all_trials_wanted())
      fmt::print("{} x {}, {}: {:.2f} s\n", rows, columns, name(objective), seconds);
  }
}

TEST(Speed, BlockCyclicProducts) {
  expect_fast_block_cyclic(8, 8, 0.1);
  expect_fast_block_cyclic(7, 9, 0.1);
  expect_fast_block_cyclic(32, 32, 1);
  if (test::all_trials_wanted()) expect_fast_block_cyclic(64, 64, 10);
}

// Trees among the candidates, on numbers of ranks with good grids and without.
TEST(Speed, AnyNumberOfRanks) {
  const auto expect_fast = [](Index n, int ranks, double most_seconds) {
    for (const Objective objective : {Objective::time, Objective::words}) {
      const double seconds = cpu_seconds(
          [&] { plan_multiply({.m = n, .n = n, .k = n}, ranks, Settings{.objective = objective}); });
      EXPECT_LT(seconds, most_seconds * patience) << n << "^3 on " << ranks << ", " << name(objective);
      if (test::all_trials_wanted())
        fmt::print("{}^3 on {}, {}: {:.3f} s\n", n, ranks, name(objective), seconds);
    }
  };
  for (const Index n : {2048, 16384}) {
    for (const int ranks : {13, 16, 59, 61, 63, 64}) expect_fast(n, ranks, 0.05);
    for (const int ranks : {1009, 1021, 1023, 1024}) expect_fast(n, ranks, 0.5);
    for (const int ranks : {99'991, 100'000, 100'001}) expect_fast(n, ranks, 2);
  }
}

}  // namespace
}  // namespace cairn::plan
