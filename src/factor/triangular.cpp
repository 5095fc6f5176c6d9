#include "factor/triangular.hpp"

#include <algorithm>
#include <array>

#include "comm/agreement.hpp"
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
    // Pivot g of the block is row place[g] of it by increasing number.
    std::vector<Index> sorted = identity_order(w), place(static_cast<std::size_t>(w));
    std::ranges::sort(sorted, {},
                      [&](Index g) { return shape_.order_of_sides()[static_cast<std::size_t>(start + g)]; });
    for (Index i = 0; i < w; ++i) place[static_cast<std::size_t>(sorted[static_cast<std::size_t>(i)])] = i;
    std::vector<T> column(static_cast<std::size_t>(w));
    for (Index j = 0; j < columns_; ++j) {
      T* x = memory_.data() + shape_.right_side_offset(t, columns_) + j * w;
      std::copy_n(x, w, column.begin());
      for (Index g = 0; g < w; ++g) {
        const Index other = place[static_cast<std::size_t>(g)];
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
struct TriangularSystem<T>::Prepared {
  std::vector<TriangularSolve> solves;
  RowOrder in, out;
  layout::Layout b;
  layout::ExchangePlan bring, take;
  std::vector<program::Program> programs;
  Index work = 0;
};

template <Scalar T>
TriangularSystem<T>::~TriangularSystem() = default;
template <Scalar T>
TriangularSystem<T>::TriangularSystem(TriangularSystem&&) noexcept = default;
template <Scalar T>
TriangularSystem<T>& TriangularSystem<T>::operator=(TriangularSystem&&) noexcept = default;

template <Scalar T>
TriangularSystem<T>::TriangularSystem(comm::CommView comm, const LuTiles<T>& tiles, const LuResult<T>& result)
    : shape_(tiles.shared_shape(), result.order),
      tiles_(&tiles),
      corners_(shape_.corners_at_home(comm.rank())) {
  for (const typename LuResult<T>::Corner& corner : result.corners)
    std::ranges::copy(corner.block, corners_.data() + shape_.corner_offset(corner.step));
}

template <Scalar T>
TriangularSystem<T>::TriangularSystem(comm::CommView comm, std::shared_ptr<LuTiles<T>> tiles,
                                      std::vector<Index> of_sides)
    : shape_(tiles->shared_shape(), identity_order(tiles->shape().rows()), {}, std::move(of_sides)),
      own_(tiles),
      tiles_(own_.get()),
      corners_(shape_.corners_at_home(comm.rank())) {
  layout::redistribute<T>(comm, T(1), Op::none, tiles_->view(), T(0),
                          view_of(shape_.corners_layout(), corners_));
}

template <Scalar T>
const typename TriangularSystem<T>::Prepared& TriangularSystem<T>::prepared(
    comm::CommView comm, const std::vector<TriangularSolve>& solves, RowOrder in, RowOrder out,
    const layout::MatrixView<T>& b) const {
  if (prepared_ && prepared_->solves == solves && prepared_->in == in && prepared_->out == out &&
      prepared_->b == b.layout)
    return *prepared_;
  const Index n = b.layout.columns();
  const auto at_home = [&](RowOrder order) {
    return order == RowOrder::matrix ? shape_.right_sides_layout(n) : shape_.unknowns_layout(n);
  };
  const layout::Layout first = at_home(in), last = at_home(out);
  layout::check_move(b.layout, first, Op::none, comm.size());
  prepared_ = std::make_unique<Prepared>(
      Prepared{solves,
               in,
               out,
               b.layout,
               layout::ExchangePlan({{b.layout, first, Op::none}}, comm.rank(), comm.size()),
               layout::ExchangePlan({{last, b.layout, Op::none}}, comm.rank(), comm.size()),
               {},
               0});
  for (const TriangularSolve& solve : solves) {
    prepared_->programs.push_back(
        compile_solve<T>(shape_, solve, comm.rank(), comm.size(), tiles_->leading_dimension()));
    prepared_->work = std::max(prepared_->work, prepared_->programs.back().array_counts[0]);
  }
  return *prepared_;
}

template <Scalar T>
void TriangularSystem<T>::run(comm::CommView comm, const std::vector<TriangularSolve>& solves, RowOrder in,
                              RowOrder out, const layout::MatrixView<T>& b) const {
  const Index n = b.layout.columns();
  if (shape_.steps() == 0 || n == 0) return;
  const Prepared* p = nullptr;
  comm::agree(comm, "solve",
              [&] {
                layout::check_memory(b, comm.rank(), "B");
                p = &prepared(comm, solves, in, out, b);
              },
              {{"layout of B", b.layout.fingerprint(), [&] {
                  return std::vector<comm::Argument>{{"layout of B", b.layout.text()}};
                }}});
  const Blocks blocks(shape_, n, comm.rank());
  const auto at_home = [&](RowOrder order) {
    return order == RowOrder::matrix ? blocks.right_sides() : blocks.unknowns();
  };
  const layout::MoveData<T> bring{T(1), Op::none, b, T(0), at_home(in)};
  layout::run<T>(p->bring, comm, std::span(&bring, 1));
  if (in == RowOrder::matrix) blocks.permute(true);
  const Buffer<T> work(p->work);
  const std::array<T*, 4> arrays = {work.data(), tiles_->local().data(), corners_.data(), blocks.data()};
  for (const program::Program& program : p->programs) program::run<T>(program, comm, {arrays, {}});
  if (out == RowOrder::matrix) blocks.permute(false);
  const layout::MoveData<T> take{T(1), Op::none, at_home(out), T(0), b};
  layout::run<T>(p->take, comm, std::span(&take, 1));
}

template <Scalar T>
void TriangularSystem<T>::solve_factored(comm::CommView comm, Op op, const layout::MatrixView<T>& b) const {
  const Index n = b.layout.columns();
  const TriangularSolve lower{Triangle::lower, op, Diagonal::unit, n},
      upper{Triangle::upper, op, Diagonal::stored, n};
  if (op == Op::none)
    run(comm, {lower, upper}, RowOrder::matrix, RowOrder::pivots, b);
  else
    run(comm, {upper, lower}, RowOrder::pivots, RowOrder::matrix, b);
}

template <Scalar T>
void TriangularSystem<T>::solve_definite(comm::CommView comm, const layout::MatrixView<T>& b,
                                         Triangle stored) const {
  const Index n = b.layout.columns();
  const bool lower = stored == Triangle::lower;
  run(comm,
      {{stored, lower ? Op::none : Op::adjoint, Diagonal::stored, n},
       {stored, lower ? Op::adjoint : Op::none, Diagonal::stored, n}},
      RowOrder::pivots, RowOrder::pivots, b);
}

template <Scalar T>
void TriangularSystem<T>::solve_triangle(comm::CommView comm, Triangle triangle, Op op, Diagonal diagonal,
                                         const layout::MatrixView<T>& b) const {
  run(comm, {{triangle, op, diagonal, b.layout.columns()}}, RowOrder::pivots, RowOrder::pivots, b);
}

namespace {

// The matrix as tiles for solves: where it lies if that is a grid, else copied.
template <Scalar T>
std::shared_ptr<LuTiles<T>> tiles_of(comm::CommView comm, const layout::MatrixView<const T>& t) {
  std::shared_ptr<const LuShape> shape = triangle_shape_of(t.layout, comm.size());
  if (!shape) {
    auto tiles = std::make_shared<LuTiles<T>>(triangle_shape(t.layout.rows(), comm.size()), comm.rank());
    layout::redistribute<T>(comm, T(1), Op::none, t, T(0), tiles->view());
    return tiles;
  }
  const layout::MatrixView<T> there{t.layout, const_cast<T*>(t.data), t.elements,
                                    t.leading_dimension};  // only read
  return std::make_shared<LuTiles<T>>(std::move(shape), comm.rank(), there);
}

}  // namespace

template <Scalar T>
void solve_with_lu(comm::CommView comm, const layout::MatrixView<const T>& factors,
                   std::span<const Index> permutation, Op op, const layout::MatrixView<T>& b) {
  const Index n = factors.layout.rows();
  std::vector<Index> rows(permutation.begin(), permutation.end());
  comm::agree(comm, "solve_factored",
              [&] {
                std::vector<Index> sorted = rows;
                std::ranges::sort(sorted);
                require(sorted == identity_order(n), "the permutation has not each of the {} rows once", n);
                layout::check_memory(factors, comm.rank(), "the factors");
              },
              {{"permutation", comm::fingerprint(rows)}});
  if (n == 0 || b.layout.columns() == 0) return;
  TriangularSystem<T>(comm, tiles_of(comm, factors), std::move(rows)).solve_factored(comm, op, b);
}

template <Scalar T>
void solve_with_cholesky(comm::CommView comm, Triangle stored, const layout::MatrixView<const T>& factor,
                         const layout::MatrixView<T>& b) {
  comm::agree(comm, "solve_factored", [&] { layout::check_memory(factor, comm.rank(), "the factor"); });
  if (factor.layout.rows() == 0 || b.layout.columns() == 0) return;
  TriangularSystem<T>(comm, tiles_of(comm, factor)).solve_definite(comm, b, stored);
}

// X op(T) = B is op(T)^T X^T = B^T: with op none the transpose, with transpose none; with adjoint conj(T) X^T = B^T,
// that is T X^H = B^H.
template <Scalar T>
void solve_triangular(comm::CommView comm, Side side, Triangle triangle, Op op, Diagonal diagonal, T alpha,
                      const layout::MatrixView<const T>& t, const layout::MatrixView<T>& b) {
  const Index n = t.layout.rows();
  if (n == 0 || b.layout.rows() == 0 || b.layout.columns() == 0) return;
  const TriangularSystem<T> system(comm, tiles_of(comm, t));
  layout::scale(b, alpha, comm.rank());
  if (side == Side::left) return system.solve_triangle(comm, triangle, op, diagonal, b);
  const Op turn = op == Op::adjoint ? Op::adjoint : Op::transpose;
  layout::DistMatrix<T> turned(layout::column_blocks(n, b.layout.rows(), comm.size()), comm.rank());
  layout::redistribute<T>(comm, T(1), turn, b, T(0), turned.view());
  system.solve_triangle(comm, triangle, op == Op::none ? Op::transpose : Op::none, diagonal, turned.view());
  layout::redistribute<T>(comm, T(1), turn, turned.view(), T(0), b);
}

#define CAIRN_INSTANTIATE(T)                                                                              \
  template class TriangularSystem<T>;                                                                     \
  template void solve_triangular(comm::CommView, Side, Triangle, Op, Diagonal, T,                         \
                                 const layout::MatrixView<const T>&, const layout::MatrixView<T>&);       \
  template void solve_with_lu(comm::CommView, const layout::MatrixView<const T>&, std::span<const Index>, \
                              Op, const layout::MatrixView<T>&);                                          \
  template void solve_with_cholesky(comm::CommView, Triangle, const layout::MatrixView<const T>&,         \
                                    const layout::MatrixView<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
