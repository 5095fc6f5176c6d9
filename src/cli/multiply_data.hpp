// Matrices to multiply: numbers that depend on nothing but the matrix, the row and the column, so that every
// rank makes its part alone and any element can be made again later.
#pragma once

#include "gemm/problem.hpp"

namespace cairn::cli {

// Evenly spread over (-1, 1); both parts of a complex number. Row and column of the stored matrix.
template <Scalar T>
T random_element(gemm::Matrix matrix, Index row, Index col);

extern template float random_element(gemm::Matrix, Index, Index);
extern template double random_element(gemm::Matrix, Index, Index);
extern template std::complex<float> random_element(gemm::Matrix, Index, Index);
extern template std::complex<double> random_element(gemm::Matrix, Index, Index);

}  // namespace cairn::cli
