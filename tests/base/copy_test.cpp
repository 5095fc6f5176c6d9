#include "base/copy.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace cairn {
namespace {

// Every alignment of both ends, and nothing beyond them.
TEST(Copy, StreamsEveryStretchAndNoMore) {
  std::vector<unsigned char> from(400);
  std::iota(from.begin(), from.end(), static_cast<unsigned char>(1));
  for (Index begin = 0; begin < 70; ++begin)
    for (Index bytes = 0; bytes + begin <= 300; bytes += begin % 3 + 1) {
      std::vector<unsigned char> to(400, 0), expected(400, 0);
      std::copy_n(from.begin() + 7, bytes, expected.begin() + begin);
      stream_copy(to.data() + begin, from.data() + 7, bytes);
      finish_streaming();
      ASSERT_EQ(to, expected) << begin << " " << bytes;
    }
}

TEST(Copy, LargeBlocksArriveWhole) {
  std::vector<std::uint32_t> from((std::size_t{1} << 21) + 12345), to(from.size() + 1, 77);
  std::iota(from.begin(), from.end(), 3U);
  copy_block(to.data(), from.data(), static_cast<Index>(from.size() * sizeof(std::uint32_t)));
  EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin()));
  EXPECT_EQ(to.back(), 77U);
}

}  // namespace
}  // namespace cairn
