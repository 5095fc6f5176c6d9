// Solving with triangles that are distributed: those of LU, and any n x n triangle.
#pragma once

#include <memory>

#include "comm/communicator.hpp"
#include "factor/lu.hpp"
#include "factor/solve_compile.hpp"

namespace cairn::factor {

// A matrix of which one triangle or both are solved with; nothing of it moves but the corners, once.
template <Scalar T>
class TriangularSystem {
 public:
  ~TriangularSystem();
  TriangularSystem(TriangularSystem&&) noexcept;
  TriangularSystem& operator=(TriangularSystem&&) noexcept;
  // Collective. Factors of a square matrix whose layers are collected; `tiles` must outlive this.
  TriangularSystem(comm::CommView comm, const LuTiles<T>& tiles, const LuResult<T>& result);
  // Collective. A square matrix in tiles of its own, rows in their order. Only a triangle that is asked for is read.
  TriangularSystem(comm::CommView comm, std::shared_ptr<LuTiles<T>> tiles);

  const SolveShape& shape() const noexcept { return shape_; }

  // Collective. op(A) X = B for the factors of A: in place, B in any layout. Words: twice those of a triangle, and
  // those of B that are not where they must be.
  void solve_factored(comm::CommView comm, Op op, const layout::MatrixView<T>& b) const;
  // Collective. L L^H X = B with the lower triangle.
  void solve_definite(comm::CommView comm, const layout::MatrixView<T>& b) const;
  // Collective. op(T) X = B in place.
  void solve_triangle(comm::CommView comm, Triangle triangle, Op op, Diagonal diagonal,
                      const layout::MatrixView<T>& b) const;

 private:
  class Blocks;
  struct Prepared;
  enum class RowOrder { matrix, pivots };
  // Exchanges and Programs of the last kind of solve are kept: the next one of the same kind plans nothing.
  const Prepared& prepared(comm::CommView comm, const std::vector<TriangularSolve>& solves, RowOrder in,
                           RowOrder out, const layout::MatrixView<T>& b) const;
  // One triangle after the other; B comes and goes with its rows in these orders.
  void run(comm::CommView comm, const std::vector<TriangularSolve>& solves, RowOrder in, RowOrder out,
           const layout::MatrixView<T>& b) const;

  SolveShape shape_;
  std::shared_ptr<const LuTiles<T>> own_;
  const LuTiles<T>* tiles_;
  Buffer<T> corners_;
  mutable std::unique_ptr<Prepared> prepared_;
};

// Collective. T X = B and so on for a triangle in any layout: it is copied to a grid first, n^2 / 2 words in all.
template <Scalar T>
void solve_triangular(comm::CommView comm, Side side, Triangle triangle, Op op, Diagonal diagonal, T alpha,
                      const layout::MatrixView<const T>& t, const layout::MatrixView<T>& b);

}  // namespace cairn::factor
