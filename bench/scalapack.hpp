// ScaLAPACK, where it is installed, as a peer to be measured beside. It is looked for when a benchmark asks
// for it: nothing of Cairn is linked with it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/blas.hpp"
#include "bounds/product.hpp"
#include "layout/kinds.hpp"

namespace cairn::bench {

using Descriptor = std::array<int, 9>;

// The sub-matrix that begins at element (i, j), counted from 0, of the matrix that is described.
struct Operand {
  double* data = nullptr;
  Descriptor matrix = {};
  Index i = 0, j = 0;
};

class ScaLapack {
 public:
  // Throws IoError that says which package has it.
  ScaLapack();

  // Collective over MPI_COMM_WORLD: a process grid of the first ranks, numbered down the columns. Returns a
  // BLACS context, -1 on ranks outside.
  int grid(int process_rows, int process_columns) const;
  void release(int context) const;
  static Descriptor descriptor(int context, Index m, Index n, const layout::BlockCyclic& blocks,
                               Index leading_dimension);

  // B := A, whole matrices; `all` is a context that has all ranks.
  void pdgemr2d(Index m, Index n, const double* a, const Descriptor& da, double* b, const Descriptor& db,
                int all) const;
  // C := alpha A^T + beta C, C m x n.
  void pdtran(Index m, Index n, double alpha, const double* a, const Descriptor& da, double beta, double* c,
              const Descriptor& dc) const;
  // C := op(A) op(B).
  void pdgemm(Op op_a, Op op_b, const bounds::Product& p, const Operand& a, const Operand& b,
              const Operand& c) const;

  // Square matrices, whole. Those that factor return ScaLAPACK's info; ipiv has a number for each local row and mb more.
  int pdgetrf(Index m, Index n, const Operand& a, std::vector<int>& ipiv) const;
  int pdpotrf(Index n, const Operand& a) const;  // the lower triangle
  void pdgetrs(Index n, Index right_sides, const Operand& a, const std::vector<int>& ipiv,
               const Operand& b) const;
  void pdpotrs(Index n, Index right_sides, const Operand& a, const Operand& b) const;
  int pdgesv(Index n, Index right_sides, const Operand& a, std::vector<int>& ipiv, const Operand& b) const;
  int pdposv(Index n, Index right_sides, const Operand& a, const Operand& b) const;

  const std::string& library() const noexcept { return library_; }

 private:
  void* symbol(const char* name) const;

  void* handle_ = nullptr;
  std::string library_;
};

}  // namespace cairn::bench
