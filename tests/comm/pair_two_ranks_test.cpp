// Long cases for two ranks, launched by themselves so that no idle rank takes the cores.
#include <algorithm>
#include <cstring>
#include <fstream>

#include "comm/collectives.hpp"
#include "support/mpi_test.hpp"

namespace cairn::comm {
namespace {

class PairTest : public test::MpiTest {};

[[maybe_unused]] Index resident_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stoll(line.substr(6));
  return 0;
}

TEST_F(PairTest, NothingLeaksOverManyCycles) {
  const auto cycle = [](int times) {
    for (int i = 0; i < times; ++i) {
      const Communicator part = test::world().split(0, test::world().rank());
      ASSERT_EQ(part.view().size(), 2);
    }
  };
  test::world().set_watchdog(0);  // its barrier before each split would double the time
  cycle(2000);
#ifdef __SANITIZE_ADDRESS__
  cycle(5000);  // LeakSanitizer looks at the end; it keeps freed memory for a while, so that the size tells
                // nothing
#else
  const Index before = resident_kilobytes();
  cycle(100000);
  // One leaked communicator is at least 100 bytes; 100,000 of them would be 10 MB.
  EXPECT_LT(resident_kilobytes() - before, 4096);
#endif
}

// More than 2^31 elements and bytes in one call.
TEST_F(PairTest, AMessageAbove2To31) {
  const CommView c = test::world();
  const Index n = (Index{1} << 31) + 12345;
  Buffer<char> data(n);
  // Pages of one value each, another for each page.
  constexpr Index page = 4096;
  const auto each_page = [&](auto&& f) {
    for (Index at = 0; at < n; at += page)
      f(data.data() + at, static_cast<std::size_t>(std::min(page, n - at)),
        static_cast<int>(at / page * 7 % 251));
  };
  if (c.rank() == 0) each_page([](char* at, std::size_t bytes, int v) { std::memset(at, v, bytes); });
  const TrafficSnapshot before = c.traffic().snapshot();
  if (c.rank() == 0) {
    send(c, data.span(), 1);
    return;
  }
  receive(c, data.span(), 0);
  std::size_t wrong = 0;
  each_page([&](char* at, std::size_t bytes, int v) {
    wrong += bytes - static_cast<std::size_t>(std::count(at, at + bytes, static_cast<char>(v)));
  });
  EXPECT_EQ(wrong, 0U);
  const Volume received = (c.traffic().snapshot() - before).total().received;
  EXPECT_EQ(received.bytes, n);
  EXPECT_EQ(received.messages, 3);  // of 2^30 bytes at most
}

}  // namespace
}  // namespace cairn::comm
