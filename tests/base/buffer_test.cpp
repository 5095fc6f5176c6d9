#include "base/buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace cairn {
namespace {

bool is_aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % buffer_alignment == 0; }

TEST(Buffer, IsAlignedAndWritable) {
  for (const Index n : {1, 3, 64, 1000}) {
    Buffer<double> b(n);
    EXPECT_TRUE(is_aligned(b.data()));
    EXPECT_EQ(b.size(), n);
    for (Index i = 0; i < n; ++i) b[i] = static_cast<double>(i);
    EXPECT_EQ(b[n - 1], static_cast<double>(n - 1));
  }
  EXPECT_EQ(Buffer<double>(0).size(), 0);
}

TEST(Buffer, RefusesWhatCannotBe) {
  EXPECT_THROW(Buffer<double>(-1), ArgumentError);
  EXPECT_THROW(Buffer<double>(Index{1} << 61), OverflowError);
  EXPECT_THROW(Buffer<double>(Index{1} << 55), MemoryError);
}

TEST(Arena, StacksAndCountsItsPeak) {
  Arena arena(1024);
  {
    const Arena::Scope scope(arena);
    const auto a = arena.take<double>(8);  // 64 bytes
    const auto b = arena.take<char>(1);    // 64, padded
    EXPECT_TRUE(is_aligned(a.data()) && is_aligned(b.data()));
    EXPECT_GE(b.data(), reinterpret_cast<char*>(a.data() + a.size()));
    EXPECT_EQ(arena.usage().now, 128);
  }
  EXPECT_EQ(arena.usage().now, 0);
  EXPECT_EQ(arena.usage().peak, 128);
  EXPECT_EQ(arena.take<char>(1024).size(), 1024U);
  EXPECT_THROW(arena.take<char>(1), MemoryError);
}

TEST(Pool, ReusesAndCounts) {
  Pool pool;
  std::byte* first = nullptr;
  {
    const Pool::Lease lease = pool.lease(1000);
    first = lease.data();
    EXPECT_EQ(pool.leased().now, 1000);
  }
  EXPECT_EQ(pool.leased().now, 0);
  EXPECT_EQ(pool.kept_bytes(), 1000);
  {
    const Pool::Lease again = pool.lease(900);  // the kept one will do
    EXPECT_EQ(again.data(), first);
    EXPECT_EQ(pool.kept_bytes(), 0);
    const Pool::Lease other = pool.lease(100);
    EXPECT_NE(other.data(), first);
    EXPECT_EQ(pool.leased().now, 1100);
  }
  EXPECT_EQ(pool.leased().peak, 1100);
  const Pool::Lease small = pool.lease(400);  // 1000 would waste more than half
  EXPECT_NE(small.data(), first);
  pool.trim();
  EXPECT_EQ(pool.kept_bytes(), 0);
}

TEST(Pool, GrowingRequestsDoNotPileUp) {
  Pool pool;
  for (Index bytes = 1000; bytes < 2000; ++bytes) {
    const Pool::Lease a = pool.lease(bytes), b = pool.lease(bytes);
  }
  EXPECT_EQ(pool.kept_bytes(), 2 * 1999);
  { const Pool::Lease small = pool.lease(10); }
  EXPECT_EQ(pool.kept_bytes(), 2 * 1999 + 10);
}

TEST(Pool, HonoursItsLimit) {
  Pool pool(1000);
  { const Pool::Lease a = pool.lease(600); }
  const Pool::Lease b = pool.lease(1000);  // frees the kept 600 first
  EXPECT_THROW(pool.lease(1), MemoryError);
}

TEST(Pool, LeasesMove) {
  Pool pool;
  Pool::Lease a = pool.lease(10);
  Pool::Lease b = std::move(a);
  EXPECT_EQ(pool.leased().now, 10);
  b = pool.lease(20);
  EXPECT_EQ(pool.leased().now, 20);
}

}  // namespace
}  // namespace cairn
