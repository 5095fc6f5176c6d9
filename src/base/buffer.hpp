// Aligned memory that is never initialised, and two ways to reuse it: an Arena (a stack) and a Pool (by
// size). Both count the bytes in use and their peak, so that a plan's memory can be checked against the
// run's.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/size.hpp"

namespace cairn {

inline constexpr std::size_t buffer_alignment = 64;  // a cache line, and the widest vector register

// Bytes on the heap, aligned; freed when it dies. Throws MemoryError.
class RawBuffer {
 public:
  RawBuffer() = default;
  explicit RawBuffer(Index bytes);
  std::byte* data() const noexcept { return memory_.get(); }
  Index bytes() const noexcept { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* p) const noexcept;
  };
  std::unique_ptr<std::byte[], Free> memory_;
  Index bytes_ = 0;
};

// `size` objects of a trivial T, uninitialised.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(Index size)
      : raw_(checked_mul(require_not_negative(size, "size of a buffer"), sizeof(T), "bytes of a buffer")),
        size_(size) {}
  T* data() const noexcept { return reinterpret_cast<T*>(raw_.data()); }
  Index size() const noexcept { return size_; }
  std::span<T> span() const noexcept { return {data(), static_cast<std::size_t>(size_)}; }
  T& operator[](Index i) const noexcept { return data()[i]; }

 private:
  RawBuffer raw_;
  Index size_ = 0;
};

// Bytes in use now and at most.
struct Usage {
  Index now = 0;
  Index peak = 0;
  void add(Index bytes) { peak = std::max(peak, now += bytes); }
  void remove(Index bytes) { now -= bytes; }
};

// A stack of uninitialised memory of fixed capacity: allocating moves a mark, and a Scope moves it back.
//   Arena arena(1 << 20);
//   { Arena::Scope scope(arena);  std::span<double> x = arena.take<double>(100); }   // x is gone here
class Arena {
 public:
  explicit Arena(Index capacity_bytes) : memory_(capacity_bytes) {}

  template <class T>
  std::span<T> take(Index count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const Index bytes = checked_mul(require_not_negative(count, "count"), sizeof(T), "bytes from an arena");
    return {reinterpret_cast<T*>(take_bytes(bytes)), static_cast<std::size_t>(count)};
  }

  const Usage& usage() const noexcept { return usage_; }
  Index capacity() const noexcept { return memory_.bytes(); }

  class Scope {
   public:
    explicit Scope(Arena& arena) : arena_(arena), mark_(arena.usage_.now) {}
    ~Scope() { arena_.usage_.now = mark_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Arena& arena_;
    Index mark_;
  };

 private:
  std::byte* take_bytes(Index bytes);

  RawBuffer memory_;
  Usage usage_;
};

// Buffers that are kept for the next caller. A lease returns its buffer when it dies; a request is served by
// the smallest kept buffer that is large enough and at most twice too large, otherwise by a fresh allocation.
// That one takes the place of the largest that is too small. Not for several threads at once.
class Pool {
 public:
  class Lease;

  // No limit: limit_bytes < 0. The limit holds for leased plus kept bytes.
  explicit Pool(Index limit_bytes = -1) : limit_(limit_bytes) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Lease lease(Index bytes);
  void trim();  // frees the kept buffers

  const Usage& leased() const noexcept { return leased_; }
  void restart_peak() noexcept { leased_.peak = leased_.now; }  // of leased(), from here on
  Index kept_bytes() const noexcept { return kept_bytes_; }

  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), raw_(std::move(other.raw_)) {}
    Lease& operator=(Lease&& other) noexcept;
    ~Lease() { release(); }

    template <class T>
    std::span<T> as() const {
      return {reinterpret_cast<T*>(raw_.data()), static_cast<std::size_t>(raw_.bytes()) / sizeof(T)};
    }
    std::byte* data() const noexcept { return raw_.data(); }
    Index bytes() const noexcept { return raw_.bytes(); }

   private:
    friend class Pool;
    Lease(Pool* pool, RawBuffer raw) : pool_(pool), raw_(std::move(raw)) {}
    void release() noexcept;

    Pool* pool_ = nullptr;
    RawBuffer raw_;
  };

 private:
  RawBuffer obtain(Index bytes);
  void give_back(RawBuffer raw) noexcept;

  std::multimap<Index, RawBuffer> kept_;
  Index kept_bytes_ = 0;
  Index limit_ = -1;
  Usage leased_;
};

}  // namespace cairn
