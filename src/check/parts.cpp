#include "check/parts.hpp"

#include <algorithm>

#include "base/scalar.hpp"

namespace cairn::check {
namespace {

using layout::Block;
using layout::LocalBlocks;

// strip(block): the part of a column that is strictly inside `half`; on_diagonal(element, index).
template <Scalar T, class Strip, class OnDiagonal>
void for_each_part(const Block<T>& b, Triangle half, Strip&& strip, OnDiagonal&& on_diagonal) {
  for (Index j = 0; j < b.cols; ++j) {
    const Index column = b.col + j;
    const Index diagonal =
        std::clamp<Index>(column - b.row, -1, b.rows);  // its row in the block, if it is there
    const Index begin = half == Triangle::lower ? diagonal + 1 : 0;
    const Index end = half == Triangle::lower ? b.rows : std::max<Index>(0, diagonal);
    const T* data = b.data + j * b.col_stride;
    if (begin < end)
      strip(Block<T>{.data = data + begin * b.row_stride,
                     .row = b.row + begin,
                     .col = column,
                     .rows = end - begin,
                     .cols = 1,
                     .row_stride = b.row_stride});
    if (column >= b.row && column < b.row + b.rows)
      on_diagonal(data + (column - b.row) * b.row_stride, column);
  }
}

template <Scalar T>
Block<T> single(const T* element, Index i) {
  return {.data = element, .row = i, .col = i, .rows = 1, .cols = 1};
}

// A part of a column, conjugated in memory of its own.
template <Scalar T>
Block<T> conjugated_strip(Block<T> strip, std::vector<T>& copy) {
  copy.resize(static_cast<std::size_t>(strip.rows));
  for (Index i = 0; i < strip.rows; ++i)
    copy[static_cast<std::size_t>(i)] = cairn::conj(strip.data[i * strip.row_stride]);
  strip.data = copy.data();
  strip.row_stride = 1;
  return strip;
}

// A part of a column as a part of a row.
template <Scalar T>
Block<T> turned(const Block<T>& strip) {
  return {.data = strip.data,
          .row = strip.col,
          .col = strip.row,
          .rows = 1,
          .cols = strip.rows,
          .col_stride = strip.row_stride};
}

}  // namespace

template <Scalar T>
LocalBlocks<T> triangle_of(const LocalBlocks<T>& x, Triangle half, Diagonal diagonal) {
  using Visitor = typename LocalBlocks<T>::Visitor;
  return {x.rows, x.cols, [x, half, diagonal](const Visitor& visit) {
            const T one(1);
            x.for_each([&](const Block<T>& b) {
              for_each_part(b, half, visit, [&](const T* element, Index i) {
                visit(single(diagonal == Diagonal::unit ? &one : element, i));
              });
            });
          }};
}

template <Scalar T>
LocalBlocks<T> mirrored(const LocalBlocks<T>& x, Triangle half, bool hermitian) {
  using Visitor = typename LocalBlocks<T>::Visitor;
  return {x.rows, x.cols, [x, half, hermitian](const Visitor& visit) {
            std::vector<T> copy;
            x.for_each([&](const Block<T>& b) {
              const auto strip = [&](const Block<T>& s) {
                visit(s);
                visit(turned(hermitian && ScalarTraits<T>::is_complex ? conjugated_strip(s, copy) : s));
              };
              for_each_part(b, half, strip, [&](const T* element, Index i) {
                const T value = hermitian ? T(std::real(*element)) : *element;
                visit(single(&value, i));
              });
            });
          }};
}

template <Scalar T>
LocalBlocks<T> conjugated(const LocalBlocks<T>& x) {
  using Visitor = typename LocalBlocks<T>::Visitor;
  if constexpr (!ScalarTraits<T>::is_complex) return x;
  return {x.rows, x.cols, [x](const Visitor& visit) {
            std::vector<T> copy;
            x.for_each([&](const Block<T>& b) {
              for (Index j = 0; j < b.cols; ++j)
                visit(conjugated_strip<T>(
                    {b.data + j * b.col_stride, b.row, b.col + j, b.rows, 1, b.row_stride, 1}, copy));
            });
          }};
}

template <Scalar T>
LocalBlocks<T> rows_renamed(const LocalBlocks<T>& x, std::span<const Index> to) {
  using Visitor = typename LocalBlocks<T>::Visitor;
  return {x.rows, x.cols, [x, to](const Visitor& visit) {
            x.for_each([&](const Block<T>& b) {
              for (Index i = 0; i < b.rows; ++i)
                visit({.data = b.data + i * b.row_stride,
                       .row = to[static_cast<std::size_t>(b.row + i)],
                       .col = b.col,
                       .rows = 1,
                       .cols = b.cols,
                       .col_stride = b.col_stride});
            });
          }};
}

#define CAIRN_INSTANTIATE(T)                                                      \
  template LocalBlocks<T> triangle_of(const LocalBlocks<T>&, Triangle, Diagonal); \
  template LocalBlocks<T> mirrored(const LocalBlocks<T>&, Triangle, bool);        \
  template LocalBlocks<T> conjugated(const LocalBlocks<T>&);                      \
  template LocalBlocks<T> rows_renamed(const LocalBlocks<T>&, std::span<const Index>);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::check
