#include "layout/strided_update.hpp"

#include <algorithm>
#include <cstring>

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

// Both contiguous along u: line by line.
template <Scalar T, class F>
void lines(Index nu, Index nv, const Strided<const T>& src, const Strided<T>& dst, const F& f) {
  for (Index v = 0; v < nv; ++v) {
    const T* from = src.data + v * src.v_stride;
    T* to = dst.data + v * dst.v_stride;
    if constexpr (std::is_same_v<F, Copy<T>>)
      std::memcpy(to, from, static_cast<std::size_t>(nu) * sizeof(T));
    else
      for (Index u = 0; u < nu; ++u) f(from[u], to[u]);
  }
}

// A transposition: a cache line of dst is written at a time, from as many lines of src, which are read along.
// Few lines of src at once: with a leading dimension that is a power of two they all fall into one cache set.
template <Scalar T, class F>
void transpose(Index nu, Index nv, const Strided<const T>& src, const Strided<T>& dst, const F& f) {
  constexpr Index tile = 64 / static_cast<Index>(sizeof(T));
  constexpr Index strip = 64;
  for (Index v0 = 0; v0 < nv; v0 += strip) {
    const Index v_end = std::min(nv, v0 + strip);
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
void update_with(Index nu, Index nv, const Strided<const T>& src, const Strided<T>& dst, const F& f) {
  if (src.u_stride == 1 && dst.u_stride == 1)
    lines(nu, nv, src, dst, f);
  else if (src.v_stride == 1 && dst.u_stride == 1)
    transpose(nu, nv, src, dst, f);
  else if (src.v_stride == 1 && dst.v_stride == 1)
    lines<T>(nv, nu, {src.data, src.v_stride, src.u_stride}, {dst.data, dst.v_stride, dst.u_stride}, f);
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
    update_with(nu, nv, src, dst, Copy<T>{});
  else if (update.beta == T(0))
    update_with(nu, nv, src, dst, Scale<T>{update.alpha, update.conjugate});
  else
    update_with(nu, nv, src, dst, Add<T>{update.alpha, update.beta, update.conjugate});
}

template void strided_update(Index, Index, Strided<const float>, Strided<float>, const Update<float>&);
template void strided_update(Index, Index, Strided<const double>, Strided<double>, const Update<double>&);
template void strided_update(Index, Index, Strided<const std::complex<float>>, Strided<std::complex<float>>,
                             const Update<std::complex<float>>&);
template void strided_update(Index, Index, Strided<const std::complex<double>>, Strided<std::complex<double>>,
                             const Update<std::complex<double>>&);

}  // namespace cairn::layout
