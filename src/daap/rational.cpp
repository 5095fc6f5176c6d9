#include "daap/rational.hpp"

#include <cln/real.h>

#include "base/error.hpp"

namespace cairn::daap {
namespace {

void eliminate(RationalMatrix& matrix, std::size_t pivot_row, std::size_t column) {
  const Rational scale = cln::recip(matrix[pivot_row][column]);
  for (Rational& entry : matrix[pivot_row]) entry = entry * scale;
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    const Rational factor = matrix[row][column];
    if (row == pivot_row || cln::zerop(factor)) continue;
    for (std::size_t i = 0; i < matrix[row].size(); ++i)
      matrix[row][i] = matrix[row][i] - factor * matrix[pivot_row][i];
  }
}

}  // namespace

std::vector<std::size_t> reduce_rows(RationalMatrix& matrix) {
  std::vector<std::size_t> pivots;
  const std::size_t columns = matrix.empty() ? 0 : matrix[0].size();
  for (std::size_t column = 0; column < columns && pivots.size() < matrix.size(); ++column) {
    std::size_t row = pivots.size();
    while (row < matrix.size() && cln::zerop(matrix[row][column])) ++row;
    if (row == matrix.size()) continue;
    std::swap(matrix[row], matrix[pivots.size()]);
    eliminate(matrix, pivots.size(), column);
    pivots.push_back(column);
  }
  return pivots;
}

RationalMatrix null_space(RationalMatrix matrix, std::size_t columns) {
  const std::vector<std::size_t> pivots = reduce_rows(matrix);
  RationalMatrix basis;
  for (std::size_t free = 0, next = 0; free < columns; ++free) {
    if (next < pivots.size() && pivots[next] == free) {
      ++next;
      continue;
    }
    RationalVector direction(columns, 0);
    direction[free] = 1;
    for (std::size_t row = 0; row < pivots.size(); ++row) direction[pivots[row]] = -matrix[row][free];
    basis.push_back(std::move(direction));
  }
  return basis;
}

std::vector<std::size_t> independent_rows(const RationalMatrix& matrix) {
  RationalMatrix columns = transpose(matrix);
  return reduce_rows(columns);
}

RationalMatrix inverse(const RationalMatrix& matrix) {
  const std::size_t n = matrix.size();
  RationalMatrix work = matrix;
  for (std::size_t row = 0; row < n; ++row) {
    work[row].resize(2 * n, 0);
    work[row][n + row] = 1;
  }
  const std::vector<std::size_t> pivots = reduce_rows(work);
  require(pivots.size() == n && (n == 0 || pivots.back() == n - 1), "a {} x {} matrix is singular", n, n);
  for (RationalVector& row : work) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
  return work;
}

RationalMatrix transpose(const RationalMatrix& matrix) {
  if (matrix.empty()) return {};
  RationalMatrix result(matrix[0].size(), RationalVector(matrix.size(), 0));
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix[i].size(); ++j) result[j][i] = matrix[i][j];
  return result;
}

RationalMatrix multiply(const RationalMatrix& a, const RationalMatrix& b) {
  const std::size_t columns = b.empty() ? 0 : b[0].size();
  RationalMatrix result(a.size(), RationalVector(columns, 0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < columns; ++j) result[i][j] = result[i][j] + a[i][k] * b[k][j];
  return result;
}

double to_double(const Rational& value) { return cln::double_approx(value); }

}  // namespace cairn::daap
