// Bricks of a tree for matrices that are where their users have them: the faces that exchanges fill and empty, as
// layouts. docs/internals/placed.md.
#pragma once

#include <functional>
#include <vector>

#include "gemm/bricks.hpp"
#include "layout/layout.hpp"

namespace cairn::gemm {

// Bricks whose faces of C lie on top of each other have different layers, counted from 0 on along k as the tree cuts it.
struct Layers {
  std::vector<int> of_brick = {};
  int count = 1;
};
Layers layers_of(const Tree& tree);

// The bricks of a tree on a part of the box of this size.
std::vector<Box> boxes_of_part(const Schedule& schedule, const std::array<Index, 3>& sizes);

struct PlacedBox {
  Box box = {};
  int rank = 0;
};
// The faces that these bricks have of a matrix, each packed in this order. An element has as many holders as faces:
// several, or none. O(cuts of rows x cuts of columns + cells of the bricks).
layout::Layout faces_of_bricks(const Problem& problem, Matrix x, const std::array<Index, 3>& sizes,
                               const std::vector<PlacedBox>& bricks, layout::Order order);

// What a rank has of a face; and what each rank has that has any: f(rank, elements). A rank may be named more than once.
Index owned_of_face(const layout::Layout& user, const SharedCell& face, int rank);
void for_each_owner_of_face(const layout::Layout& user, const SharedCell& face,
                            const std::function<void(int, Index)>& f);

}  // namespace cairn::gemm
