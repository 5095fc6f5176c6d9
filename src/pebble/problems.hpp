// The cDAGs of matrix multiplication, LU without pivoting and Cholesky, with the loop indices of every
// vertex.
//
// Indices count from 0. A statement that updates an element makes a new vertex, a new version of the element
// (paper 002 "Near-I/O-optimal matrix factorizations", section 2.2). Outputs are the last versions of all
// elements of the result, whether or not later vertices read them: the factors L and U have to be written
// down.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pebble/cdag.hpp"

namespace cairn::pebble {

enum class Kernel { multiply, lu, cholesky, syrk };
std::string_view to_string(Kernel kernel);

// The iteration (i, j, k) of a computed vertex, as the loops of the kernel below name them.
struct Coordinate {
  std::int32_t i = 0, j = 0, k = 0;
  friend bool operator==(const Coordinate&, const Coordinate&) = default;
};

struct Problem {
  Kernel kernel = Kernel::multiply;
  std::array<Index, 3> size{};  // m, n, k of a multiply; n, n, n of a factorization; n, n, k of syrk
  bool accumulate = false;      // multiply only: C += A B, C is an input as well
  Cdag graph;
  std::vector<Coordinate> coordinates;  // of the computed vertices in the order of their numbers

  const Coordinate& coordinate(Vertex v) const {
    return coordinates[static_cast<std::size_t>(v - graph.inputs())];
  }
  // Vertices that multiply and add: the voxels of a multiply or of syrk, S2 of LU, S3 of Cholesky.
  Index updates() const;
};

// C(i,j) = sum over l of A(i,l) B(l,j): m n k vertices, each with the parents A(i,l), B(l,j) and C(i,j) after
// step l-1. The first step has no C parent (paper 000 "Red-Blue Pebbling Revisited", figure 4a), unless
// `accumulate`: then C(i,j) is an input. The coordinate is (i, j, l).
Problem multiply_problem(Index m, Index n, Index k, bool accumulate = false);

// for k: for i > k: S1: A(i,k) /= A(k,k); for j > k: S2: A(i,j) -= A(i,k) A(k,j)      (paper 002, figure 3)
// The coordinate of S1 is (i, k, k), of S2 (i, j, k).
Problem lu_problem(Index n);

// for k: S1: L(k,k) = sqrt(L(k,k)); for i > k: S2: L(i,k) /= L(k,k);
//        for k < j <= i: S3: L(i,j) -= L(i,k) L(j,k)                                  (paper 002, listing 1)
// The coordinate of S1 is (k, k, k), of S2 (i, k, k), of S3 (i, j, k).
Problem cholesky_problem(Index n);

// C(i,j) = sum over l of A(i,l) A(j,l) for j <= i, A is n x k. The coordinate is (i, j, l).
Problem syrk_problem(Index n, Index k);

}  // namespace cairn::pebble
