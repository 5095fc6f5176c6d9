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

  // Many trees whose bricks have at most so much surface, those of least surface first. For few ranks.
  std::vector<Tree> find_many(double limit, std::size_t most) {
    limit_ = limit;
    variants_.clear();
    std::vector<Tree> trees;
    for (const Variant& v : variants(whole_, ranks_, most_depth, most)) trees.push_back(v.tree);
    return trees;
  }

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
  static constexpr int few_ranks =
      24;  // of which every pair of parts may be cut again; of more one is a grid
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
    std::ranges::sort(order, {}, [&](Dim d) { return std::pair(-s[index(d)], index(d)); });
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

  struct Variant {
    Tree tree;
    double most = 0;  // surface of a brick
    Sides sums = {};  // of the sides of all bricks
  };
  using Variants = std::vector<Variant>;
  // One that is not made yet: a grid, or a cut into two parts.
  struct Draft {
    double most = 0;
    Sides sums = {};
    Grid grid = {};
    Dim along = Dim::m;
    const Variant *first = nullptr, *second = nullptr;

    Variant make() const {
      return {first == nullptr ? Tree::leaf(grid) : Tree::cut(along, {first->tree, second->tree}), most,
              sums};
    }
    bool is_like(const Draft& other) const {
      const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-9 * std::max(x, y); };
      return near(most, other.most) && near(sums[0], other.sums[0]) && near(sums[1], other.sums[1]) &&
             near(sums[2], other.sums[2]);
    }
  };
  static constexpr std::size_t variants_of_a_part = 6;

  // In a box with equal sides every tree has its mirror images.
  static void unify_mirrors(std::vector<Draft>& all, const Sides& s) {
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t e = d + 1; e < 3; ++e)
        for (Draft& draft : all)
          if (s[d] == s[e] && draft.sums[d] > draft.sums[e]) std::swap(draft.sums[d], draft.sums[e]);
  }

  // Those of least surface, each kind once: the same bricks are cut in several ways.
  static Variants best_of(std::vector<Draft> all, std::size_t most) {
    std::ranges::stable_sort(all, {}, &Draft::most);
    std::vector<const Draft*> kept;
    for (const Draft& draft : all) {
      if (kept.size() == most) break;
      bool known = false;
      for (std::size_t i = kept.size(); i > 0 && !known && kept[i - 1]->most >= draft.most * (1 - 1e-9); --i)
        known = kept[i - 1]->is_like(draft);
      if (!known) kept.push_back(&draft);
    }
    Variants made;
    for (const Draft* draft : kept) made.push_back(draft->make());
    return made;
  }

  // Of a box; those of the parts of a cut are combined with each other.
  const Variants& variants(const Sides& s, int ranks, int depth, std::size_t most) {
    static const Variants none;
    if (least_surface(s) > limit_) return none;
    const auto side = [&](std::size_t d) { return std::llround(std::log(s[d]) * 1e7); };
    const std::array<Index, 4> key{ranks, depth, side(0), side(1)};
    if (const auto at = variants_.find(key); at != variants_.end()) return at->second;
    std::vector<Draft> all;
    for (const Grid& g : grids_.of(ranks)) {
      if (g.pm > s[0] || g.pn > s[1] || g.pk > s[2]) continue;
      const Sides brick{s[0] / g.pm, s[1] / g.pn, s[2] / g.pk};
      if (surface(brick) <= limit_)
        all.push_back({surface(brick), {brick[0] * ranks, brick[1] * ranks, brick[2] * ranks}, g});
    }
    for (const Dim d : gemm::all_dims)
      for (int share = 1; depth > 0 && ranks > 2 && share <= ranks / 2; ++share) {
        Sides first = s, second = s;
        first[index(d)] *= static_cast<double>(share) / ranks;
        second[index(d)] -= first[index(d)];
        if (first[index(d)] < 1) continue;
        const Variants& x = variants(first, share, depth - 1, variants_of_a_part);
        if (x.empty()) continue;
        for (const Variant& b : variants(second, ranks - share, depth - 1, variants_of_a_part))
          for (const Variant& a : x)
            all.push_back({.most = std::max(a.most, b.most),
                           .sums = {a.sums[0] + b.sums[0], a.sums[1] + b.sums[1], a.sums[2] + b.sums[2]},
                           .along = d,
                           .first = &a,
                           .second = &b});
      }
    if (depth == most_depth) unify_mirrors(all, s);
    return variants_[key] = best_of(std::move(all), most);  // what others refer to stays where it is
  }

  std::map<std::array<Index, 4>, Variants> variants_;
  Sides whole_;
  int ranks_;
  double volume_;
  double limit_ = 0;
  Index looked_at_ = 0;
  GridTable grids_;
  std::map<std::array<Index, 4>, std::optional<Tree>> known_;
};

}  // namespace

namespace {

void add_tree(std::vector<Tree>& found, const Tree& tree) {
  Tree simple = tree.simplified();
  if (!simple.is_leaf() && std::ranges::find(found, simple) == found.end())
    found.push_back(std::move(simple));
}

}  // namespace

// Halves the interval of the surface between what no brick can do with and what the best grid has. Among trees of
// about the same surface words differ by what their bricks own: for few ranks many of them are found.
std::vector<Tree> find_trees(const gemm::Problem& p, int ranks) {
  constexpr int few = 16, many = 128;
  std::vector<Tree> found;
  if (ranks < 3 || p.m < 1 || p.n < 1 || p.k < 1) return found;
  TreeSearch search(p, ranks);
  const double near = ranks <= many ? 1.002 : 1.008;
  double low = search.least_surface(), high = std::min(search.grid_surface(), 8 * low);
  std::vector<Tree> last;
  while (high / low > near) {
    const double middle = std::sqrt(low * high);
    std::optional<Tree> tree = search.find(middle);
    (tree ? high : low) = middle;
    if (tree) last.push_back(std::move(*tree));
  }
  const std::size_t most = ranks <= many ? 10 : ranks <= 4096 ? 2 : 1;
  for (std::size_t i = last.size(); i > 0 && found.size() < most; --i) add_tree(found, last[i - 1]);
  if (ranks <= few)
    for (const Tree& tree : search.find_many(high * 1.12, 300)) add_tree(found, tree);
  return found;
}

}  // namespace cairn::plan
