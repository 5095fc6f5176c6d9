// z := cx x + cy y over a few thousand elements, with the widest registers the processor has. Complex
// elements are two real ones: coefficients are real.
#pragma once

#include "base/size.hpp"

namespace cairn::gemm::fast {

// z may be x or y, and must not overlap them otherwise. y is not read if cy is 0.
template <class R>
void sum_two(R* z, const R* x, const R* y, R cx, R cy, Index count);

extern template void sum_two(float*, const float*, const float*, float, float, Index);
extern template void sum_two(double*, const double*, const double*, double, double, Index);

}  // namespace cairn::gemm::fast
