// The inner loop of every packing, unpacking and local move: a dense block from one pair of strides to
// another, transposing where they differ.
#pragma once

#include "base/scalar.hpp"
#include "base/size.hpp"

namespace cairn::layout {

// dst := alpha f(src) + beta dst, f the identity or the conjugate. beta = 0 never reads dst.
template <Scalar T>
struct Update {
  T alpha = T(1);
  T beta = T(0);
  bool conjugate = false;
  // A hint: dst is far larger than the caches, so whole lines are written past them. The caller ends with
  // finish_streaming().
  bool stream = false;

  bool is_copy() const { return alpha == T(1) && beta == T(0) && !conjugate; }
};

// A block in memory: element (u, v) lies at data + u * u_stride + v * v_stride.
template <class T>
struct Strided {
  T* data;
  Index u_stride;
  Index v_stride;
};

// For u < nu and v < nv. Fast where u is the contiguous direction of dst and src has u or v contiguous.
template <Scalar T>
void strided_update(Index nu, Index nv, Strided<const T> src, Strided<T> dst, const Update<T>& update);

extern template void strided_update(Index, Index, Strided<const float>, Strided<float>, const Update<float>&);
extern template void strided_update(Index, Index, Strided<const double>, Strided<double>,
                                    const Update<double>&);
extern template void strided_update(Index, Index, Strided<const std::complex<float>>,
                                    Strided<std::complex<float>>, const Update<std::complex<float>>&);
extern template void strided_update(Index, Index, Strided<const std::complex<double>>,
                                    Strided<std::complex<double>>, const Update<std::complex<double>>&);

}  // namespace cairn::layout
