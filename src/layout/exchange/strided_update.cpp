#include "layout/exchange/strided_update.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/copy.hpp"
#include "layout/moves/transpose_words.hpp"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace cairn::layout {
namespace {

// Without the search for infinities that C++ prescribes for complex products.
template <Scalar T>
T product(const T& a, const T& b) {
  if constexpr (ScalarTraits<T>::is_complex)
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  else
    return a * b;
}

// What becomes of one element, as a type of its own so that the plain copy has no arithmetic in its loop.
template <Scalar T>
struct Copy {
  void operator()(const T& from, T& to) const { to = from; }
};
template <Scalar T>
struct Scale {
  T alpha;
  bool conjugate;
  void operator()(const T& from, T& to) const { to = product(alpha, conjugate ? conj(from) : from); }
};
template <Scalar T>
struct Add {
  T alpha, beta;
  bool conjugate;
  void operator()(const T& from, T& to) const {
    to = product(alpha, conjugate ? conj(from) : from) + product(beta, to);
  }
};

// n elements, `stride` apart, to one place, past the caches where the processor can.
template <Scalar T>
void stream_line(const T* from, Index stride, T* to, Index n) {
#if defined(__SSE2__)
  constexpr Index wide = 16;  // bytes of a store
  constexpr Index several = wide / static_cast<Index>(sizeof(T));
  const auto aligned = [&] { return reinterpret_cast<std::uintptr_t>(to) % wide == 0; };
  for (; n > 0 && several > 1 && !aligned(); --n, from += stride) *to++ = *from;
  if (aligned())
    for (; n >= several; n -= several, from += several * stride, to += several) {
      alignas(16) std::array<T, static_cast<std::size_t>(several)> together;
      for (Index i = 0; i < several; ++i) together[static_cast<std::size_t>(i)] = from[i * stride];
      _mm_stream_si128(reinterpret_cast<__m128i*>(to), *reinterpret_cast<const __m128i*>(together.data()));
    }
#endif
  for (; n > 0; --n, from += stride) *to++ = *from;
}

// Both contiguous along u: line by line.
template <Scalar T, class F>
void lines(Index nu, Index nv, const Strided<const T>& src, const Strided<T>& dst, const F& f, bool stream) {
  constexpr Index worth_streaming = 256 / static_cast<Index>(sizeof(T));
  for (Index v = 0; v < nv; ++v) {
    const T* from = src.data + v * src.v_stride;
    T* to = dst.data + v * dst.v_stride;
    if constexpr (std::is_same_v<F, Copy<T>>) {
      if (stream && nu >= worth_streaming)
        stream_copy(to, from, nu * static_cast<Index>(sizeof(T)));
      else
        std::memcpy(to, from, static_cast<std::size_t>(nu) * sizeof(T));
    } else {
      for (Index u = 0; u < nu; ++u) f(from[u], to[u]);
    }
  }
}

// A square that fits into the first cache twice.
template <class T>
constexpr Index tile_of = sizeof(T) <= 8 ? 64 : 32;

// A transposed copy by squares: the lines of src are read whole into the first cache, and the lines of dst
// are written from there, whole and past the caches.
template <Scalar T>
void transpose_streaming(Index nu, Index nv, const Strided<const T>& src, const Strided<T>& dst) {
  constexpr Index tile = tile_of<T>;
  alignas(64) std::array<std::byte, static_cast<std::size_t>(tile * tile) * sizeof(T)> square_bytes;
  T* square = reinterpret_cast<T*>(square_bytes.data());
  for (Index v0 = 0; v0 < nv; v0 += tile) {
    const Index v_count = std::min(tile, nv - v0);
    for (Index u0 = 0; u0 < nu; u0 += tile) {
      const Index u_count = std::min(tile, nu - u0);
      for (Index u = 0; u < u_count; ++u)
        std::memcpy(square + u * tile, src.data + (u0 + u) * src.u_stride + v0,
                    static_cast<std::size_t>(v_count) * sizeof(T));
      for (Index v = 0; v < v_count; ++v)
        stream_line(square + v, tile, dst.data + (v0 + v) * dst.v_stride + u0, u_count);
    }
  }
}

// A transposition by squares, so that every cache line that is read or written is used whole.
template <Scalar T, class F>
void transpose(Index nu, Index nv, const Strided<const T>& src, const Strided<T>& dst, const F& f,
               bool stream) {
  constexpr Index tile = tile_of<T>;
  if constexpr (std::is_same_v<F, Copy<T>>) {
    if constexpr (sizeof(T) == sizeof(std::uint64_t))
      if (transpose_words(nu, nv, reinterpret_cast<const std::uint64_t*>(src.data), src.u_stride,
                          reinterpret_cast<std::uint64_t*>(dst.data), dst.v_stride, stream))
        return;
    if (stream) return transpose_streaming(nu, nv, src, dst);
  }
  for (Index v0 = 0; v0 < nv; v0 += tile) {
    const Index v_end = std::min(nv, v0 + tile);
    for (Index u0 = 0; u0 < nu; u0 += tile) {
      const Index u_count = std::min(tile, nu - u0);
      const T* from = src.data + u0 * src.u_stride;
      T* to = dst.data + u0;
      if (u_count == tile)
        for (Index v = v0; v < v_end; ++v)
          for (Index u = 0; u < tile; ++u) f(from[u * src.u_stride + v], to[v * dst.v_stride + u]);
      else
        for (Index v = v0; v < v_end; ++v)
          for (Index u = 0; u < u_count; ++u) f(from[u * src.u_stride + v], to[v * dst.v_stride + u]);
    }
  }
}

template <Scalar T, class F>
void any_strides(Index nu, Index nv, const Strided<const T>& src, const Strided<T>& dst, const F& f) {
  for (Index v = 0; v < nv; ++v) {
    const T* from = src.data + v * src.v_stride;
    T* to = dst.data + v * dst.v_stride;
    for (Index u = 0; u < nu; ++u) f(from[u * src.u_stride], to[u * dst.u_stride]);
  }
}

template <Scalar T, class F>
void update_with(Index nu, Index nv, const Strided<const T>& src, const Strided<T>& dst, const F& f,
                 bool stream) {
  if (src.u_stride == 1 && dst.u_stride == 1)
    lines(nu, nv, src, dst, f, stream);
  else if (src.v_stride == 1 && dst.u_stride == 1)
    transpose(nu, nv, src, dst, f, stream);
  else if (src.v_stride == 1 && dst.v_stride == 1)
    lines<T>(nv, nu, {src.data, src.v_stride, src.u_stride}, {dst.data, dst.v_stride, dst.u_stride}, f,
             stream);
  else if (nv > nu)  // the longer direction inside
    any_strides<T>(nv, nu, {src.data, src.v_stride, src.u_stride}, {dst.data, dst.v_stride, dst.u_stride}, f);
  else
    any_strides(nu, nv, src, dst, f);
}

}  // namespace

template <Scalar T>
void strided_update(Index nu, Index nv, Strided<const T> src, Strided<T> dst, const Update<T>& update) {
  if (nu == 0 || nv == 0) return;
  if (update.is_copy())
    update_with(nu, nv, src, dst, Copy<T>{}, update.stream);
  else if (update.beta == T(0))
    update_with(nu, nv, src, dst, Scale<T>{update.alpha, update.conjugate}, update.stream);
  else
    update_with(nu, nv, src, dst, Add<T>{update.alpha, update.beta, update.conjugate}, update.stream);
}

template void strided_update(Index, Index, Strided<const float>, Strided<float>, const Update<float>&);
template void strided_update(Index, Index, Strided<const double>, Strided<double>, const Update<double>&);
template void strided_update(Index, Index, Strided<const std::complex<float>>, Strided<std::complex<float>>,
                             const Update<std::complex<float>>&);
template void strided_update(Index, Index, Strided<const std::complex<double>>, Strided<std::complex<double>>,
                             const Update<std::complex<double>>&);

}  // namespace cairn::layout
