// What the BLAS calls have in common. Only for the sources of this folder.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/blas.hpp"

namespace cairn::blas {

#ifdef CAIRN_BLAS_ILP64
using Int = std::int64_t;
#else
using Int = std::int32_t;
#endif

inline char letter(Op op) { return op == Op::none ? 'N' : op == Op::transpose ? 'T' : 'C'; }

inline char letter(Triangle triangle) { return triangle == Triangle::lower ? 'L' : 'U'; }

// The leading dimension of an operand: BLAS wants at least 1 even for empty matrices.
inline Int leading(Index ld, std::string_view name) { return narrow<Int>(std::max<Index>(ld, 1), name); }

}  // namespace cairn::blas
