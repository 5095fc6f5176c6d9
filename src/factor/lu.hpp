// LU of a distributed matrix, run.
#pragma once

#include <memory>

#include "comm/communicator.hpp"
#include "factor/lu_compile.hpp"
#include "layout/dist_matrix.hpp"
#include "program/trace.hpp"

namespace cairn::factor {

// The part of a rank: A before, factors after. Layers but the first have zeros at first.
template <Scalar T>
class LuTiles {
 public:
  LuTiles(std::shared_ptr<const LuShape> shape, int rank);
  // In somebody else's memory, which must outlive this: A lies as the shape wants it but for the leading dimension.
  LuTiles(std::shared_ptr<const LuShape> shape, int rank, const layout::MatrixView<T>& in_place);

  const LuShape& shape() const noexcept { return *shape_; }
  std::shared_ptr<const LuShape> shared_shape() const noexcept { return shape_; }
  std::span<T> local() const noexcept {
    return {view_.data + first_, static_cast<std::size_t>(view_.elements - first_)};
  }
  Index leading_dimension() const noexcept { return leading_dimension_; }
  // Of A; after factoring the rows of a rank are in the order of their pivots (see pivoted()).
  const layout::MatrixView<T>& view() const noexcept { return view_; }

 private:
  std::shared_ptr<const LuShape> shape_;
  Buffer<T> memory_;
  layout::MatrixView<T> view_;
  Index leading_dimension_;
  Index first_ = 0;  // element: of a sub-matrix others lie before it
};

// What a rank knows when all steps are done.
template <Scalar T>
struct LuResult {
  Index info = 0;  // as LAPACK: 0, or the first i + 1 with U(i, i) = 0
  std::vector<Index>
      order;  // row r of P A is row order[r] of A; rows that are not pivots where LAPACK leaves them
  std::vector<Index> firsts;   // rows of this position that are pivots of steps before t
  std::vector<Index> at_home;  // rows of A by their place in the memory of this rank
  // L00 and U00 of the steps whose tournament ended on this rank.
  struct Corner {
    int step;
    std::vector<T> block;
  };
  std::vector<Corner> corners;
};

// The swaps by which LAPACK would bring these pivots to the front, and where all rows are after them: row r is row
// order[r] of A.
struct RowExchanges {
  std::vector<Index> swaps, order;
};
RowExchanges row_exchanges(Index rows, std::span<const Index> pivots);

// Collective. Words: count_lu(shape, order), counted under "lu".
template <Scalar T>
LuResult<T> run_lu(comm::CommView comm, LuTiles<T>& tiles, PivotChoice pivoting = PivotChoice::tournament,
                   program::Trace* trace = nullptr);

template <Scalar T>
Index lu_bytes(const LuShape& shape, int rank);

// Collective. What other layers have of the factors goes to layer 0, where A was: (c - 1) / c of N^2 words in all,
// counted under "collect".
template <Scalar T>
void collect_layers(comm::CommView comm, LuTiles<T>& tiles, const LuResult<T>& result);

// L and U in one matrix, rows in the order of the pivots, of tiles whose layers are collected.
layout::Layout pivoted_layout(const LuShape& shape, std::span<const Index> order);
template <Scalar T>
layout::DistMatrix<T> pivoted(const LuTiles<T>& tiles, const LuResult<T>& result, int rank);

}  // namespace cairn::factor
