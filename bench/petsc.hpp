// PETSc, where it is installed, as a peer to be measured beside. It is looked for when a benchmark asks for it:
// nothing of Cairn is linked with it.
#pragma once

#include <string>

#include "comm/communicator.hpp"
#include "sparse/local/csr.hpp"

namespace cairn::bench {

class Petsc {
 public:
  // Collective over MPI_COMM_WORLD, after MPI_Init. Throws IoError that says which package has it.
  Petsc();
  ~Petsc();
  Petsc(const Petsc&) = delete;
  Petsc& operator=(const Petsc&) = delete;

  // A matrix in row blocks, or the product of two.
  class Matrix {
   public:
    // Collective. `rows` are this rank's rows of a matrix of this many rows and columns.
    Matrix(const Petsc& library, comm::CommView comm, const sparse::Csr<double>& rows, Index all_rows);
    // Collective: MatMatMult, the symbolic and the numeric phase.
    Matrix(const Petsc& library, const Matrix& a, const Matrix& b);
    ~Matrix();
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    Index entries() const;  // collective: of all ranks

   private:
    const Petsc& library_;
    void* handle_ = nullptr;
  };

 private:
  template <class F>
  F* function(const char* name) const;

  void* handle_ = nullptr;
  std::string library_;
};

}  // namespace cairn::bench
