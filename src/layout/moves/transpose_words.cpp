#include "layout/moves/transpose_words.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>

#define CAIRN_AVX2 __attribute__((target("avx2")))

namespace cairn::layout {
namespace {

using Word = std::uint64_t;

constexpr Index line_words = 8;  // a cache line
constexpr Index tile = 64;       // lines of this length are fetched ahead by the processor

struct Source {
  const Word* data;
  Index stride;
  const Word* at(Index u, Index v) const { return data + u * stride + v; }
};
struct Target {
  Word* data;
  Index stride;
  Word* at(Index u, Index v) const { return data + v * stride + u; }
};

void one_by_one(Index u0, Index u1, Index v0, Index v1, const Source& from, const Target& to) {
  for (Index v = v0; v < v1; ++v)
    for (Index u = u0; u < u1; ++u) *to.at(u, v) = *from.at(u, v);
}

template <bool stream>
CAIRN_AVX2 inline void store(Word* to, __m256i x) {
  if constexpr (stream)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), x);
  else
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x);
}

// Four words of each of four lines, transposed.
struct Square {
  __m256i line[4];
};

CAIRN_AVX2 inline Square load_transposed(const Word* from, Index stride) {
  const auto load = [&](Index i) CAIRN_AVX2 {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i * stride));
  };
  const __m256i a = load(0), b = load(1), c = load(2), d = load(3);
  const __m256i ab_even = _mm256_unpacklo_epi64(a, b), ab_odd = _mm256_unpackhi_epi64(a, b);
  const __m256i cd_even = _mm256_unpacklo_epi64(c, d), cd_odd = _mm256_unpackhi_epi64(c, d);
  constexpr int low_halves = 0x20, high_halves = 0x31;
  return {{_mm256_permute2x128_si256(ab_even, cd_even, low_halves),
           _mm256_permute2x128_si256(ab_odd, cd_odd, low_halves),
           _mm256_permute2x128_si256(ab_even, cd_even, high_halves),
           _mm256_permute2x128_si256(ab_odd, cd_odd, high_halves)}};
}

// Eight lines of the source, four words each, become a cache line in each of four lines of the target.
template <bool stream>
CAIRN_AVX2 inline void eight_by_four(const Word* from, Index from_stride, Word* to, Index to_stride) {
  const Square first = load_transposed(from, from_stride);
  const Square second = load_transposed(from + 4 * from_stride, from_stride);
  for (Index i = 0; i < 4; ++i) {
    store<stream>(to + i * to_stride, first.line[i]);
    store<stream>(to + i * to_stride + 4, second.line[i]);
  }
}

// u1 - u0 is a multiple of 8, v1 - v0 of 4. Along the lines of the source: eight of them are read at a time,
// which the processor fetches ahead, and what is written needs no order.
template <bool stream>
CAIRN_AVX2 void by_eights(Index u0, Index u1, Index v0, Index v1, const Source& from, const Target& to) {
  for (Index u = u0; u < u1; u += line_words)
    for (Index v = v0; v < v1; v += 4)
      eight_by_four<stream>(from.at(u, v), from.stride, to.at(u, v), to.stride);
}

template <bool stream>
void in_tiles(Index u0, Index u1, Index nv, const Source& from, const Target& to) {
  for (Index v = 0; v < nv; v += tile)
    for (Index u = u0; u < u1; u += tile)
      by_eights<stream>(u, std::min(u + tile, u1), v, std::min(v + tile, nv), from, to);
}

// Words until `p` is the first of a cache line.
Index words_to_a_line(const Word* p) {
  const auto past = static_cast<Index>(reinterpret_cast<std::uintptr_t>(p) / sizeof(Word) % line_words);
  return past == 0 ? 0 : line_words - past;
}

}  // namespace

bool transpose_words(Index nu, Index nv, const Word* from, Index from_stride, Word* to, Index to_stride,
                     bool stream) {
  static const bool able = __builtin_cpu_supports("avx2") != 0;
  if (!able) return false;
  const Source source{from, from_stride};
  const Target target{to, to_stride};
  const Index u0 = std::min(nu, words_to_a_line(to)), u1 = u0 + (nu - u0) / line_words * line_words;
  const Index v1 = nv / 4 * 4;
  one_by_one(0, u0, 0, nv, source, target);
  if (stream && to_stride % 4 == 0)
    in_tiles<true>(u0, u1, v1, source, target);
  else
    in_tiles<false>(u0, u1, v1, source, target);
  one_by_one(u0, u1, v1, nv, source, target);
  one_by_one(u1, nu, 0, nv, source, target);
  return true;
}

}  // namespace cairn::layout

#else

namespace cairn::layout {
bool transpose_words(Index, Index, const std::uint64_t*, Index, std::uint64_t*, Index, bool) { return false; }
}  // namespace cairn::layout

#endif
