#include "comm/patience.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace cairn::comm {
namespace {

using Clock = Patience::Clock;

struct Wait {
  Clock::duration whole{}, slept{};
};
// A rank that waits in vain for so long, and until it has slept.
Wait wait_in_vain(Clock::duration least) {
  Patience patience;
  Wait wait;
  for (const auto start = Clock::now(); wait.whole < least || wait.slept == Clock::duration::zero();
       wait.whole = Clock::now() - start)
    if (const auto pause = patience.pause()) {
      wait.slept += *pause;
      std::this_thread::sleep_for(*pause);
    }
  return wait;
}

TEST(PatienceTest, LooksAgainThenMakesWayThenNaps) {
  Patience patience;
  for (int i = 0; i < Patience::looks_at_once; ++i) EXPECT_FALSE(patience.pause());
  EXPECT_EQ(patience.pause(), Clock::duration::zero());
  std::this_thread::sleep_for(2 * Patience::wait_before_naps);
  EXPECT_GE(patience.pause().value_or(Clock::duration::zero()), Patience::shortest_nap);
  patience.renew();
  for (int i = 0; i < Patience::looks_at_once; ++i) EXPECT_FALSE(patience.pause());
  EXPECT_EQ(patience.pause(), Clock::duration::zero());
}

// Who waits for a rank that naps naps, too: if both slept most of the time, one message would take many naps.
TEST(PatienceTest, NapsAreASmallPartOfTheWait) {
  const Wait wait = wait_in_vain(std::chrono::milliseconds(50));
  EXPECT_LE(wait.slept, wait.whole / Patience::awake_for_naps + Patience::longest_nap);
}

}  // namespace
}  // namespace cairn::comm
