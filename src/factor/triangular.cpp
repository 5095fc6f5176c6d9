#include "factor/triangular.hpp"

#include <algorithm>
#include <array>

#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"
#include "program/run.hpp"

namespace cairn::factor {
namespace {

template <Scalar T>
layout::MatrixView<T> view_of(const layout::Layout& layout, const Buffer<T>& memory) {
  return {layout, memory.data(), memory.size(), 0};
}

}  // namespace

// Right-hand sides at home.
template <Scalar T>
class TriangularSystem<T>::Blocks {
 public:
  Blocks(const SolveShape& shape, Index columns, int rank)
      : shape_(shape), columns_(columns), rank_(rank), memory_(shape.rows_at_home(rank) * columns) {}

  T* data() const { return memory_.data(); }
  layout::MatrixView<T> unknowns() const { return view_of(shape_.unknowns_layout(columns_), memory_); }
  layout::MatrixView<T> right_sides() const { return view_of(shape_.right_sides_layout(columns_), memory_); }
  // From the order of the rows to that of the pivots, or back.
  void permute(bool to_pivots) const {
    for (int t = 0; t < shape_.steps(); ++t)
      if (shape_.home(t) == rank_) permute(t, to_pivots);
  }

 private:
  void permute(int t, bool to_pivots) const {
    const Index w = shape_.width(t), start = shape_.shape().start(t);
    std::vector<Index> rank(static_cast<std::size_t>(w));  // of each pivot among the rows of the block
    const auto row = [&](Index g) { return shape_.order()[static_cast<std::size_t>(start + g)]; };
    for (Index g = 0; g < w; ++g)
      for (Index h = 0; h < w; ++h) rank[static_cast<std::size_t>(g)] += row(h) < row(g) ? 1 : 0;
    std::vector<T> column(static_cast<std::size_t>(w));
    for (Index j = 0; j < columns_; ++j) {
      T* x = memory_.data() + shape_.right_side_offset(t, columns_) + j * w;
      std::copy_n(x, w, column.begin());
      for (Index g = 0; g < w; ++g) {
        const Index other = rank[static_cast<std::size_t>(g)];
        x[to_pivots ? g : other] = column[static_cast<std::size_t>(to_pivots ? other : g)];
      }
    }
  }

