#include "comm/progress_thread.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace cairn::comm {
namespace {

using std::chrono::milliseconds;

// Work that is over only when progress has been made: hangs, until its limit ends it, if nobody makes any.
struct Awaited {
  std::atomic<int> calls = 0;
  std::thread::id by = {};

  std::function<bool()> progress() {
    return [this] {
      by = std::this_thread::get_id();
      ++calls;
      return false;
    };
  }
  std::function<void()> until(int enough) {
    return [this, enough] {
      while (calls < enough) std::this_thread::sleep_for(milliseconds(1));
    };
  }
};

TEST(ProgressThread, DrivesWhileItsOwnerWorksAndNotAfterwards) {
  ProgressThread thread;
  ASSERT_TRUE(thread.start());
  Awaited x;
  std::thread::id worker;
  for (int again = 1; again <= 20; ++again) {
    const int before = x.calls;
    thread.beside(x.progress(), [&] {
      worker = std::this_thread::get_id();
      x.until(before + 3)();
    });
    const int after = x.calls;
    if (again == 20) std::this_thread::sleep_for(milliseconds(20));
    EXPECT_EQ(x.calls, after);
  }
  EXPECT_EQ(worker, std::this_thread::get_id());
  EXPECT_NE(x.by, worker);
}

TEST(ProgressThread, NeverTouchesAnythingWhileItsOwnerHasIt) {
  ProgressThread thread;
  ASSERT_TRUE(thread.start());
  constexpr long turns = 2000;
  long touched = 0;  // not atomic: the handing over must order these
  std::atomic<long> calls = 0;
  for (long again = 0; again < turns; ++again) {
    ++touched;
    thread.beside(
        [&] {
          ++touched;
          ++calls;
          return true;
        },
        [] {});
  }
  EXPECT_EQ(touched, turns + calls);
}

TEST(ProgressThread, GivesWayThoughSomethingHappensAllTheTime) {
  ProgressThread thread;
  ASSERT_TRUE(thread.start());
  std::atomic<long> calls = 0;
  thread.beside(
      [&] {
        ++calls;
        return true;
      },
      [&] {
        while (calls == 0) std::this_thread::yield();
      });
  const long after = calls;
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(calls, after);
}

TEST(ProgressThread, ThrowsWhatWorkThrowsAndCanBeUsedAgain) {
  ProgressThread thread;
  ASSERT_TRUE(thread.start());
  Awaited x;
  EXPECT_THROW(thread.beside(x.progress(), [] { throw std::runtime_error("work"); }), std::runtime_error);
  thread.beside(x.progress(), x.until(x.calls + 1));
  EXPECT_GE(x.calls, 1);
}

TEST(ProgressThread, ThrowsWhatProgressThrowsWhenWorkIsOver) {
  ProgressThread thread;
  ASSERT_TRUE(thread.start());
  Awaited x;
  bool worked = false;
  std::atomic<bool> thrown = false;
  const auto failing = [&]() -> bool {
    EXPECT_FALSE(thrown) << "called again after it threw";
    thrown = true;
    throw std::out_of_range("progress");
  };
  EXPECT_THROW(thread.beside(failing,
                             [&] {
                               while (!thrown) std::this_thread::yield();
                               std::this_thread::sleep_for(milliseconds(2));
                               worked = true;
                             }),
               std::out_of_range);
  EXPECT_TRUE(worked);
  thread.beside(x.progress(), x.until(1));
  EXPECT_GE(x.calls, 1);
}

}  // namespace
}  // namespace cairn::comm
