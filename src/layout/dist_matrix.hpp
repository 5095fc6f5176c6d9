// A distributed matrix with memory of its own, and what can be done to any distributed matrix element by
// element.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "base/scalar.hpp"
#include "comm/communicator.hpp"
#include "layout/matrix_view.hpp"

namespace cairn::layout {

//   DistMatrix<double> a(block_cyclic(m, n, {.process_rows = 2, .process_columns = 3}), comm.rank());
//   fill(a.view(), comm.rank(), [](Index i, Index j) { return 1.0 / (i + j + 1); });
template <Scalar T>
class DistMatrix {
 public:
  // Uninitialised; this rank's part only.
  DistMatrix(Layout layout, int rank)
      : layout_(std::move(layout)), rank_(rank), memory_(layout_.memory_elements(rank)) {}

  const Layout& layout() const noexcept { return layout_; }
  int rank() const noexcept { return rank_; }
  std::span<T> local() const noexcept { return memory_.span(); }
  MatrixView<T> view() { return {layout_, memory_.data(), memory_.size(), 0}; }
  MatrixView<const T> view() const { return {layout_, memory_.data(), memory_.size(), 0}; }

 private:
  Layout layout_;
  int rank_;
  Buffer<T> memory_;
};

// f(i, j, element) for every element of the matrix that this rank holds, i and j counted in the matrix.
template <class T, class F>
void for_each_element(const MatrixView<T>& m, int rank, F&& f) {
  for (const Cell& cell : m.cells(rank))
    m.layout.column_map().for_each_run(cell.column_part, [&](const Run& columns) {
      for (Index j = columns.begin; j < columns.end; ++j)
        m.layout.row_map().for_each_run(cell.row_part, [&](const Run& rows) {
          T* at = m.data + cell.offset + (columns.local + j - columns.begin) * cell.column_stride +
                  rows.local * cell.row_stride;
          for (Index i = rows.begin; i < rows.end; ++i, at += cell.row_stride) f(i, j, *at);
        });
    });
}

// Every element becomes f(i, j).
template <Scalar T, class F>
void fill(const MatrixView<T>& m, int rank, F&& f) {
  for_each_element(m, rank, [&](Index i, Index j, T& x) { x = f(i, j); });
}

// The largest |element - f(i, j)| this rank has; infinity where it is not a number.
template <class T, class F>
double largest_difference(const MatrixView<T>& m, int rank, F&& f) {
  double largest = 0;
  for_each_element(m, rank, [&](Index i, Index j, const auto& x) {
    const double difference = static_cast<double>(std::abs(x - f(i, j)));
    largest = difference <= largest ? largest : std::isnan(difference) ? INFINITY : difference;
  });
  return largest;
}

// Collective. The matrix on one rank, column-major without gaps; empty elsewhere. Words: all that are not
// there yet.
template <Scalar T>
std::vector<T> gather_to(comm::CommView comm, const MatrixView<const T>& m, int root);

// Collective. A small matrix as text, one line per row; the same on every rank.
template <Scalar T>
std::string to_text(comm::CommView comm, const MatrixView<const T>& m);

enum class Norm { one, infinity, frobenius, max };
// Collective, the same on every rank. Words: one an element of a column (one), row (infinity), or one.
template <Scalar T>
double norm(comm::CommView comm, Norm which, const MatrixView<const T>& m);

}  // namespace cairn::layout
