#include "gemm/local_blocks.hpp"

namespace cairn::gemm {

template <Scalar T>
layout::LocalBlocks<T> blocks_of(const NativeLayout& native, int rank, std::span<const T> part) {
  require(static_cast<Index>(part.size()) == native.local_count(rank),
          "the matrix has {} elements on rank {}, expected {}", part.size(), rank, native.local_count(rank));
  using Visitor = typename layout::LocalBlocks<T>::Visitor;
  return {native.rows(), native.cols(), [native, rank, part](const Visitor& visit) {
            for (const Piece& p : native.pieces(rank))
              if (p.count() > 0)
                visit({.data = part.data() + p.offset,
                       .row = p.row,
                       .col = p.col,
                       .rows = p.rows,
                       .cols = p.cols,
                       .col_stride = p.rows});
          }};
}

#define CAIRN_INSTANTIATE(T) \
  template layout::LocalBlocks<T> blocks_of(const NativeLayout&, int, std::span<const T>);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::gemm
