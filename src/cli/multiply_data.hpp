// Matrices to multiply: numbers that depend on nothing but the matrix, the row and the column, so that every
// rank makes its part alone and any element can be made again later.
#pragma once

#include <span>

#include "gemm/native.hpp"

namespace cairn::cli {

// Evenly spread over (-1, 1); both parts of a complex number. Row and column of the stored matrix.
template <Scalar T>
T random_element(gemm::Matrix matrix, Index row, Index col);

// What `rank` holds of a matrix: calls f(row, col, position in its memory) for every element. Nothing on idle
// ranks.
template <class F>
void for_each_element(const gemm::Schedule& schedule, gemm::Matrix matrix, int rank, F&& f) {
  if (rank >= schedule.grid.ranks()) return;
  const gemm::NativeLayout layout(schedule, matrix);
  const gemm::Coordinates at = coordinates(schedule.grid, rank);
  for (Index round = 0; round < layout.rounds(); ++round) {
    const gemm::Piece p = layout.piece(at, round);
    for (Index j = 0; j < p.cols; ++j)
      for (Index i = 0; i < p.rows; ++i) f(p.row + i, p.col + j, p.offset + i + j * p.rows);
  }
}

template <Scalar T>
void fill_random(const gemm::Schedule& schedule, gemm::Matrix matrix, int rank, std::span<T> local) {
  for_each_element(schedule, matrix, rank, [&](Index row, Index col, Index position) {
    local[static_cast<std::size_t>(position)] = random_element<T>(matrix, row, col);
  });
}

extern template float random_element(gemm::Matrix, Index, Index);
extern template double random_element(gemm::Matrix, Index, Index);
extern template std::complex<float> random_element(gemm::Matrix, Index, Index);
extern template std::complex<double> random_element(gemm::Matrix, Index, Index);

}  // namespace cairn::cli
