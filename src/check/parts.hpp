// Matrices that are stored in part, or under other names of their rows, as the matrices they stand for.
#pragma once

#include <span>

#include "layout/local_blocks.hpp"

namespace cairn::check {

// The triangle of a matrix, other elements zero; with Diagonal::unit there are ones where the diagonal is stored.
template <Scalar T>
layout::LocalBlocks<T> triangle_of(const layout::LocalBlocks<T>& x, Triangle half,
                                   Diagonal diagonal = Diagonal::stored);

// The whole of a matrix X = X^T or X = X^H of which one triangle is stored. The other one is never read, nor is the
// imaginary part of a Hermitian diagonal.
template <Scalar T>
layout::LocalBlocks<T> mirrored(const layout::LocalBlocks<T>& x, Triangle half, bool hermitian);

template <Scalar T>
layout::LocalBlocks<T> conjugated(const layout::LocalBlocks<T>& x);

// Row i is called to[i].
template <Scalar T>
layout::LocalBlocks<T> rows_renamed(const layout::LocalBlocks<T>& x, std::span<const Index> to);

}  // namespace cairn::check
