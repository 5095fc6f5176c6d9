// Exact rational numbers and small dense linear algebra over them.
#pragma once

#include <cln/rational.h>
#include <cln/rational_io.h>

#include <vector>

namespace cairn::daap {

using Rational = cln::cl_RA;
using RationalVector = std::vector<Rational>;
using RationalMatrix = std::vector<RationalVector>;  // rows

// Brings the matrix to reduced row echelon form; returns the pivot columns.
std::vector<std::size_t> reduce_rows(RationalMatrix& matrix);

// A basis of {x : A x = 0} for a matrix with the given number of columns.
RationalMatrix null_space(RationalMatrix matrix, std::size_t columns);

// Indices of rows that are a basis of the row space, taken greedily from the first.
std::vector<std::size_t> independent_rows(const RationalMatrix& matrix);

// The inverse of a non-singular square matrix.
RationalMatrix inverse(const RationalMatrix& matrix);

RationalMatrix transpose(const RationalMatrix& matrix);
RationalMatrix multiply(const RationalMatrix& a, const RationalMatrix& b);

double to_double(const Rational& value);

}  // namespace cairn::daap
