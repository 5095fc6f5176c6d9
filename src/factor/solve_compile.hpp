// op(T) X = B as a Program.
#pragma once

#include "factor/rank_words.hpp"
#include "factor/solve_shape.hpp"
#include "program/program.hpp"

namespace cairn::factor {

struct TriangularSolve {
  Triangle triangle = Triangle::lower;
  Op op = Op::none;
  Diagonal diagonal = Diagonal::stored;
  Index columns = 1;  // of B

  friend bool operator==(const TriangularSolve&, const TriangularSolve&) = default;
};

// Array 0: work; 1: the part of T that this rank has; 2: corners at home here; 3: blocks of B at home here, X after.
// A rank beyond those of the shape has an empty Program. Leading dimension of T; 0: that of the shape.
template <Scalar T>
program::Program compile_solve(const SolveShape& shape, const TriangularSolve& solve, int rank, int ranks,
                               Index leading_dimension = 0);

}  // namespace cairn::factor
