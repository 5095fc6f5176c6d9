// Random trees: two- and three-way cuts of any dimension in any proportion, grids at the leaves.
#pragma once

#include "gemm/random_schedules.hpp"

namespace cairn::gemm::test {

class RandomTrees : public RandomSchedules {
 public:
  using RandomSchedules::RandomSchedules;

  // Of exactly this many ranks.
  Tree tree(int ranks) {
    if (ranks == 1) return {};
    if (chance(0.3)) return Tree::leaf(exact_grid(ranks));
    std::vector<Tree> parts;
    int left = ranks;
    const int wanted = ranks > 2 && chance(0.2) ? 3 : 2;
    for (int part = 1; part < wanted; ++part) {
      const int taken = static_cast<int>(number(1, left - (wanted - part)));
      parts.push_back(tree(taken));
      left -= taken;
    }
    parts.push_back(tree(left));
    return Tree::cut(pick(all_dims), std::move(parts));
  }
  std::shared_ptr<const Tree> shared_tree(int ranks) { return std::make_shared<const Tree>(tree(ranks)); }

  Schedule schedule(Index most, int ranks) {
    Schedule s{.problem = problem(most), .tree = shared_tree(ranks)};
    const Dim along = pick(all_dims);
    if (chance(0.5)) s.rounds = {along, number(1, std::clamp<Index>(s.problem.size(along), 1, 9))};
    if (s.rounds.count == 1) s.rounds = {};
    s.lookahead = static_cast<int>(number(0, 1));
    return s;
  }

 private:
  Grid exact_grid(int ranks) {
    const auto divisor = [&](int n) {
      int d = static_cast<int>(number(1, n));
      while (n % d != 0) --d;
      return d;
    };
    const int x = divisor(ranks), y = divisor(ranks / x);
    std::array<int, 3> extents{x, y, ranks / x / y};
    for (std::size_t i = 2; i > 0; --i)
      std::swap(extents[i], extents[static_cast<std::size_t>(number(0, static_cast<Index>(i)))]);
    return {extents[0], extents[1], extents[2]};
  }
};

}  // namespace cairn::gemm::test
