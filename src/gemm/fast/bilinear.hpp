// A bilinear algorithm <m0,k0,n0;q>: the product of an m0 x k0 by a k0 x n0 matrix of blocks by q products of
// blocks. Term r is  (sum of a_i A_i) (sum of b_j B_j),  and it adds c_l times its value to block C_l; blocks
// are numbered by rows. It computes the product if and only if, for all blocks, the sum over the terms of
// a(i,p) b(p',j) c(i',j') is 1 where i = i', j = j', p = p', and 0 elsewhere: `verify` proves that in
// fractions.
#pragma once

#include <array>
#include <vector>

#include "gemm/fast/rational.hpp"
#include "gemm/problem.hpp"

namespace cairn::gemm::fast {

struct Term {
  std::array<std::vector<Rational>, 3> of;  // coefficients of the blocks of A, B, C
  int line = 0;                             // of the file it was read from; 0: none

  const std::vector<Rational>& operator[](Matrix x) const { return of[index(x)]; }
  std::vector<Rational>& operator[](Matrix x) { return of[index(x)]; }
};

struct Bilinear {
  std::string name;
  int m0 = 1;
  int k0 = 1;
  int n0 = 1;
  std::vector<Term> terms;

  int rank() const { return static_cast<int>(terms.size()); }  // q
  int rows(Matrix x) const { return x == Matrix::b ? k0 : m0; }
  int columns(Matrix x) const { return x == Matrix::a ? k0 : n0; }
  int blocks(Matrix x) const { return rows(x) * columns(x); }
  int parts(Dim d) const { return d == Dim::m ? m0 : d == Dim::n ? n0 : k0; }
  double exponent() const;    // 3 log q / log(m0 k0 n0): that of square products by this algorithm alone
  std::string shape() const;  // "<2,2,2;7>"
};

// Throws ArgumentError if this is not the product: names the wrong coefficient and its line where one alone
// explains it, else the first triple of blocks that is wrong.
void verify(const Bilinear& algorithm);

Bilinear classical(int m0, int k0, int n0);
// One algorithm for the blocks of another: <m0 m0', k0 k0', n0 n0'; q q'>.
Bilinear composed(const Bilinear& outer, const Bilinear& inner);
// Of C^T = B^T A^T: <n0,k0,m0;q>.
Bilinear transposed(const Bilinear& x);
// By the cyclic symmetry of trace(A B C^T): <k0,n0,m0;q>.
Bilinear rotated(const Bilinear& x);
// Two algorithms side by side along a dimension: <.., x.d + y.d, ..; q + q'>.
Bilinear joined(const Bilinear& x, const Bilinear& y, Dim d);
// The permutation of `x` that has these extents, of at most six; throws ArgumentError if there is none.
Bilinear with_shape(const Bilinear& x, int m0, int k0, int n0);

}  // namespace cairn::gemm::fast
