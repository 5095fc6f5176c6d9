// Vectors to multiply matrices with: several at once, with the vector of absolute values beside them, and what a rank's
// part of a matrix makes of them.
#pragma once

#include "base/buffer.hpp"
#include "base/scalar.hpp"
#include "comm/communicator.hpp"
#include "layout/local_blocks.hpp"

namespace cairn::check {

// `rounds` vectors of `length` numbers in double precision, real and (for complex types) imaginary parts
// apart, and one more vector of sums of absolute values. One piece of memory, to be reduced in one
// collective.
class VectorSet {
 public:
  VectorSet() = default;
  VectorSet(Index length, int rounds, bool complex);  // zeros

  Index length() const { return length_; }
  int rounds() const { return rounds_; }
  bool complex() const { return complex_; }
  double* re(int round) const { return data_.data() + length_ * round; }
  double* im(int round) const { return data_.data() + length_ * (rounds_ + round); }
  double* absolute() const { return data_.data() + length_ * rounds_ * (complex_ ? 2 : 1); }
  std::span<double> all() const { return data_.span(); }

 private:
  Index length_ = 0;
  int rounds_ = 0;
  bool complex_ = false;
  Buffer<double> data_;
};

// Elements of random vectors, +1 or -1: a bit of a hash of (seed, round, i), so that every rank makes those it wants for
// itself, and they do not depend on how many ranks there are.
class Signs {
 public:
  Signs(std::uint64_t seed, int round);
  double operator[](Index i) const;

 private:
  std::uint64_t key_;
};

// Whole vectors of them. Absolute values are 1.
VectorSet signs(std::uint64_t seed, Index length, int rounds, bool complex);

// out := out + op(scale X) in for this rank's part of X, and the same with |X| for the absolute values, where
// |re| + |im| stands for the absolute value of a complex number. Flops: (rounds + 1) multiplies and adds an
// element (four times as many for complex types).
template <Scalar T>
void accumulate(const layout::LocalBlocks<T>& x, Op op, double scale, const VectorSet& in, VectorSet& out);

// The largest |re| or |im| of this rank's part that is finite.
template <Scalar T>
double largest_part(const layout::LocalBlocks<T>& x);

// Collective: the sum over all ranks, on all.
void sum_over_ranks(comm::CommView comm, const VectorSet& x);

// Collective. The columns of X as vectors, on every rank; absolute values are 1.
template <Scalar T>
VectorSet columns_of(comm::CommView comm, const layout::LocalBlocks<T>& x);

}  // namespace cairn::check
