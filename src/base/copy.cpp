#include "base/copy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace cairn {

void stream_copy(void* to, const void* from, Index bytes) {
#if defined(__SSE2__)
  constexpr Index line = 64, wide = 16;
  auto* t = static_cast<std::byte*>(to);
  const auto* f = static_cast<const std::byte*>(from);
  const auto past = static_cast<Index>(reinterpret_cast<std::uintptr_t>(t) % line);
  const Index head = past == 0 ? 0 : std::min(bytes, line - past);
  std::memcpy(t, f, static_cast<std::size_t>(head));
  Index at = head;
  for (; at + line <= bytes; at += line)
    for (Index i = 0; i < line; i += wide)
      _mm_stream_si128(reinterpret_cast<__m128i*>(t + at + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(f + at + i)));
  std::memcpy(t + at, f + at, static_cast<std::size_t>(bytes - at));
#else
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
#endif
}

void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

void copy_block(void* to, const void* from, Index bytes) {
  constexpr Index larger_than_caches = Index{1} << 23;
  if (bytes < larger_than_caches) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  } else {
    stream_copy(to, from, bytes);
    finish_streaming();
  }
}

}  // namespace cairn
