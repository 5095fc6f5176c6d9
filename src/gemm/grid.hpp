// The grid that cuts a product into bricks.
#pragma once

#include <string>

#include "gemm/problem.hpp"

namespace cairn::gemm {

// [pm, pn, pk]: parts of m, n and k. Rank i + pm (j + pn l) has brick (i, j, l); ranks beyond are idle.
struct Grid {
  int pm = 1;
  int pn = 1;
  int pk = 1;

  int extent(Dim d) const { return d == Dim::m ? pm : d == Dim::n ? pn : pk; }
  Index ranks() const { return Index{pm} * pn * pk; }
  friend bool operator==(const Grid&, const Grid&) = default;
};

// Where a rank is in the grid.
struct Coordinates {
  std::array<int, 3> at{};

  int operator[](Dim d) const { return at[index(d)]; }
  Coordinates with(Dim d, int position) const;
  friend bool operator==(const Coordinates&, const Coordinates&) = default;
};
Coordinates coordinates(const Grid& grid, int rank);
int rank_at(const Grid& grid, const Coordinates& at);

std::string describe(const Grid& grid);  // "[2, 3, 1]"

}  // namespace cairn::gemm
