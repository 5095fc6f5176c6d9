#include "symmetric/kernels.hpp"

#include <algorithm>
#include <array>

#include "symmetric/pieces.hpp"

namespace cairn::symmetric {
namespace {

template <Scalar T>
using CutBlock = std::array<T, static_cast<std::size_t>(cut_size* cut_size)>;

bool is_inside(Triangle triangle, Index row, Index column) {
  return triangle == Triangle::lower ? row >= column : row <= column;
}

// f(i, j, row - column of the matrix is 0) for the elements of a cut piece inside the triangle.
template <class F>
void for_each_inside(Triangle triangle, const CellIndices& cell, const TrianglePiece& p, const F& f) {
  for (Index j = 0; j < p.columns; ++j) {
    const Index column = cell.columns[static_cast<std::size_t>(p.first_column + j)];
    for (Index i = 0; i < p.rows; ++i) {
      const Index row = cell.rows[static_cast<std::size_t>(p.first_row + i)];
      if (is_inside(triangle, row, column)) f(i, j, row == column);
    }
  }
}

// What a cut piece is multiplied as: zeros outside the triangle, its diagonal as the problem reads it.
template <Scalar T>
void copy_inside(const Problem& problem, const CellIndices& cell, const TrianglePiece& p, const T* from,
                 Index ld, T* to) {
  std::fill_n(to, p.rows * p.columns, T(0));
  for_each_inside(problem.triangle, cell, p, [&](Index i, Index j, bool diagonal) {
    const bool unit = diagonal && problem.kind == Kind::triangular && problem.diagonal == Diagonal::unit;
    T& x = to[i + j * p.rows];
    x = unit ? T(1) : from[i + j * ld];
    if (diagonal && problem.kind == Kind::symmetric && problem.hermitian) x = T(std::real(x));
  });
}

template <Scalar T>
void clear_diagonal(const Problem& problem, const CellIndices& cell, const TrianglePiece& p, T* block) {
  for_each_inside(problem.triangle, cell, p, [&](Index i, Index j, bool diagonal) {
    if (diagonal) block[i + j * p.rows] = T(0);
  });
}

}  // namespace

template <Scalar T>
void update_cell(const Problem& problem, const CellIndices& cell, Index k, T alpha,
                 const PanelMemory<const T>& x, const PanelMemory<const T>& y, T keep, T* at, Index ld) {
  const Op other = problem.conjugates() ? Op::adjoint : Op::transpose;
  const bool twice = problem.kind == Kind::rank_2k;
  const auto product = [&](const TrianglePiece& p, T beta, T* to, Index to_ld) {
    const Index row = cell.row_face + p.first_row, column = cell.column_face + p.first_column;
    blas::gemm(Op::none, other, p.rows, p.columns, k, alpha, x.data + row, x.ld, y.data + column, y.ld, beta,
               to, to_ld);
    if (!twice) return;
    const T second = problem.hermitian ? cairn::conj(alpha) : alpha;
    blas::gemm(Op::none, other, p.rows, p.columns, k, second, y.data + row, y.ld, x.data + column, x.ld, T(1),
               to, to_ld);
  };
  CutBlock<T> cut;
  for_each_piece(problem.triangle, cell.rows, cell.columns, [&](const TrianglePiece& p) {
    T* to = at + p.first_row + p.first_column * ld;
    if (p.whole) return product(p, keep, to, ld);
    product(p, T(0), cut.data(), p.rows);
    for_each_inside(problem.triangle, cell, p, [&](Index i, Index j, bool diagonal) {
      T value = cut[static_cast<std::size_t>(i + j * p.rows)];
      if (keep != T(0)) value += to[i + j * ld];
      to[i + j * ld] = diagonal && problem.hermitian ? T(std::real(value)) : value;
    });
  });
}

template <Scalar T>
void multiply_cell(const Problem& problem, const CellIndices& cell, const Way& way, const FacePair& written,
                   Index k, const T* at, Index ld, const PanelMemory<const T>& from,
                   const PanelMemory<T>& to) {
  const Op op = problem.kind == Kind::triangular ? turned_op(problem) : Op::none;
  const Op other =
      problem.kind == Kind::symmetric ? (problem.conjugates() ? Op::adjoint : Op::transpose) : op;
  const auto by_rows = [&](const TrianglePiece& p, const T* block, Index block_ld) {
    blas::gemm(Op::none, Op::none, p.rows, k, p.columns, T(1), block, block_ld,
               from.data + cell.column_face + p.first_column, from.ld, T(1),
               to.data + written.row_face + p.first_row, to.ld);
  };
  const auto by_columns = [&](const TrianglePiece& p, const T* block, Index block_ld) {
    blas::gemm(other, Op::none, p.columns, k, p.rows, T(1), block, block_ld,
               from.data + cell.row_face + p.first_row, from.ld, T(1),
               to.data + written.column_face + p.first_column, to.ld);
  };
  CutBlock<T> cut;
  for_each_piece(problem.triangle, cell.rows, cell.columns, [&](const TrianglePiece& p) {
    const T* block = at + p.first_row + p.first_column * ld;
    Index block_ld = ld;
    if (!p.whole) {
      copy_inside(problem, cell, p, block, ld, cut.data());
      block = cut.data();
      block_ld = p.rows;
    }
    if (way.straight) by_rows(p, block, block_ld);
    if (!way.mirrored) return;
    // The mirror image has the diagonal but once.
    if (!p.whole && problem.kind == Kind::symmetric) clear_diagonal(problem, cell, p, cut.data());
    by_columns(p, block, block_ld);
  });
}

double cell_flops(const Problem& problem, const CellIndices& cell, const Way& way, Index k) {
  double elements = 0;
  for_each_piece(problem.triangle, cell.rows, cell.columns, [&](const TrianglePiece& p) {
    elements += static_cast<double>(p.rows) * static_cast<double>(p.columns);
  });
  return flops_per_voxel(problem.type) * (problem.updates() ? uses(problem) : way.count()) * elements *
         static_cast<double>(k);
}

#define CAIRN_INSTANTIATE(T)                                                                           \
  template void update_cell(const Problem&, const CellIndices&, Index, T, const PanelMemory<const T>&, \
                            const PanelMemory<const T>&, T, T*, Index);                                \
  template void multiply_cell(const Problem&, const CellIndices&, const Way&, const FacePair&, Index,  \
                              const T*, Index, const PanelMemory<const T>&, const PanelMemory<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::symmetric
