// Matrix times vector and rank-1 update with the collectives of paper 003 ("Parallel Matrix Multiplication: A
// Systematic Journey"), sections 4.4 and 5.6: A does not move. A vector goes to the ranks that need it along
// the edges of figure 5.1, a result comes back along them. docs/internals/level2.md has the words.
//
// A is on the mesh d0 x d1 of the grid: [(0),(1)], or any other distribution the notation has, with any index
// maps. A vector is an n x 1 or a 1 x n matrix: D(0,1), D(1,0), projected [(0),()] or [(1),()], replicated
// [(),()], a column or row of a matrix (Layout::sub_matrix). Where it is not dealt in the same blocks as A
// from the first rank on, it goes to and fro with redistribute().
#pragma once

#include <string>
#include <vector>

#include "base/blas.hpp"
#include "comm/grid.hpp"
#include "layout/matrix_view.hpp"
#include "layout/moves/moves.hpp"

namespace cairn::gemm {

// The way of one vector, as a column: layouts[i] becomes layouts[i+1] by moves[i]. `redistributed`: what is
// left to or from there is redistribute()'s business.
struct Route {
  std::vector<layout::NamedMove> moves;
  std::vector<layout::Layout> layouts;
  bool redistributed = false;

  double words() const;  // of the moves, by their closed forms
};

struct Level2Plan {
  std::vector<Route> operands;  // x; in a rank-1 update y and x
  Route result;                 // none in a rank-1 update

  double words() const;
  std::vector<std::string> steps() const;  // the names of the moves, in order
};

// Pure. The sizes must fit, or an ArgumentError says which do not.
Level2Plan plan_gemv(Op op, const layout::Layout& a, const layout::Layout& x, const layout::Layout& y);
Level2Plan plan_ger(const layout::Layout& a, const layout::Layout& y, const layout::Layout& x);

// Collective over the grid. y := alpha op(A) x + beta y, A m x n. beta = 0 never reads y; alpha = 0 never
// reads A and x and moves nothing. x and y may be rows or columns of one matrix. For x in [(1,0),()] and y in
// [(0,1),()] of A[(0),(1)]: (d0-1)/d0 n/d1 + (d1-1)/d1 m/d0 words, eq. (4.2). Counted under phase "gemv".
//
//   gemv<double>(grid, 1.0, Op::none, a.view(), x.view(), 0.0, y.view());
template <Scalar T>
void gemv(const comm::ProcessGrid& grid, T alpha, Op op, const layout::MatrixView<const T>& a,
          const layout::MatrixView<const T>& x, T beta, const layout::MatrixView<T>& y);

// Collective over the grid. A := A + alpha y op(x), op transpose or adjoint. alpha = 0 reads neither vector
// and moves nothing. y and x may be columns or rows of A. For y in [(0,1),()] and x in [(1,0),()] the same
// words as gemv. Counted under phase "ger".
template <Scalar T>
void ger(const comm::ProcessGrid& grid, T alpha, const layout::MatrixView<const T>& y, Op op,
         const layout::MatrixView<const T>& x, const layout::MatrixView<T>& a);

// A vector as a column: a row is the column of the transposed matrix in the same memory.
template <class T>
layout::MatrixView<T> as_column(layout::MatrixView<T> v) {
  if (v.layout.columns() != 1) v.layout = v.layout.transposed();
  return v;
}

}  // namespace cairn::gemm
