// Transposition of 8-byte elements in vector registers: for doubles, the largest part of a transposing
// redistribution.
#pragma once

#include <cstdint>

#include "base/size.hpp"

namespace cairn::layout {

// to[v * to_stride + u] = from[u * from_stride + v], u < nu, v < nv; strides in elements. `stream` writes
// past the caches. False, and nothing done, where the processor has no such registers.
bool transpose_words(Index nu, Index nv, const std::uint64_t* from, Index from_stride, std::uint64_t* to,
                     Index to_stride, bool stream);

}  // namespace cairn::layout
