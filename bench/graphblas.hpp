// SuiteSparse:GraphBLAS, where it is installed, as a peer to be measured beside. It is looked for when a
// benchmark asks for it: nothing of Cairn is linked with it.
#pragma once

#include <string>

#include "sparse/local/csr.hpp"

namespace cairn::bench {

class GraphBlas {
 public:
  // With this many threads. Throws IoError that says which package has it.
  explicit GraphBlas(int threads);
  ~GraphBlas();
  GraphBlas(const GraphBlas&) = delete;
  GraphBlas& operator=(const GraphBlas&) = delete;

  // A matrix of its own.
  class Matrix {
   public:
    Matrix(const GraphBlas& library, const sparse::Csr<double>& a);
    Matrix(const GraphBlas& library, Index rows, Index columns);
    ~Matrix();
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    Index entries() const;

   private:
    friend class GraphBlas;
    const GraphBlas& library_;
    void* handle_ = nullptr;
  };

  // C := A B; with `finish` the rows are sorted, too, which it puts off otherwise.
  void multiply(const Matrix& a, const Matrix& b, Matrix& c, bool finish) const;

 private:
  template <class F>
  F* function(const char* name) const;
  void* symbol(const char* name) const;

  void* handle_ = nullptr;
  std::string library_;
};

}  // namespace cairn::bench
