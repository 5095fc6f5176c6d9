// Matrices made on the spot, any block of them by any rank: an entry depends on the seed and its place alone,
// so the matrix is the same on any number of ranks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sparse/local/triples.hpp"

namespace cairn::sparse {

enum class Family {
  er,        // every entry with probability d / columns, independently
  rmat,      // 2^scale vertices, d edges each, quadrants with probabilities 0.57, 0.19, 0.19, 0.05
  stencil2,  // a grid of nx x ny points, 5 or 9 each
  stencil3,  // nx x ny x nz, 7 or 27 each
  banded     // entries with |row - column| <= width
};

struct Generator {
  Family family = Family::er;
  Index rows = 0, columns = 0;   // of the matrix
  double d = 8;                  // er: entries per row; rmat: edges per vertex, before those that meet
  int scale = 0;                 // rmat
  int points = 5;                // stencils
  Index nx = 0, ny = 0, nz = 1;  // stencils: point (x, y, z) is row x + nx (y + ny z)
  Index width = 1;               // banded
  std::uint64_t seed = 1;        // of the places; values of er, rmat and banded, in (0, 1], too
  friend bool operator==(const Generator&, const Generator&) = default;
};

// "er n=65536 d=8" | "er rows=100 columns=50 d=3 seed=7" | "rmat scale=14 d=8" | "stencil5 nx=256" |
// "stencil9 nx=64 ny=32" | "stencil7 nx=16 ny=16 nz=4" | "stencil27 nx=16" | "banded n=1000 width=3".
// Sides that are not given are nx. Throws ArgumentError that says what was expected.
Generator parse_generator(std::string_view text);
std::string to_string(const Generator& g);
// The mean over all seeds; at the borders of stencils and bands, and of R-MAT, where edges meet, some are fewer.
double expected_entries(const Generator& g);

// The entries within the block, sorted; local places. Stencils: the Laplacian, the diagonal points - 1, the
// neighbours -1. Time and memory grow with the entries of the block and its rows, not with the matrix.
template <Scalar T>
Csr<T> generate(const Generator& g, const Block& block);
template <Scalar T>
Csr<T> generate(const Generator& g) {
  return generate<T>(g, {0, 0, g.rows, g.columns});
}

}  // namespace cairn::sparse
