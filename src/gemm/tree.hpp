// Bricks cut by a tree: m, n or k in parts in the proportion of the ranks that each part gets, and again, down to
// grids. All ranks work on any number of ranks, and every brick has mnk/P voxels up to rounding.
// See docs/internals/trees.md.
#pragma once

#include <string_view>
#include <vector>

#include "gemm/grid.hpp"

namespace cairn::gemm {

class Tree {
 public:
  Tree() = default;  // one brick
  static Tree leaf(const Grid& grid);
  // Two parts or more; each has as much of the dimension as it has of the ranks.
  static Tree cut(Dim along, std::vector<Tree> parts);
  // "k(8:9){m2n2k2, m3n3}": k is cut 8 : 9; the first part is the grid [2, 2, 2], the second [3, 3, 1]. One brick
  // is "1". Throws ArgumentError that names what is wrong.
  static Tree parse(std::string_view text);
  std::string text() const;

  bool is_leaf() const { return parts_.empty(); }
  const Grid& grid() const { return grid_; }  // of a leaf
  Dim along() const { return along_; }        // of a node
  const std::vector<Tree>& parts() const { return parts_; }
  Index ranks() const { return ranks_; }
  bool cuts(Dim d) const;  // anywhere
  // Grids side by side that differ only along the cut are one grid.
  Tree simplified() const;
  friend bool operator==(const Tree&, const Tree&) = default;

 private:
  Grid grid_ = {};
  Dim along_ = Dim::k;
  std::vector<Tree> parts_ = {};
  Index ranks_ = 1;
};

}  // namespace cairn::gemm
