// Cholesky of a distributed matrix, run.
#pragma once

#include <memory>

#include "comm/communicator.hpp"
#include "factor/cholesky_shape.hpp"
#include "factor/cholesky_storage.hpp"
#include "layout/dist_matrix.hpp"
#include "program/trace.hpp"

namespace cairn::factor {

// The lower triangle of a matrix (A before, L after) in the tiles of a shape.
template <Scalar T>
class CholeskyTiles {
 public:
  // All zeros; ranks beyond those of the shape hold nothing.
  CholeskyTiles(std::shared_ptr<const CholeskyShape> shape, int rank);
  // In somebody else's memory, which must outlive this: square blocks on a square grid, or everything on one rank. What
  // is above the diagonal stays as it is.
  CholeskyTiles(std::shared_ptr<const CholeskyShape> shape, int rank, const layout::MatrixView<T>& in_place);

  const CholeskyShape& shape() const noexcept { return *shape_; }
  std::shared_ptr<const CholeskyShape> shared_shape() const noexcept { return shape_; }
  const layout::Layout& layout() const noexcept { return view_.layout; }
  std::span<T> local() const noexcept { return {view_.data, static_cast<std::size_t>(view_.elements)}; }
  const layout::MatrixView<T>& view() const noexcept { return view_; }
  bool is_in_place() const noexcept { return leading_dimension_ > 0; }
  Index leading_dimension() const noexcept { return leading_dimension_; }  // 0: tiles of our own

 private:
  std::shared_ptr<const CholeskyShape> shape_;
  Buffer<T> memory_;
  layout::MatrixView<T> view_;
  Index leading_dimension_ = 0;
};

// Collective. Tiles of A become tiles of L. Returns info as LAPACK does: 0, or the order of the first leading
// minor that is not positive; columns before it are right. Words: count_cholesky(shape), counted under
// "cholesky".
template <Scalar T>
Index run_cholesky(comm::CommView comm, CholeskyTiles<T>& tiles, program::Trace* trace = nullptr);

// Bytes of the tiles and of the work memory on one rank.
template <Scalar T>
Index cholesky_bytes(const CholeskyShape& shape, int rank);

// Collective. The triangle of A that is named, as the lower one: an upper one is taken as its adjoint.
template <Scalar T>
void take_triangle(comm::CommView comm, const layout::MatrixView<const T>& a, Triangle triangle,
                   CholeskyTiles<T>& tiles);

}  // namespace cairn::factor
