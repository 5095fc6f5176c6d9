// Sums over blocks of matrices: one pass over memory that reads every input once and writes every output
// once. A short stretch of all blocks is done at a time, so that what the sums have in common stays in the
// first cache.
#pragma once

#include <span>

#include "base/scalar.hpp"
#include "base/workers.hpp"
#include "gemm/fast/sums.hpp"

namespace cairn::gemm::fast {

template <class T>
struct Block {  // column-major
  T* data = nullptr;
  Index ld = 0;
};

// outputs[i] := sum i of factors[j] inputs[j], all rows x columns. An output may be the same block as an
// input, and must not overlap one otherwise. `factors` is empty (all 1) or one for each input.
template <Scalar T>
void block_sums(const Sums& sums, std::span<const Block<const T>> inputs, std::span<const Block<T>> outputs,
                Index rows, Index columns, std::span<const double> factors, Workers& workers);

#define CAIRN_BLOCK_SUMS(T)                                                                                \
  extern template void block_sums(const Sums&, std::span<const Block<const T>>, std::span<const Block<T>>, \
                                  Index, Index, std::span<const double>, Workers&);
CAIRN_BLOCK_SUMS(float)
CAIRN_BLOCK_SUMS(double)
CAIRN_BLOCK_SUMS(std::complex<float>)
CAIRN_BLOCK_SUMS(std::complex<double>)
#undef CAIRN_BLOCK_SUMS

}  // namespace cairn::gemm::fast
