#include "base/buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>

namespace cairn {
namespace {

constexpr Index alignment = static_cast<Index>(buffer_alignment);

Index round_up(Index bytes) {
  return checked_add(bytes, alignment - 1, "bytes of a buffer") / alignment * alignment;
}

// Large buffers lie on large pages where the system has them: copies between processes and products that read
// many columns spend less time looking up pages.
constexpr Index large_page = Index{1} << 21;
constexpr Index worth_large_pages = 2 * large_page;

void* allocate(Index bytes) {
  const bool large = bytes >= worth_large_pages;
  void* p = nullptr;
  const auto align = static_cast<std::size_t>(large ? large_page : alignment);
  if (posix_memalign(&p, align, static_cast<std::size_t>(round_up(bytes))) != 0) return nullptr;
#if defined(MADV_HUGEPAGE)
  if (large) madvise(p, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);  // a wish
#endif
  return p;
}

}  // namespace

void RawBuffer::Free::operator()(std::byte* p) const noexcept { std::free(p); }

RawBuffer::RawBuffer(Index bytes) : bytes_(require_not_negative(bytes, "bytes of a buffer")) {
  if (bytes == 0) return;
  void* p = allocate(bytes);
  require<MemoryError>(p != nullptr, "cannot allocate {} bytes", bytes);
  memory_.reset(static_cast<std::byte*>(p));
}

std::byte* Arena::take_bytes(Index bytes) {
  const Index padded = round_up(bytes);
  require<MemoryError>(padded <= capacity() - usage_.now, "arena: {} bytes asked for, {} of {} left", bytes,
                       capacity() - usage_.now, capacity());
  std::byte* p = memory_.data() + usage_.now;
  usage_.add(padded);
  return p;
}

Pool::Lease Pool::lease(Index bytes) {
  require_not_negative(bytes, "bytes of a lease");
  RawBuffer raw = obtain(bytes);
  leased_.add(raw.bytes());
  return Lease(this, std::move(raw));
}

RawBuffer Pool::obtain(Index bytes) {
  const auto found = kept_.lower_bound(bytes);
  if (found != kept_.end() && found->first / 2 <= bytes) {
    RawBuffer raw = std::move(found->second);
    kept_.erase(found);
    kept_bytes_ -= raw.bytes();
    return raw;
  }
  if (found != kept_.begin()) {  // else requests that grow little by little would pile up
    const auto smaller = std::prev(found);
    kept_bytes_ -= smaller->first;
    kept_.erase(smaller);
  }
  if (limit_ >= 0 && bytes > limit_ - leased_.now - kept_bytes_) trim();
  require<MemoryError>(limit_ < 0 || bytes <= limit_ - leased_.now,
                       "pool: {} bytes asked for, {} in use, limit {}", bytes, leased_.now, limit_);
  return RawBuffer(bytes);
}

void Pool::give_back(RawBuffer raw) noexcept {
  leased_.remove(raw.bytes());
  if (raw.bytes() == 0) return;
  const Index bytes = raw.bytes();
  kept_.emplace(bytes, std::move(raw));
  kept_bytes_ += bytes;
}

void Pool::trim() {
  kept_.clear();
  kept_bytes_ = 0;
}

Pool::Lease& Pool::Lease::operator=(Lease&& other) noexcept {
  if (this == &other) return *this;
  release();
  pool_ = std::exchange(other.pool_, nullptr);
  raw_ = std::move(other.raw_);
  return *this;
}

void Pool::Lease::release() noexcept {
  if (pool_ != nullptr) std::exchange(pool_, nullptr)->give_back(std::move(raw_));
}

}  // namespace cairn
