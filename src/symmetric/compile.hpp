// A product with a triangle as a Program: panels and triangle to the ranks of a shape, local products, and the
// result back, each in one exchange.
#pragma once

#include <array>

#include "program/program.hpp"
#include "symmetric/shape.hpp"

namespace cairn::symmetric {

// The user's matrices; those that the problem does not have are of no elements.
struct Operands {
  std::array<layout::Layout, 3> layouts = {};  // A, B, C
  std::array<Index, 3> leading = {};           // of this rank's memory; 0: the least
};

// Arrays of the Program: the work memory, A, B, C as the users have them, and {alpha, beta}; parameters: alpha, beta.
inline constexpr int scalars_array = 4;

// The shape must outlive the Program.
template <Scalar T>
program::Program compile(const Problem& problem, const Shape& shape, const Operands& operands, int rank,
                         int ranks);

// Which matrix is the triangle, which ones are panels: 0, 1, 2 for A, B, C.
int triangle_matrix(const Problem& problem);
int result_matrix(const Problem& problem);
std::vector<int> panel_matrices(const Problem& problem);  // that are read

// Stored shapes of A, B and C for a problem.
struct Extent {
  Index rows = 0, columns = 0;
};
std::array<Extent, 3> stored_extents(const Problem& problem);

}  // namespace cairn::symmetric