  const SolveShape& shape_;
  Index columns_;
  int rank_;
  Buffer<T> memory_;
};

template <Scalar T>
TriangularSystem<T>::TriangularSystem(comm::CommView comm, const LuTiles<T>& tiles, const LuResult<T>& result)
    : shape_(tiles.shared_shape(), result.order),
      tiles_(&tiles),
      corners_(shape_.corners_at_home(comm.rank())) {
  for (const typename LuResult<T>::Corner& corner : result.corners)
    std::ranges::copy(corner.block, corners_.data() + shape_.corner_offset(corner.step));
}

template <Scalar T>
TriangularSystem<T>::TriangularSystem(comm::CommView comm, std::shared_ptr<LuTiles<T>> tiles)
    : shape_(tiles->shared_shape(), identity_order(tiles->shape().rows())),
      own_(tiles),
      tiles_(own_.get()),
      corners_(shape_.corners_at_home(comm.rank())) {
  layout::redistribute<T>(comm, T(1), Op::none, tiles_->view(comm.rank()), T(0),
                          view_of(shape_.corners_layout(), corners_));
}

template <Scalar T>
void TriangularSystem<T>::run(comm::CommView comm, const TriangularSolve& solve, T* blocks) const {
  const program::Program program = compile_solve<T>(shape_, solve, comm.rank(), comm.size());
  const Buffer<T> work(program.array_counts[0]);
  const std::array<T*, 4> arrays = {work.data(), tiles_->local().data(), corners_.data(), blocks};
  program::run<T>(program, comm, {arrays, {}});
}

template <Scalar T>
void TriangularSystem<T>::solve_factored(comm::CommView comm, Op op, const layout::MatrixView<T>& b) const {
  const Index n = b.layout.columns();
  if (shape_.steps() == 0 || n == 0) return;
  const Blocks blocks(shape_, n, comm.rank());
  const TriangularSolve lower{Triangle::lower, op, Diagonal::unit, n},
      upper{Triangle::upper, op, Diagonal::stored, n};
  const layout::MatrixView<T> in = op == Op::none ? blocks.right_sides() : blocks.unknowns();
  const layout::MatrixView<T> out = op == Op::none ? blocks.unknowns() : blocks.right_sides();
  layout::redistribute<T>(comm, T(1), Op::none, b, T(0), in);
  if (op == Op::none) blocks.permute(true);
  run(comm, op == Op::none ? lower : upper, blocks.data());
  run(comm, op == Op::none ? upper : lower, blocks.data());
  if (op != Op::none) blocks.permute(false);
  layout::redistribute<T>(comm, T(1), Op::none, out, T(0), b);
}

template <Scalar T>
void TriangularSystem<T>::solve_definite(comm::CommView comm, const layout::MatrixView<T>& b) const {
  const Index n = b.layout.columns();
  if (shape_.steps() == 0 || n == 0) return;
  const Blocks blocks(shape_, n, comm.rank());
  layout::redistribute<T>(comm, T(1), Op::none, b, T(0), blocks.unknowns());
  run(comm, {Triangle::lower, Op::none, Diagonal::stored, n}, blocks.data());
  run(comm, {Triangle::lower, Op::adjoint, Diagonal::stored, n}, blocks.data());
  layout::redistribute<T>(comm, T(1), Op::none, blocks.unknowns(), T(0), b);
}

template <Scalar T>
void TriangularSystem<T>::solve_triangle(comm::CommView comm, Triangle triangle, Op op, Diagonal diagonal,
                                         const layout::MatrixView<T>& b) const {
  const Index n = b.layout.columns();
  if (shape_.steps() == 0 || n == 0) return;
  const Blocks blocks(shape_, n, comm.rank());
  layout::redistribute<T>(comm, T(1), Op::none, b, T(0), blocks.unknowns());
  run(comm, {triangle, op, diagonal, n}, blocks.data());
  layout::redistribute<T>(comm, T(1), Op::none, blocks.unknowns(), T(0), b);
}

// X op(T) = B is op(T)^T X^T = B^T: with op none the transpose, with transpose none; with adjoint conj(T) X^T = B^T,
// that is T X^H = B^H.
template <Scalar T>
void solve_triangular(comm::CommView comm, Side side, Triangle triangle, Op op, Diagonal diagonal, T alpha,
                      const layout::MatrixView<const T>& t, const layout::MatrixView<T>& b) {
  const Index n = t.layout.rows();
  if (n == 0 || b.layout.rows() == 0 || b.layout.columns() == 0) return;
  auto tiles = std::make_shared<LuTiles<T>>(triangle_shape(n, comm.size()), comm.rank());
  layout::redistribute<T>(comm, T(1), Op::none, t, T(0), tiles->view(comm.rank()));
  const TriangularSystem<T> system(comm, tiles);
  layout::scale(b, alpha, comm.rank());
  if (side == Side::left) return system.solve_triangle(comm, triangle, op, diagonal, b);
  const Op turn = op == Op::adjoint ? Op::adjoint : Op::transpose;
  layout::DistMatrix<T> turned(layout::column_blocks(n, b.layout.rows(), comm.size()), comm.rank());
  layout::redistribute<T>(comm, T(1), turn, b, T(0), turned.view());
  system.solve_triangle(comm, triangle, op == Op::none ? Op::transpose : Op::none, diagonal, turned.view());
  layout::redistribute<T>(comm, T(1), turn, turned.view(), T(0), b);
}

#define CAIRN_INSTANTIATE(T)                                                      \
  template class TriangularSystem<T>;                                             \
  template void solve_triangular(comm::CommView, Side, Triangle, Op, Diagonal, T, \
                                 const layout::MatrixView<const T>&, const layout::MatrixView<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
