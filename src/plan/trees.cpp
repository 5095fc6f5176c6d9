#include "plan/trees.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

namespace cairn::plan {
namespace {

using gemm::Dim;
using gemm::Grid;
using gemm::Tree;

using Sides = std::array<double, 3>;  // of a box, by dimension

double surface(const Sides& s) { return s[0] * s[1] + s[1] * s[2] + s[2] * s[0]; }

// All [pm, pn, pk] of just so many ranks, found when they are first asked for.
class GridTable {
 public:
  const std::vector<Grid>& of(int ranks) {
    std::vector<Grid>& grids = grids_[ranks];
    if (!grids.empty()) return grids;
    std::vector<int> divisors;
    for (int d = 1; d * d <= ranks; ++d) {
      if (ranks % d != 0) continue;
      divisors.push_back(d);
      if (d * d != ranks) divisors.push_back(ranks / d);
    }
    for (const int x : divisors)
      for (const int y : divisors)
        if (ranks / x % y == 0) grids.push_back({x, y, ranks / x / y});
    return grids;
  }

 private:
  std::unordered_map<int, std::vector<Grid>> grids_;
};

// Is there a tree whose bricks all have at most a given surface? Bricks have one volume, so that the surface says how
// far from a cube they are. A box is passed over where even the best brick that fits into it has too much.
class TreeSearch {
 public:
  TreeSearch(const gemm::Problem& p, int ranks)
      : whole_{static_cast<double>(p.m), static_cast<double>(p.n), static_cast<double>(p.k)},
        ranks_(ranks),
        volume_(whole_[0] * whole_[1] * whole_[2] / ranks) {}

  double least_surface() const { return least_surface(whole_); }
  double grid_surface() { return best_grid(whole_, ranks_).second; }

  // Looks at no more than so many grids in all: exact for few ranks, a good tree for many.
  std::optional<Tree> find(double limit) {
    limit_ = limit;
    looked_at_ = 0;
    known_.clear();
    return find(whole_, ranks_, most_depth);
  }

 private:
  static constexpr int most_depth = 5;
  static constexpr Index most_looked_at = 1'000'000;
  static constexpr int few_ranks = 24;     // of which every pair of parts may be cut again; of more one is a grid
  static constexpr int most_shares = 256;  // of a cut, from the middle on

  // Of a brick within a box: a cube if it fits, else as long as it may be where it does not.
  double least_surface(Sides s) const {
    std::ranges::sort(s);
    const double cube = std::cbrt(volume_), square = std::sqrt(volume_ / s[0]);
    if (s[0] >= cube) return 3 * cube * cube;
    return s[1] >= square ? surface({s[0], square, square}) : surface({s[0], s[1], volume_ / s[0] / s[1]});
  }

  std::pair<Grid, double> best_grid(const Sides& s, int ranks) {
    std::pair<Grid, double> best{{}, HUGE_VAL};
    const std::vector<Grid>& grids = grids_.of(ranks);
    looked_at_ += std::ssize(grids);
    for (const Grid& g : grids) {
      if (g.pm > s[0] || g.pn > s[1] || g.pk > s[2]) continue;
      const double mine = surface({s[0] / g.pm, s[1] / g.pn, s[2] / g.pk});
      if (mine < best.second) best = {g, mine};
    }
    return best;
  }
  std::optional<Tree> as_grid(const Sides& s, int ranks) {
    const auto [grid, mine] = best_grid(s, ranks);
    return mine <= limit_ ? std::optional(Tree::leaf(grid)) : std::nullopt;
  }

  std::optional<Tree> find(const Sides& s, int ranks, int depth) {
    if (least_surface(s) > limit_) return {};
    if (std::optional<Tree> grid = as_grid(s, ranks)) return grid;
    if (ranks <= 2 || depth == 0 || looked_at_ > most_looked_at) return {};
    const auto side = [&](std::size_t d) { return std::llround(std::log(s[d]) * 1e7); };
    const std::array<Index, 4> key{ranks, depth, side(0), side(1)};
    if (const auto at = known_.find(key); at != known_.end()) return at->second;
    std::optional<Tree> tree = cut(s, ranks, depth, true);
    if (!tree && depth > 1) tree = cut(s, ranks, depth, false);
    return known_[key] = std::move(tree);
  }

  // The longest side first, from the middle on. Two grids if there are such, else parts that are cut again.
  std::optional<Tree> cut(const Sides& s, int ranks, int depth, bool into_grids) {
    std::array order{Dim::m, Dim::n, Dim::k};
    std::ranges::stable_sort(order, std::greater{}, [&](Dim d) { return s[index(d)]; });
    for (const Dim d : order)
      for (int share = ranks / 2; share >= std::max(1, ranks / 2 - most_shares); --share) {
        Sides first = s, second = s;
        first[index(d)] *= static_cast<double>(share) / ranks;
        second[index(d)] -= first[index(d)];
        if (first[index(d)] < 1 || std::max(least_surface(first), least_surface(second)) > limit_) continue;
        std::optional<Tree> x = as_grid(first, share), y;
        if (x || !into_grids) y = as_grid(second, ranks - share);
        if (!into_grids) {
          if (!x && !y && ranks > few_ranks) continue;
          if (!x) x = find(first, share, depth - 1);
          if (x && !y) y = find(second, ranks - share, depth - 1);
        }
        if (x && y) return Tree::cut(d, {std::move(*x), std::move(*y)});
        if (looked_at_ > most_looked_at) return {};
      }
    return {};
  }

  Sides whole_;
  int ranks_;
  double volume_;
  double limit_ = 0;
  Index looked_at_ = 0;
  GridTable grids_;
  std::map<std::array<Index, 4>, std::optional<Tree>> known_;
};

}  // namespace

std::vector<Tree> find_trees(const gemm::Problem& p, int ranks, int most) {
  std::vector<Tree> found;
  if (ranks < 3 || p.m < 1 || p.n < 1 || p.k < 1) return found;
  TreeSearch search(p, ranks);
  const double near = ranks <= 64 ? 1.002 : 1.008;
  double low = search.least_surface(), high = std::min(search.grid_surface(), 8 * low);
  while (high / low > near) {
    const double middle = std::sqrt(low * high);
    std::optional<Tree> tree = search.find(middle);
    (tree ? high : low) = middle;
    if (tree && !tree->is_leaf() && (found.empty() || !(found.front() == *tree)))
      found.insert(found.begin(), std::move(*tree));
  }
  if (std::cmp_greater(found.size(), most)) found.resize(static_cast<std::size_t>(most));
  return found;
}

namespace {

Tree halved(Sides s, int ranks) {
  if (ranks == 1) return {};
  Dim longest = Dim::k;
  for (const Dim d : {Dim::n, Dim::m})
    if (s[index(d)] > s[index(longest)]) longest = d;
  const int first = ranks / 2;
  Sides rest = s;
  s[index(longest)] *= static_cast<double>(first) / ranks;
  rest[index(longest)] -= s[index(longest)];
  return Tree::cut(longest, {halved(s, first), halved(rest, ranks - first)});
}

}  // namespace

Tree halves(const gemm::Problem& p, int ranks) {
  return halved({static_cast<double>(p.m), static_cast<double>(p.n), static_cast<double>(p.k)}, ranks);
}

}  // namespace cairn::plan
