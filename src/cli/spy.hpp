// Where the entries of a sparse matrix are, and whose they are: two small pictures.
#pragma once

#include <string>
#include <vector>

#include "sparse/dist_sparse.hpp"

namespace cairn::cli {

// The matrix cut into at most `cells` x `cells` equal cells: the entries of each, and the rank that has most.
struct Spy {
  static constexpr Index cells = 48;

  Index rows = 0, columns = 0;  // of the matrix
  Index high = 0, wide = 0;     // cells
  std::vector<Index> entries;   // cell (i, j) at i + high j
  std::vector<int> owner;       // -1: nobody
  Index total = 0;

  Index cell(Index row, Index column) const { return row * high / rows + high * (column * wide / columns); }
};

// Collective; on rank 0, empty elsewhere. Words: two a cell to rank 0.
template <Scalar T>
Spy spy_on(comm::CommView comm, const sparse::DistSparse<T>& a);
// Of a matrix that is in one place, as if it lay as the layout says.
template <Scalar T>
Spy spy_whole(const sparse::Csr<T>& a, const sparse::SparseLayout& layout);

// SVG, side by side: by density, and by owner.
std::string spy_svg(const std::string& name, const Spy& spy);

}  // namespace cairn::cli
