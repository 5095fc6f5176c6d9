#include "sparse/local/generator_places.hpp"

#include <bit>
#include <cmath>

#include "sparse/local/random_bits.hpp"

namespace cairn::sparse {
namespace {

// ---- ER: square tiles with a stream each, in which one jumps from entry to entry.
class Tiles {
 public:
  explicit Tiles(const Generator& g) : g_(g) {
    chance_ = std::min(1.0, g.d / static_cast<double>(std::max<Index>(1, g.columns)));
    // About 64 entries per tile.
    const double side = 8 / std::sqrt(std::max(chance_, 1e-15));
    side_ = static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(std::min(side, 0x1p24))));
    per_jump_ = chance_ < 1 ? 1 / std::log1p(-chance_) : 0;
  }
  Index side() const { return side_; }

  template <class F>
  void for_each_entry(Index i, Index j, F&& f) const {
    if (chance_ <= 0) return;
    Stream random(g_.seed, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
    const Index cells = side_ * side_;
    for (Index cell = jump(random); cell < cells; cell += 1 + jump(random))
      f(i * side_ + cell / side_, j * side_ + cell % side_);
  }

 private:
  // Cells without an entry before the next one that has: geometrically distributed.
  Index jump(Stream& random) const {
    if (per_jump_ == 0) return 0;
    const double cells = std::log(random.uniform()) * per_jump_;
    return cells < 0x1p60 ? static_cast<Index>(cells) : Index{1} << 60;
  }

  const Generator& g_;
  double chance_ = 0;
  double per_jump_ = 0;
  Index side_ = 1;
};

// ---- R-MAT: edges fall through a tree of quadrants. How many of a node's edges go to each quadrant depends on
// the node alone, so only nodes that meet the block are visited.
struct Node {
  Index row, column;
  int level;  // its side is 2^level
  Index edges;
};

constexpr double quadrant_chance[] = {0.57, 0.19, 0.19, 0.05};

// How many of `trials` succeed with this chance: counted where they are few, otherwise from the normal
// distribution.
Index successes(Stream& random, Index trials, double chance) {
  constexpr Index few = 256;
  if (trials > few) {
    const double n = static_cast<double>(trials), mean = n * chance;
    const double angle = 2 * 3.14159265358979323846 * random.uniform();
    const double normal = std::sqrt(-2 * std::log(random.uniform())) * std::cos(angle);
    return std::clamp<Index>(std::llround(mean + normal * std::sqrt(mean * (1 - chance))), 0, trials);
  }
  Index count = 0;
  for (Index t = 0; t < trials; ++t) count += random.uniform() <= chance ? 1 : 0;
  return count;
}

void fall(const Generator& g, const Block& block, const Node& node, std::vector<Place>& places) {
  const Index side = Index{1} << node.level;
  const bool meets = node.row < block.row + block.rows && node.row + side > block.row &&
                     node.column < block.column + block.columns && node.column + side > block.column;
  if (node.edges == 0 || !meets) return;
  if (node.level == 0) return places.push_back({node.row, node.column});
  Stream random(g.seed + static_cast<std::uint64_t>(node.level) * 0x51ed270b,
                static_cast<std::uint64_t>(node.row), static_cast<std::uint64_t>(node.column));
  Index left = node.edges;
  double chance_left = 1;
  for (int quadrant = 0; quadrant < 4; ++quadrant) {
    const double chance = quadrant_chance[quadrant];
    const Index here = quadrant == 3 ? left : successes(random, left, chance / chance_left);
    left -= here;
    chance_left -= chance;
    fall(
        g, block,
        {node.row + (quadrant / 2) * side / 2, node.column + (quadrant % 2) * side / 2, node.level - 1, here},
        places);
  }
}

}  // namespace

std::vector<Place> er_places(const Generator& g, const Block& b) {
  std::vector<Place> places;
  const Tiles tiles(g);
  const Index side = tiles.side();
  for (Index i = b.row / side; i * side < b.row + b.rows; ++i)
    for (Index j = b.column / side; j * side < b.column + b.columns; ++j)
      tiles.for_each_entry(i, j, [&](Index row, Index column) {
        if (contains(b, row, column)) places.push_back({row, column});
      });
  return places;
}

std::vector<Place> rmat_places(const Generator& g, const Block& block) {
  std::vector<Place> places;
  const Index edges = std::llround(g.d * static_cast<double>(g.rows));
  fall(g, block, {0, 0, g.scale, edges}, places);
  return places;
}

std::vector<Place> stencil_places(const Generator& g, const Block& b) {
  std::vector<Place> places;
  const bool faces_only = g.points == 5 || g.points == 7;  // otherwise corners are neighbours, too
  const Index depth = g.family == Family::stencil3 ? 1 : 0;
  for (Index row = b.row; row < b.row + b.rows; ++row) {
    const Index x = row % g.nx, y = row / g.nx % g.ny, z = row / g.nx / g.ny;
    for (Index dz = -depth; dz <= depth; ++dz)
      for (Index dy = -1; dy <= 1; ++dy)
        for (Index dx = -1; dx <= 1; ++dx) {
          if (faces_only && std::abs(dx) + std::abs(dy) + std::abs(dz) > 1) continue;
          const bool inside =
              x + dx >= 0 && x + dx < g.nx && y + dy >= 0 && y + dy < g.ny && z + dz >= 0 && z + dz < g.nz;
          const Index column = x + dx + g.nx * (y + dy + g.ny * (z + dz));
          if (inside && contains(b, row, column)) places.push_back({row, column});
        }
  }
  return places;
}

std::vector<Place> banded_places(const Generator& g, const Block& b) {
  std::vector<Place> places;
  for (Index row = b.row; row < b.row + b.rows; ++row) {
    const Index first = std::max(b.column, row - g.width),
                last = std::min(b.column + b.columns - 1, row + g.width);
    for (Index column = first; column <= last; ++column) places.push_back({row, column});
  }
  return places;
}

}  // namespace cairn::sparse
