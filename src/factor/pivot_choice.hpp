// Choosing pivot rows among candidates, and the form in which they travel.
#pragma once

#include <span>
#include <vector>

#include "base/scalar.hpp"
#include "cairn/pivoting.hpp"

namespace cairn::factor {

// A row number in one word of any type, bit by bit.
template <Scalar T>
T encode_row(Index row);
template <Scalar T>
Index decode_row(const T& word);

// Rows of v columns that take part, column-major without gaps, and which rows they are: count (v + 1) words.
template <Scalar T>
struct Candidates {
  T* values;
  Index count;
  Index columns;
  T* rows() const { return values + count * columns; }
  Index words() const { return count * (columns + 1); }
};

// The order in which Gaussian elimination takes the rows of `block` (rows x columns, overwritten by its factors),
// the first min(rows, columns) of them. `numbers` are the rows' own.
template <Scalar T>
std::vector<Index> elimination_order(PivotChoice pivoting, Index rows, Index columns, T* block, Index ld,
                                     std::span<const Index> numbers);

// The rows of a matrix after LAPACK's swaps: row i is row order[i] of what was there before.
std::vector<Index> order_of_swaps(Index rows, std::span<const int> swaps);

// Pivots, then L below the diagonal column by column, then U: who needs less reads less.
template <Scalar T>
void write_pivots(std::span<const Index> pivots, const T* factors, Index ld, T* message);
template <Scalar T>
std::vector<Index> read_pivots(Index count, const T* message);
// The unit lower triangle and, if `whole`, the upper one, as a dense block.
template <Scalar T>
void read_factors(Index count, const T* message, bool whole, T* block, Index ld);

}  // namespace cairn::factor
