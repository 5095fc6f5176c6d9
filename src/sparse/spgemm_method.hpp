// The algorithms of paper 004 and their sparsity-aware relatives, by name: all are bricks on a grid; they
// differ in the grid, in how faces are gathered, and in where A and B are at first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sparse/brick_layouts.hpp"

namespace cairn::sparse {

enum class SpgemmAlgorithm {
  automatic,
  block_row_naive,         // 4.1.1: [P, 1, 1], B goes round a ring
  block_row,               // 4.1.2: [P, 1, 1], only the rows of B that are needed
  block_column,            // 4.1.2: [1, P, 1], only the columns of A that are needed
  outer_product,           // 4.1.3: [1, 1, P], C in row blocks
  outer_product_improved,  // 4.1.3: [1, 1, P], C in 2D blocks, so that fewer messages have entries
  summa,                   // 4.2.1: [pr, pc, 1], step by step
  summa_improved,          // 4.2.2: [pr, pc, 1], gathered at once
  iterative,               // 4.3: [pr, pc, c] from and to 2D layouts: all-to-all, gather, all-to-all
  recursive,               // 4.4: splits of m, n and k by cost, level by level
  aware_2d,                // [pr, pc, 1], only what is needed of A and of B
  aware_3d                 // [pr, pc, c], the same in every layer
};
const std::vector<SpgemmAlgorithm>& all_spgemm_algorithms();    // without automatic
std::string_view name(SpgemmAlgorithm algorithm);               // "block-row-naive", ...
SpgemmAlgorithm parse_spgemm_algorithm(std::string_view text);  // as printed by name(), or "auto"

enum class Gathering { at_once, ring, steps, levels, needed };

struct SpgemmMethod {
  SpgemmAlgorithm algorithm = SpgemmAlgorithm::aware_3d;
  SparseGrid grid;
  Gathering gathering = Gathering::needed;
  bool from_home = false;  // A and B begin in 2D layouts, and an all-to-all among the layers comes first
  LayerOrder order = LayerOrder::contiguous;
  FaceCut face;
  std::vector<int> n_levels, m_levels, k_levels;  // of the recursion
  int phases = 1;                                 // column blocks of B and C, one after another
  std::string describe() const;                   // "aware-3d on [2, 2, 4]"
};

// What a method needs to know of the matrices to split by cost: entries, and those of the product.
struct SplitCosts {
  double a = 1;
  double b = 1;
  double c = 1;
};

// The method on a given grid; algorithms whose grid is fixed want that one. Throws ArgumentError.
SpgemmMethod method_on(SpgemmAlgorithm algorithm, const SparseGrid& grid);
// On all of `ranks` ranks with `layers` layers (0: one for 2D, the square root's divisor for 3D), the layers
// as square as they can be. recursive: splits by `costs`.
SpgemmMethod named_method(SpgemmAlgorithm algorithm, int ranks, int layers = 0, const SplitCosts& costs = {});
SpgemmMethod recursive_method(int ranks, const SplitCosts& costs);

struct MethodLayouts {
  BrickLayouts bricks;
  SparseLayout a, b, c;  // where the inputs have to be and the result will be
};
MethodLayouts layouts_of(const SpgemmMethod& method, const ProductShape& shape);

}  // namespace cairn::sparse
