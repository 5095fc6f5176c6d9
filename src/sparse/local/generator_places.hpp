// Where the generated matrices have entries.
#pragma once

#include <vector>

#include "sparse/local/generators.hpp"

namespace cairn::sparse {

struct Place {
  Index row = 0;
  Index column = 0;
};

// Places of entries within the block, each once, in any order.
std::vector<Place> er_places(const Generator& g, const Block& block);
std::vector<Place> rmat_places(const Generator& g, const Block& block);
std::vector<Place> stencil_places(const Generator& g, const Block& block);
std::vector<Place> banded_places(const Generator& g, const Block& block);

inline bool contains(const Block& b, Index row, Index column) {
  return row >= b.row && row - b.row < b.rows && column >= b.column && column - b.column < b.columns;
}

}  // namespace cairn::sparse
