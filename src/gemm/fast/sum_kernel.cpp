#include "gemm/fast/sum_kernel.hpp"

namespace cairn::gemm::fast {
namespace {

template <class R>
[[gnu::always_inline]] inline void sum_loop(R* z, const R* x, const R* y, R cx, R cy, Index count) {
  if (cy == 0) {
#pragma GCC ivdep
    for (Index i = 0; i < count; ++i) z[i] = cx * x[i];
  } else if (cx == 1 && cy == 1) {
#pragma GCC ivdep
    for (Index i = 0; i < count; ++i) z[i] = x[i] + y[i];
  } else if (cx == 1 && cy == -1) {
#pragma GCC ivdep
    for (Index i = 0; i < count; ++i) z[i] = x[i] - y[i];
  } else if (cx == -1 && cy == 1) {
#pragma GCC ivdep
    for (Index i = 0; i < count; ++i) z[i] = y[i] - x[i];
  } else {
#pragma GCC ivdep
    for (Index i = 0; i < count; ++i) z[i] = cx * x[i] + cy * y[i];
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
template <class R>
[[gnu::target("avx2")]] void sum_wide(R* z, const R* x, const R* y, R cx, R cy, Index count) {
  sum_loop(z, x, y, cx, cy, count);
}

bool has_wide() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#endif

}  // namespace

template <class R>
void sum_two(R* z, const R* x, const R* y, R cx, R cy, Index count) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (has_wide()) return sum_wide(z, x, y, cx, cy, count);
#endif
  sum_loop(z, x, y, cx, cy, count);
}

template void sum_two(float*, const float*, const float*, float, float, Index);
template void sum_two(double*, const double*, const double*, double, double, Index);

}  // namespace cairn::gemm::fast
