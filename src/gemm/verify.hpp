// Freivalds' check of C = alpha op(A) op(B) + beta C0 over distributed data: both sides times random vectors
// of +1 and -1, row by row within what rounding explains. docs/internals/verify.md has the analysis.
#pragma once

#include "comm/communicator.hpp"
#include "gemm/row_sums.hpp"

namespace cairn::gemm {

struct VerifyOptions {
  static constexpr int most_rounds = 1000;
  int rounds = 2;             // vectors; one is enough for a single wrong element
  std::uint64_t seed = 2024;  // the same on every rank
  // What may be wrong, as a multiple of the bound of a classical product: more for fast algorithms.
  double growth = 1;
};

struct Verdict {
  bool passed = true;
  Index row = -1;       // of C: the one that is worst for its tolerance; -1 where nothing was compared
  double residual = 0;  // there, the largest of all rounds; NaN and infinity fail
  double tolerance = 0;
  Index rows = 0;  // of C
  // Rows that no finite bound exists for, because A, B or C0 has elements there that are not finite, or where
  // C is not finite and may rightly have overflowed. They pass.
  Index unchecked_rows = 0;
  bool nothing_checked() const { return rows > 0 && unchecked_rows == rows; }

  // The residual over its tolerance, above 1 where the product is wrong.
  double error_over_allowed() const { return residual == 0 ? 0 : residual / tolerance; }
};

// "row 17 differs by 0.3, rounding explains 1e-12"
std::string describe(const Verdict& verdict);

// tolerance of row i = relative_tolerance * (|alpha| |op A| |op B| 1 + |beta| |C0| 1)_i, and a little more
// for underflow. An error of one element above twice that is always found.
template <Scalar T>
double relative_tolerance(Index n, Index k, double growth = 1);

// A factor of the product: op(X).
template <Scalar T>
struct Side {
  Op op = Op::none;
  LocalBlocks<T> blocks = {};
};

template <Scalar T>
class Freivalds {
 public:
  // C is m x n. Local: throws on this rank alone. Memory: (rounds + 1) (m + n) numbers, twice as many for
  // complex types.
  Freivalds(comm::CommView comm, Index m, Index n, const VerifyOptions& options = {});

  // Local, before a product with beta != 0 overwrites C: keeps this rank's share of C0 x.
  void save(const LocalBlocks<T>& c0);

  // Collective; the same verdict on every rank. beta = 0 asks nothing of C0, alpha = 0 never reads A and B. A
  // wrong argument on any rank is the same ArgumentError on all.
  // Work: (rounds + 1) (mn + mk + kn) / P multiplies and adds on a rank that holds 1/P of each matrix. Words:
  // two allreduces, of (rounds + 1) k and (rounds + 1) m numbers of 8 bytes (2 rounds + 1 for complex types),
  // and a few more, under phase "verify". The vectors themselves cost none.
  Verdict check(T alpha, const Side<T>& a, const Side<T>& b, T beta, const LocalBlocks<T>& c) const;

 private:
  static constexpr bool is_complex = ScalarTraits<T>::is_complex;
  struct Scales {
    int a = 0, b = 0, rows = 0;
  };
  struct Vectors {
    VectorSet y, product, rows;
  };

  void check_arguments(const Side<T>& a, const Side<T>& b, const LocalBlocks<T>& c, Index k, T beta) const;
  Scales find_scales(T alpha, const Side<T>& a, const Side<T>& b, T beta, const LocalBlocks<T>& c) const;
  void compare(T alpha, const Side<T>& a, const Side<T>& b, T beta, const LocalBlocks<T>& c,
               const Scales& scales, Vectors& v) const;

  comm::CommView comm_;
  Index m_, n_;
  VerifyOptions options_;
  VectorSet x_;
  VectorSet saved_;  // C0 x of this rank, scaled by saved_exponent_
  int saved_exponent_ = 0;
  bool has_saved_ = false;
};

extern template class Freivalds<float>;
extern template class Freivalds<double>;
extern template class Freivalds<std::complex<float>>;
extern template class Freivalds<std::complex<double>>;

}  // namespace cairn::gemm
