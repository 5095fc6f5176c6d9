#include "base/size.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace cairn {
namespace {

constexpr Index most = std::numeric_limits<Index>::max();

TEST(Size, NarrowKeepsWhatFits) {
  EXPECT_EQ(narrow<int>(Index{2147483647}, "x"), 2147483647);
  EXPECT_EQ(narrow<int>(Index{-2147483648}, "x"), -2147483647 - 1);
  EXPECT_EQ(narrow<std::uint8_t>(255, "x"), 255);
}

TEST(Size, NarrowNamesWhatDoesNotFit) {
  try {
    narrow<int>(Index{2147483648}, "count of a message");
    FAIL() << "no error";
  } catch (const OverflowError& e) {
    EXPECT_STREQ(e.what(), "count of a message is 2147483648, which does not fit a 32-bit integer");
    EXPECT_EQ(e.kind(), ErrorKind::overflow);
  }
  EXPECT_THROW(narrow<unsigned>(-1, "x"), OverflowError);
}

TEST(Size, ArithmeticIsChecked) {
  EXPECT_EQ(checked_add(most - 1, 1, "x"), most);
  EXPECT_THROW(checked_add(most, 1, "x"), OverflowError);
  EXPECT_EQ(checked_mul(Index{1} << 31, Index{1} << 31, "x"), Index{1} << 62);
  EXPECT_THROW(checked_mul(Index{1} << 32, Index{1} << 31, "x"), OverflowError);
}

TEST(Size, CeilDiv) {
  for (Index a = 0; a < 40; ++a)
    for (Index b = 1; b < 12; ++b) {
      Index q = 0;
      while (q * b < a) ++q;
      EXPECT_EQ(ceil_div(a, b), q) << a << "/" << b;
    }
  EXPECT_EQ(ceil_div(most, 2), most / 2 + 1);
}

TEST(Size, NegativeIsNamed) { EXPECT_THROW(require_not_negative(-1, "m"), ArgumentError); }

TEST(Error, KindSurvivesTheWire) {
  for (const ErrorKind kind : {ErrorKind::argument, ErrorKind::overflow, ErrorKind::memory, ErrorKind::comm,
                               ErrorKind::timeout, ErrorKind::io}) {
    try {
      throw_error(kind, "text");
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), kind);
      EXPECT_STREQ(e.what(), "text");
    }
  }
  EXPECT_THROW(throw_error(ErrorKind::memory, ""), MemoryError);
  EXPECT_THROW(throw_error(ErrorKind::timeout, ""), TimeoutError);
}

}  // namespace
}  // namespace cairn
