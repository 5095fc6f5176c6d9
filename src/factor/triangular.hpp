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
  // Unknown r belongs to row of_sides[r] of the right-hand sides, if that is given.
  TriangularSystem(comm::CommView comm, std::shared_ptr<LuTiles<T>> tiles, std::vector<Index> of_sides = {});

  const SolveShape& shape() const noexcept { return shape_; }

  // Collective. op(A) X = B for the factors of A: in place, B in any layout. Words: twice those of a triangle, and
  // those of B that are not where they must be.
  void solve_factored(comm::CommView comm, Op op, const layout::MatrixView<T>& b) const;
  // Collective. L L^H X = B with the lower triangle.
  void solve_definite(comm::CommView comm, const layout::MatrixView<T>& b,
                      Triangle stored = Triangle::lower) const;
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

// Collective. T X = B and so on for a triangle in any layout. It stays if it lies in blocks on a grid of all ranks
// (triangle_shape_of); else it is copied to one first, n^2 / 2 words in all.
template <Scalar T>
void solve_triangular(comm::CommView comm, Side side, Triangle triangle, Op op, Diagonal diagonal, T alpha,
                      const layout::MatrixView<const T>& t, const layout::MatrixView<T>& b);
// Collective. op(A) X = B where `factors` are L and U in the order of the pivots: row r of P A is row permutation[r] of A.
template <Scalar T>
void solve_with_lu(comm::CommView comm, const layout::MatrixView<const T>& factors,
                   std::span<const Index> permutation, Op op, const layout::MatrixView<T>& b);
// Collective. A = L L^H or U^H U.
template <Scalar T>
void solve_with_cholesky(comm::CommView comm, Triangle stored, const layout::MatrixView<const T>& factor,
                         const layout::MatrixView<T>& b);

}  // namespace cairn::factor
