// Freivalds' check of C = factor M1 M2 ... + ... + beta C0 over distributed data: both sides times random vectors of +1
// and -1, row by row within what rounding explains. docs/internals/verify.md has the analysis.
#pragma once

#include "check/rounding.hpp"

namespace cairn::check {

struct VerifyOptions {
  static constexpr int most_rounds = 1000;
  int rounds = 2;             // vectors; one is enough for a single wrong element
  std::uint64_t seed = 2024;  // the same on every rank
  // What may be wrong, as a multiple of the bound of a classical product: more for fast algorithms.
  double growth = 1;
};

// A matrix of a product: op(X), of which this rank holds blocks.
template <Scalar T>
struct Operand {
  Op op = Op::none;
  layout::LocalBlocks<T> blocks = {};
  std::string_view name = "a matrix";

  Index rows() const { return op == Op::none ? blocks.rows : blocks.cols; }
  Index cols() const { return op == Op::none ? blocks.cols : blocks.rows; }
};

// factor M1 M2 ...
template <Scalar T>
struct Term {
  T factor = T(1);
  std::vector<Operand<T>> matrices;

  // Sums that one element of the product is made of, at most.
  Index depth() const;
};

template <Scalar T>
class Freivalds {
 public:
  // C is m x n. Local: throws on this rank alone. Memory: (rounds + 1) (m + n) numbers, twice as many for
  // complex types.
  Freivalds(comm::CommView comm, Index m, Index n, const VerifyOptions& options = {});

  // Local, before a product with beta != 0 overwrites C: keeps this rank's share of C0 x.
  void save(const layout::LocalBlocks<T>& c0);

  // Collective; the same verdict on every rank. A term with factor 0 is never read, and beta = 0 asks nothing of C0. A
  // wrong argument on any rank is the same ArgumentError on all.
  // Work: (rounds + 1) multiplies and adds for each element of each matrix. Words: an allreduce of (rounds + 1) numbers
  // of 8 bytes (2 rounds + 1 for complex types) for each inner row of a term and each row of C, and a few more, under
  // phase "verify". The vectors themselves cost none.
  Verdict check(std::span<const Term<T>> terms, T beta, const layout::LocalBlocks<T>& c) const;
  // Of C = alpha op(A) op(B) + beta C0.
  Verdict check(T alpha, const Operand<T>& a, const Operand<T>& b, T beta,
                const layout::LocalBlocks<T>& c) const;

 private:
  static constexpr bool is_complex = ScalarTraits<T>::is_complex;
  struct Scales {
    std::vector<std::vector<int>> matrices;  // of each term
    int rows = 0;
  };
  struct Vectors {
    std::vector<std::vector<VectorSet>> inner;  // what each matrix of a term but the first makes
    VectorSet product, rows;
  };

  void check_arguments(std::span<const Term<T>> terms, const layout::LocalBlocks<T>& c, T beta) const;
  Vectors vectors_for(std::span<const Term<T>> terms) const;
  Index bits_of(std::span<const Term<T>> terms, T beta) const;
  Scales find_scales(std::span<const Term<T>> terms, T beta, const layout::LocalBlocks<T>& c) const;
  void subtract_term(const Term<T>& term, std::span<const int> exponents, int rows_exponent,
                     std::span<VectorSet> inner, Vectors& v) const;
  void compare(std::span<const Term<T>> terms, T beta, const layout::LocalBlocks<T>& c, const Scales& scales,
               Vectors& v) const;

  comm::CommView comm_;
  Index m_, n_;
  VerifyOptions options_;
  VectorSet x_;
  VectorSet saved_;  // C0 x of this rank, scaled by saved_exponent_
  int saved_exponent_ = 0;
  bool has_saved_ = false;
};

// Collective. The largest sum of absolute values of a row: its infinity norm. Words: an allreduce of a number a row.
template <Scalar T>
double infinity_norm(comm::CommView comm, const layout::LocalBlocks<T>& x);

extern template class Freivalds<float>;
extern template class Freivalds<double>;
extern template class Freivalds<std::complex<float>>;
extern template class Freivalds<std::complex<double>>;

}  // namespace cairn::check
