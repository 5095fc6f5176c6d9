// A distributed matrix: a layout and this rank's part.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/context.hpp"
#include "cairn/layout.hpp"

namespace cairn {

// Like a span, a const Matrix cannot be reassigned, but its elements can be written. It can be moved, not
// copied. Cairn writes only to what a function's comment says is a result.
//
//   cairn::Matrix<double> a(context, cairn::Layout::row_blocks(1000, 500, context.size()));
//   a.fill([](cairn::Index i, cairn::Index j) { return 1.0 / double(i + j + 1); });
template <Scalar T>
class CAIRN_EXPORT Matrix {
 public:
  // Collective. Memory of its own, all zeros: layout.local_elements(rank) elements. A layout that names ranks
  // that the context does not have, layouts that differ between ranks, and running out of memory are the same error on
  // all ranks.
  Matrix(const Context& context, Layout layout);
  // Collective. The caller's memory, which must outlive the matrix: at least
  // layout.local_elements(rank, leading_dimension) elements. Leading dimension 0: the least possible. Memory
  // that is too short for the layout or null on any rank is an ArgumentError on all.
  Matrix(const Context& context, Layout layout, std::span<T> memory, Index leading_dimension = 0);

  // A moved-from matrix has no rows, no columns and the same context.
  Matrix(Matrix&& other) noexcept
      : context_(other.context_),
        layout_(std::exchange(other.layout_, Layout())),
        own_(std::move(other.own_)),
        memory_(std::exchange(other.memory_, {})),
        leading_dimension_(std::exchange(other.leading_dimension_, 0)) {}
  Matrix& operator=(Matrix&& other) noexcept {
    Matrix taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Matrix() = default;

  Index rows() const { return layout_.rows(); }
  Index columns() const { return layout_.columns(); }
  const Layout& layout() const { return layout_; }
  const Context& context() const { return context_; }
  // This rank's memory in the order of the layout, up to the last element it holds.
  std::span<T> local() const { return memory_; }
  Index leading_dimension() const { return leading_dimension_; }

  // Local. f(i, j, x) for every element x that this rank holds, i and j counted in the whole matrix.
  template <class F>
  void for_each(F&& f) const {
    for_each_strip([&](Index row, Index column, Index count, T* data, Index stride) {
      for (Index i = 0; i < count; ++i) f(row + i, column, data[i * stride]);
    });
  }
  // Local. Sets every element to f(i, j).
  template <class F>
  void fill(F&& f) {
    for_each([&](Index i, Index j, T& x) { x = f(i, j); });
  }
  // Local. f(row, column, count, data, stride): elements (row, column) ... (row + count - 1, column) at data,
  // data + stride, ...
  using StripVisitor = std::function<void(Index, Index, Index, T*, Index)>;
  void for_each_strip(const StripVisitor& f) const;

  // Collective. The whole matrix on one rank, column after column; empty elsewhere. Words: all that are not
  // there yet.
  std::vector<T> gather(int root = 0) const;
  // Collective. One element, on every rank. Words: one.
  T at(Index i, Index j) const;

 private:
  void swap(Matrix& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(layout_, other.layout_);
    std::swap(own_, other.own_);
    std::swap(memory_, other.memory_);
    std::swap(leading_dimension_, other.leading_dimension_);
  }

  Context context_;
  Layout layout_;
  std::unique_ptr<T[]> own_;
  std::span<T> memory_;
  Index leading_dimension_ = 0;
};

// Collective. Y := alpha op(X) + beta Y, from any layout to any other. beta = 0 never reads Y. X and Y share
// no memory. Words: those of op(X) that are not yet where Y wants them, once each.
template <Scalar T>
CAIRN_EXPORT void redistribute(std::type_identity_t<T> alpha, Op op, const Matrix<T>& x,
                               std::type_identity_t<T> beta, Matrix<T>& y);

#define CAIRN_EXTERN(T)                                                               \
  extern template class Matrix<T>;                                                    \
  extern template void redistribute<T>(std::type_identity_t<T>, Op, const Matrix<T>&, \
                                       std::type_identity_t<T>, Matrix<T>&);
CAIRN_EXTERN(float)
CAIRN_EXTERN(double)
CAIRN_EXTERN(std::complex<float>)
CAIRN_EXTERN(std::complex<double>)
#undef CAIRN_EXTERN

}  // namespace cairn
