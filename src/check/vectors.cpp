#include "check/vectors.hpp"

#include <algorithm>
#include <cmath>

#include "base/mixed_bits.hpp"
#include "comm/collectives.hpp"

namespace cairn::check {
namespace {

using layout::Block;
using layout::LocalBlocks;

template <Scalar T>
double real_part(const T& x) {
  return static_cast<double>(std::real(x));
}
template <Scalar T>
double imaginary_part(const T& x) {
  return static_cast<double>(std::imag(x));
}
template <Scalar T>
double magnitude(const T& x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return std::abs(real_part(x)) + std::abs(imaginary_part(x));
  else
    return std::abs(static_cast<double>(x));
}

// A row or column of a block: `count` elements with a stride, at index `at` of one vector; `across` is its
// index in the other one.
template <Scalar T>
struct Strip {
  const T* data;
  Index stride, at, count, across;
};

// The way the elements lie; a single row or column is one strip.
template <Scalar T>
bool runs_down(const Block<T>& b) {
  if (b.rows == 1 || b.cols == 1) return b.cols == 1;
  return b.row_stride <= b.col_stride;
}

// `down`: each strip is a part of a column.
template <Scalar T, class F>
void for_each_strip(const Block<T>& b, bool down, F&& f) {
  if (down)
    for (Index j = 0; j < b.cols; ++j)
      f(Strip<T>{b.data + j * b.col_stride, b.row_stride, b.row, b.rows, b.col + j});
  else
    for (Index i = 0; i < b.rows; ++i)
      f(Strip<T>{b.data + i * b.row_stride, b.col_stride, b.col, b.cols, b.row + i});
}

// out[at + i] += value(x_i) * in[across]
template <Scalar T, class F>
void spread(const Strip<T>& s, F&& value, const double* in, double* out) {
  const double factor = in[s.across];
  for (Index i = 0; i < s.count; ++i) out[s.at + i] += value(s.data[i * s.stride]) * factor;
}

// out[across] += sum of value(x_i) * in[at + i]
template <Scalar T, class F>
void collect(const Strip<T>& s, F&& value, const double* in, double* out) {
  double sum = 0;
  for (Index i = 0; i < s.count; ++i) sum += value(s.data[i * s.stride]) * in[s.at + i];
  out[s.across] += sum;
}

// One strip into all vectors; `add` is spread or collect.
template <Scalar T, class Add>
void accumulate_strip(const Strip<T>& s, double scale, double sign, const VectorSet& in, VectorSet& out,
                      Add&& add) {
  const auto re = [=](const T& x) { return scale * real_part(x); };
  for (int t = 0; t < in.rounds(); ++t) {
    add(s, re, in.re(t), out.re(t));
    if constexpr (ScalarTraits<T>::is_complex) {
      const auto im = [=](const T& x) { return sign * scale * imaginary_part(x); };
      const auto minus_im = [=](const T& x) { return -sign * scale * imaginary_part(x); };
      add(s, minus_im, in.im(t), out.re(t));
      add(s, im, in.re(t), out.im(t));
      add(s, re, in.im(t), out.im(t));
    }
  }
  add(
      s, [=](const T& x) { return scale * magnitude(x); }, in.absolute(), out.absolute());
}

}  // namespace

VectorSet::VectorSet(Index length, int rounds, bool complex)
    : length_(length),
      rounds_(rounds),
      complex_(complex),
      data_(checked_mul(length, Index{rounds} * (complex ? 2 : 1) + 1, "numbers of a check")) {
  std::ranges::fill(data_.span(), 0.0);
}

Signs::Signs(std::uint64_t seed, int round)
    : key_(mixed_bits(seed ^ mixed_bits(static_cast<std::uint64_t>(round)))) {}

double Signs::operator[](Index i) const {
  return (mixed_bits(key_ + static_cast<std::uint64_t>(i)) & 1) != 0 ? 1.0 : -1.0;
}

VectorSet signs(std::uint64_t seed, Index length, int rounds, bool complex) {
  VectorSet x(length, rounds, complex);
  for (int t = 0; t < rounds; ++t) {
    const Signs sign(seed, t);
    for (Index i = 0; i < length; ++i) x.re(t)[i] = sign[i];
  }
  std::fill_n(x.absolute(), length, 1.0);
  return x;
}

template <Scalar T>
void accumulate(const LocalBlocks<T>& x, Op op, double scale, const VectorSet& in, VectorSet& out) {
  const double sign = op == Op::adjoint ? -1 : 1;
  x.for_each([&](const Block<T>& block) {
    const bool down = runs_down(block);
    // op(X) = X sends column index to row index; strips down the columns then spread.
    const bool spreads = down == (op == Op::none);
    for_each_strip(block, down, [&](const Strip<T>& s) {
      if (spreads)
        accumulate_strip(s, scale, sign, in, out, [](auto&&... a) { spread(a...); });
      else
        accumulate_strip(s, scale, sign, in, out, [](auto&&... a) { collect(a...); });
    });
  });
}

template <Scalar T>
double largest_part(const LocalBlocks<T>& x) {
  Real<T> largest = 0;
  const auto see = [&](Real<T> part) {
    part = std::abs(part);
    if (part > largest && part <= std::numeric_limits<Real<T>>::max()) largest = part;
  };
  x.for_each([&](const Block<T>& block) {
    for_each_strip(block, runs_down(block), [&](const Strip<T>& s) {
      for (Index i = 0; i < s.count; ++i) {
        see(std::real(s.data[i * s.stride]));
        if constexpr (ScalarTraits<T>::is_complex) see(std::imag(s.data[i * s.stride]));
      }
    });
  });
  return static_cast<double>(largest);
}

void sum_over_ranks(comm::CommView comm, const VectorSet& x) {
  comm::allreduce(comm.unchecked(), std::span<const double>(x.all()), x.all(), comm::ReduceOp::sum);
}

template <Scalar T>
VectorSet columns_of(comm::CommView comm, const LocalBlocks<T>& x) {
  VectorSet all(x.rows, narrow<int>(x.cols, "columns"), ScalarTraits<T>::is_complex);
  x.for_each([&](const Block<T>& block) {
    for_each_strip(block, true, [&](const Strip<T>& s) {
      const int column = static_cast<int>(s.across);
      for (Index i = 0; i < s.count; ++i) {
        all.re(column)[s.at + i] = real_part(s.data[i * s.stride]);
        if constexpr (ScalarTraits<T>::is_complex)
          all.im(column)[s.at + i] = imaginary_part(s.data[i * s.stride]);
      }
    });
  });
  sum_over_ranks(comm, all);
  std::fill_n(all.absolute(), x.rows, 1.0);
  return all;
}

#define CAIRN_INSTANTIATE(T)                                                                 \
  template void accumulate(const LocalBlocks<T>&, Op, double, const VectorSet&, VectorSet&); \
  template VectorSet columns_of(comm::CommView, const LocalBlocks<T>&);                      \
  template double largest_part(const LocalBlocks<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::check
